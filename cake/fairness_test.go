package cake_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// source sends as fast as it can: it keeps a few packets queued, like a sender
// with a window.
type source struct {
	flow, host uint32
	bytes      float64
	packet     uint32 // bytes
}

// share lets sources share a line for a time. swap has hosts be destinations.
func share(t *testing.T, cfg cake.Config, sources []*source, d time.Duration, swap bool) {
	q := mustNew(t, cfg)
	send := func(i int, now qdisc.Time) {
		src := sources[i]
		p := packet(src.packet, src.flow)
		p.SrcHost, p.DstHost = src.host, src.flow // each has a peer of its own
		if swap {
			p.SrcHost, p.DstHost = p.DstHost, p.SrcHost
		}
		p.DSField, p.Mark = 0, uint32(i)
		q.Enqueue(p, now)
	}
	now := s
	for i := range sources {
		for range 6 {
			send(i, now)
		}
	}
	for end := now.Add(d); now < end; {
		var p *qdisc.Packet
		p, now = next(t, q, now)
		sources[p.Mark].bytes += float64(p.Len)
		send(int(p.Mark), now)
	}
	require.Zero(t, q.ReadStats().Drops[qdisc.HeadDrop])
}

func hosts(flows ...int) (all []*source) {
	for host, n := range flows {
		for range n {
			all = append(all, &source{flow: uint32(len(all)) * 0x9e3779b1, host: uint32(host + 1), packet: 1514})
		}
	}
	return all
}

// jain is Jain's index of fairness.
func jain(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum, squares = sum+v, squares+v*v
	}
	return sum * sum / (float64(len(x)) * squares)
}

// byHost returns the bytes of each host, and Jain's index of the least fair
// among a host's flows.
func byHost(all []*source) (bytes []float64, worst float64) {
	flows := map[uint32][]float64{}
	for _, s := range all {
		flows[s.host] = append(flows[s.host], s.bytes)
	}
	worst = 1
	for h := uint32(1); int(h) <= len(flows); h++ {
		sum := 0.0
		for _, b := range flows[h] {
			sum += b
		}
		bytes, worst = append(bytes, sum), min(worst, jain(flows[h]))
	}
	return bytes, worst
}

// TestHostFairness: hosts with 1, 8 and 2 flows on 10 Mbit/s.
func TestHostFairness(t *testing.T) {
	for _, compat := range compats {
		for _, tt := range []struct {
			mode cake.Isolation
			swap bool
			fair bool
		}{
			{cake.TripleIsolate, false, true},
			{cake.TripleIsolate, true, true},
			{cake.DualSrcHost, false, true},
			{cake.DualDstHost, true, true},
			{cake.DualSrcHost, true, false},
			{cake.Flows, false, false},
		} {
			t.Run(fmt.Sprint(tt.mode, "/", tt.swap, "/", compat), func(t *testing.T) {
				all := hosts(1, 8, 2)
				share(t, cake.Config{Bandwidth: 10 * qdisc.Mbit, Isolation: tt.mode, RTT: time.Second, Compat: compat}, all, 30*time.Second, tt.swap)
				bytes, worst := byHost(all)
				assert.GreaterOrEqual(t, worst, 0.99)
				if tt.fair {
					assert.GreaterOrEqual(t, jain(bytes), 0.99)
				} else {
					assert.InDelta(t, 121.0/(3*69), jain(bytes), 0.01)
				}
			})
		}
	}
}

// TestManyFlowsOfAHost: shares of less than a byte a round are fair too.
func TestManyFlowsOfAHost(t *testing.T) {
	for _, compat := range compats {
		all := hosts(1, 600)
		share(t, cake.Config{Bandwidth: qdisc.Gbit, Diffserv: cake.BestEffort, RTT: time.Second, MemoryLimit: 1e9, Compat: compat}, all, 700*time.Millisecond, false)
		bytes, worst := byHost(all)
		assert.InEpsilon(t, bytes[0], bytes[1], 0.05)
		assert.GreaterOrEqual(t, worst, 0.98)
	}
}

// TestLoneFlowOfAHost: dtaht/sch_cake#46 and #145. A line of 11.2 Mbit/s, hosts
// with 1 and 8 flows.
func TestLoneFlowOfAHost(t *testing.T) {
	for _, compat := range compats {
		all := hosts(1, 8)
		share(t, cake.Config{Bandwidth: 11_200_000, RTT: time.Second, Compat: compat}, all, 20*time.Second, false)
		bytes, _ := byHost(all)
		assert.InEpsilon(t, bytes[0], bytes[1], 0.02)
	}
}

