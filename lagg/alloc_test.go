package lagg_test

import (
	"runtime"
	"testing"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/trace/tracetest"
	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
)

// TestNoAllocation sends 1e5 packets in every mode while links flap, with and
// without delays, and counts every allocation.
func TestNoAllocation(t *testing.T) {
	frame := frame6()
	spare := new(qdisc.Packet)
	drops := new(qdisc.List)
	cfgs := []lagg.Config{
		{Mode: lagg.Failover, UpDelay: 7, DownDelay: 3},
		{Mode: lagg.RoundRobin},
		{Mode: lagg.RoundRobin, DeadPorts: lagg.NextActive, Counter: lagg.Sequence, Stride: 3},
		{Mode: lagg.RoundRobin, DeadPorts: lagg.NextActive, Counter: lagg.Bucket, Stride: 3},
		{Mode: lagg.RoundRobin, Stride: 4000, StrideBytes: true, UpDelay: 7, DownDelay: 3},
		{Mode: lagg.Random, UpDelay: 7, DownDelay: 3},
		{Mode: lagg.Random, DeadPorts: lagg.NextActive},
		{Mode: lagg.LoadBalance, Frame: func(*qdisc.Packet) []byte { return frame }},
		{Mode: lagg.LoadBalance, Consistent: true, Slots: lagg.MinSlots},
		{Mode: lagg.Broadcast, Copy: func(*qdisc.Packet) *qdisc.Packet { return spare }},
		{Mode: lagg.None},
	}
	for _, cfg := range cfgs {
		cfg.Drops = drops
		g := mustNew(t, cfg)
		var ports []*lagg.Member
		for i := range 9 {
			ports = append(ports, add(t, g, lagg.PortConfig{Weight: uint32(i + 1)}))
		}
		p, now := new(qdisc.Packet), qdisc.Time(0)
		run := func() {
			for i := range 100_000 {
				now++
				p.Flow = uint32(i) * 2654435761
				g.Send(p, now)
				drops.Pop()
				g.Select(p)
				if i%50 == 0 {
					g.SetUp(ports[i/50%9], i/450%2 == 0, now)
				}
			}
		}
		// The runtime may allocate on its own account: the least of three counts.
		least := ^uint64(0)
		for range 3 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			run()
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		assert.Zero(t, least, "%+v", cfg)
	}
}

func TestSharedSelectDoesNotAllocate(t *testing.T) {
	for _, mode := range []lagg.Mode{lagg.Failover, lagg.RoundRobin, lagg.Random, lagg.LoadBalance} {
		s := mustShare(t, lagg.Config{Mode: mode}, 5)
		p := new(qdisc.Packet)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			for range 1000 {
				s.Select(p)
			}
		}), mode)
	}
}

// TestInlining: what every packet passes costs no call.
func TestInlining(t *testing.T) {
	qtest.Inlined(t, "(*Group).Select", "(*balancer).slot", "(*reciprocal).div", "(*reciprocal).mod",
		"(*Hasher).Sum", "fnv16", "fnv32", "(*Member).Index", "(*Member).Port")
}

// TestRecorded replays runs of lagg(4).
func TestRecorded(t *testing.T) {
	for _, name := range []string{
		"lagg-rr-06-stride-p5-s64", "lagg-lb-40-p5-shift0", "lagg-fail-61-rxall0", "lagg-bcast-73",
	} {
		t.Run(name, func(t *testing.T) { tracetest.Replay(t, name+".trace.gz") })
	}
}
