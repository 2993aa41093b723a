package lagg_test

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

// sink keeps the compiler from leaving out what nobody reads.
var sink uint32

// selector is a Group or a Shared.
type selector interface {
	Select(*qdisc.Packet) *lagg.Member
}

func BenchmarkSelect(b *testing.B) {
	kinds := []struct {
		mode string
		cfg  lagg.Config
	}{
		{"roundrobin", lagg.Config{Mode: lagg.RoundRobin}},
		{"roundrobin64", lagg.Config{Mode: lagg.RoundRobin, Stride: 64}},
		{"roundrobin-lagg", lagg.Config{Mode: lagg.RoundRobin, DeadPorts: lagg.NextActive, Counter: lagg.Sequence}},
		{"roundrobin-bytes", lagg.Config{Mode: lagg.RoundRobin, Stride: 6000, StrideBytes: true}},
		{"random", lagg.Config{Mode: lagg.Random}},
		{"failover", lagg.Config{Mode: lagg.Failover}},
		{"loadbalance", lagg.Config{Mode: lagg.LoadBalance}},
		{"consistent", lagg.Config{Mode: lagg.LoadBalance, Consistent: true}},
	}
	for _, k := range kinds {
		for _, ports := range []int{2, 8, 1000} {
			b.Run(fmt.Sprintf("op=select/mode=%s/ports=%d", k.mode, ports), func(b *testing.B) {
				g := mustNew(b, k.cfg)
				addPorts(b, g, ports)
				flows := packets(64)
				g.Select(&flows[0])
				b.ReportAllocs()
				b.ResetTimer()
				sink = selects(g, flows, b.N)
			})
		}
	}
}

// selects makes n selections, of 64 flows in turn.
func selects(g *lagg.Group, flows []qdisc.Packet, n int) (sum uint32) {
	for i := range n {
		sum += g.Select(&flows[i&63]).Index()
	}
	return sum
}

func BenchmarkShared(b *testing.B) {
	kinds := []struct {
		mode string
		cfg  lagg.Config
	}{
		{"roundrobin", lagg.Config{Mode: lagg.RoundRobin}},
		{"roundrobin64", lagg.Config{Mode: lagg.RoundRobin, Stride: 64}},
		{"loadbalance", lagg.Config{Mode: lagg.LoadBalance}},
	}
	for _, k := range kinds {
		for _, ports := range []int{2, 8, 1000} {
			b.Run(fmt.Sprintf("op=select/mode=%s/ports=%d", k.mode, ports), func(b *testing.B) {
				s := mustShare(b, k.cfg, ports)
				flows := packets(64)
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					sink += s.Select(&flows[i&63]).Index()
				}
			})
		}
	}
}

// BenchmarkSharedParallel: all processors select.
func BenchmarkSharedParallel(b *testing.B) {
	b.Run("op=select/mode=roundrobin64/ports=8", func(b *testing.B) {
		s := mustShare(b, lagg.Config{Mode: lagg.RoundRobin, Stride: 64}, 8)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			var p qdisc.Packet
			for pb.Next() {
				s.Select(&p)
			}
		})
	})
}

// BenchmarkUpdate: a change that changes nothing, and one of a
// port's link.
func BenchmarkUpdate(b *testing.B) {
	for _, k := range []struct {
		mode string
		cfg  lagg.Config
	}{
		{"failover", lagg.Config{}},
		{"roundrobin", lagg.Config{Mode: lagg.RoundRobin}},
		{"random", lagg.Config{Mode: lagg.Random}},
		{"loadbalance", lagg.Config{Mode: lagg.LoadBalance}},
		{"consistent", lagg.Config{Mode: lagg.LoadBalance, Consistent: true}},
	} {
		for _, change := range []string{"none", "link"} {
			b.Run(fmt.Sprintf("change=%s/mode=%s/ports=1000", change, k.mode), func(b *testing.B) {
				s := mustShare(b, k.cfg, 1000)
				up := true
				f := func(g *lagg.Group) error {
					g.SetUp(g.Member(500), up, 0)
					return nil
				}
				b.ReportAllocs()
				for b.Loop() {
					up = up != (change == "link")
					_ = s.Update(f)
				}
			})
		}
	}
}

// BenchmarkHash: frames one after the other, as they arrive.
func BenchmarkHash(b *testing.B) {
	for _, c := range []struct {
		name  string
		h     lagg.Hasher
		frame []byte
	}{
		{"policy=layers/ip=4", lagg.Hasher{Key: 12345}, frame4()},
		{"policy=layers/ip=6", lagg.Hasher{Key: 12345}, frame6()},
		{"policy=layer3+4/ip=4", lagg.Hasher{Policy: lagg.BondLayer34}, frame4()},
		{"policy=layer3+4/ip=6", lagg.Hasher{Policy: lagg.BondLayer34}, frame6()},
	} {
		b.Run("op=hash/"+c.name, func(b *testing.B) {
			frames := make([][]byte, 64)
			for i := range frames {
				frames[i] = append([]byte(nil), c.frame...)
				frames[i][11] = byte(i)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				sink += c.h.Sum(frames[i&63])
			}
		})
	}
}

func BenchmarkSend(b *testing.B) {
	b.Run("op=send/mode=roundrobin/ports=8", func(b *testing.B) {
		g := mustNew(b, lagg.Config{Mode: lagg.RoundRobin})
		addPorts(b, g, 8)
		p := packets(1)
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			g.Send(&p[0], 0)
		}
	})
}