// TestLightFlow: of a host that sends 100 Mbit/s of UDP and another flow of
// 5 kB/s, the latter loses nothing and hardly waits (dtaht/sch_cake#145).
func TestLightFlow(t *testing.T) {
	for _, compat := range compats {
		var drops qdisc.List
		q := mustNew(t, cake.Config{Bandwidth: 11_200_000, Drops: &drops, Compat: compat})
		now, light, worst := s, 0, qdisc.Time(0)
		for i := range 100_000 {
			now += 120 * us
			p := packet(1500, 1)
			p.SrcHost = 9
			q.Enqueue(p, now)
			if i%833 == 0 { // 10 a second
				p := packet(500, 2)
				p.SrcHost = 9
				q.Enqueue(p, now)
			}
			for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
				if p.Flow == 2 {
					light++
					worst = max(worst, now-p.Stamp)
				}
			}
		}
		for p := range drops.Drain() {
			require.NotEqual(t, uint32(2), p.Flow)
		}
		assert.Equal(t, 121, light)
		assert.Less(t, worst, 4*ms)
	}
}

// TestFlowsComeAndGo: the counts of hosts' flows must follow every change of a
// flow's state, or hosts that come and go lose their share (Linux 546ea84d07e3,
// CVE-2024-46828).
func TestFlowsComeAndGo(t *testing.T) {
	for _, mode := range []cake.Isolation{cake.DualSrcHost, cake.TripleIsolate} {
		q := mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Isolation: mode, RTT: time.Second, MemoryLimit: 1e9})
		held, bytes := [33]int{}, [2]float64{}
		now := s
		for i, end := 0, 60*s; now < end; i++ {
			for f := range held {
				// Those of the second host stop and go on every 200 ms.
				if f > 0 && (int(now/(200*ms))+f)%2 == 0 {
					continue
				}
				for ; held[f] < 4; held[f]++ {
					p := packet(1514, uint32(f)*0x9e3779b1)
					p.SrcHost, p.DstHost, p.Mark = uint32(min(f, 1)), uint32(f), uint32(f)
					q.Enqueue(p, now)
				}
			}
			var p *qdisc.Packet
			p, now = next(t, q, now)
			held[p.Mark]--
			bytes[p.SrcHost] += float64(p.Len)
		}
		assert.InDelta(t, 1, bytes[0]/bytes[1], 0.02, "%v: %v", mode, bytes)
	}
}

// TestHostsOfOneHome: hosts whose hashes have the same home, and that start at
// the same time, have shares of their own. Linux counts them as one.
func TestHostsOfOneHome(t *testing.T) {
	for _, compat := range compats {
		all := hosts(1, 1, 1)
		all[0].host, all[1].host, all[2].host = 5, 5+1024, 7
		share(t, cake.Config{Bandwidth: 10 * qdisc.Mbit, Isolation: cake.DualSrcHost, RTT: time.Second, Compat: compat}, all, 10*time.Second, false)
		index := jain([]float64{all[0].bytes, all[1].bytes, all[2].bytes})
		if compat == qdisc.Linux {
			assert.InDelta(t, 16.0/18, index, 0.01)
		} else {
			assert.Greater(t, index, 0.999)
		}
	}
}

// drawn counts what is drawn from a source.
type drawn struct {
	rand.Source
	n int
}

func (d *drawn) Uint64() uint64 {
	d.n++
	return d.Source.Uint64()
}

// TestCrowdedHost: the bulk flows of one host, whose share is a byte or less, do
// not take a round of all of them for each byte. Each share is rounded by a
// quarter of a number.
func TestCrowdedHost(t *testing.T) {
	for _, rate := range []qdisc.Rate{10 * qdisc.Mbit, qdisc.Gbit} {
		all, random := hosts(600), &drawn{Source: rand.NewPCG(1, 2)}
		d := time.Duration(20_000 * 1514 * 8e9 / int64(rate))
		share(t, cake.Config{Bandwidth: rate, Diffserv: cake.BestEffort, RTT: 100 * time.Second, MemoryLimit: 1e9, Rand: random}, all, d, false)
		_, worst := byHost(all)
		assert.GreaterOrEqual(t, worst, 0.99)
		assert.Less(t, random.n, 20_000*40/4, "%v", rate)
	}
}
