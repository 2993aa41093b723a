package hfsc_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// Errors that HFSC was reported to have elsewhere; the sweep of slopes (CVE-
// 2026-31423) is also TestSweep.

// TestSlopeDifference: a difference of slopes of exactly 2^32 was divided by as
// 0 (CVE-2026-31423, tc-testing a3d7).
func TestSlopeDifference(t *testing.T) {
	for _, compat := range modes {
		for k := range 64 {
			for _, m1 := range []qdisc.Rate{1<<k - 1, 1 << k, 32_000_000_000} {
				for _, m2 := range []qdisc.Rate{0, 1, m1 - 1, m1} {
					q := newHFSC(t, hfsc.Config{Compat: compat})
					c := hfsc.Curve{M1: m1, D: time.Millisecond, M2: m2}
					if err := q.AddClass(1, hfsc.ClassConfig{RealTime: c, LinkShare: c}, 0); err != nil {
						qtest.ConfigErrors(t, err) // refused, never wrapped
						continue
					}
					for _, now := range []qdisc.Time{0, s} {
						q.Enqueue(packet(1, 64), now)
						require.NotNil(t, q.Dequeue(now), "%v %v", compat, c)
					}
				}
			}
		}
	}
}

// TestPeekThatDrops: the head is looked at when a class becomes active, and the
// child may drop it at that very moment (CVE-2025-38000, tc-testing 831d,
// d74b).
func TestPeekThatDrops(t *testing.T) {
	for _, compat := range modes {
		var drops qdisc.List
		outer, err := prio.New(prio.Config{Drops: &drops})
		require.NoError(t, err)
		q := newHFSC(t, hfsc.Config{Compat: compat, Default: 1})
		add(t, q, 1, hfsc.ClassConfig{RealTime: hfsc.Curve{M1: 8, D: time.Microsecond, M2: 8}, Child: qdisctest.NewChaos(1, qdisctest.Faults{Drop: 1}, nil)})
		require.NoError(t, outer.SetChild(1, q, 0))
		for range 5 {
			assert.Equal(t, qdisc.Congested, outer.Enqueue(packet(1, 100), 0), "its own packet was lost")
			assert.NoError(t, qdisctest.Check(outer))
			assert.Zero(t, outer.Len())
		}
		assert.Equal(t, 5, drops.Len())
		assert.Nil(t, outer.Dequeue(0))
		require.NoError(t, q.RemoveClass(1, 0))
		assert.NoError(t, qdisctest.Check(outer))
		assert.Equal(t, qdisc.Dropped, outer.Enqueue(packet(1, 100), 0))
		assert.Equal(t, qdisc.Never, outer.ReadyAt(0))
	}
}

// TestEnteredOnce: a class was put among the eligible ones twice when a child
// called Enqueue from within Enqueue (CVE-2025-38001, tc-testing 309e, bf1d).
// Callbacks must not call into the tree here; the rest of the report follows.
func TestEnteredOnce(t *testing.T) {
	for _, compat := range modes {
		var drops qdisc.List
		q := newHFSC(t, hfsc.Config{Compat: compat, Drops: &drops})
		rt := hfsc.ClassConfig{RealTime: hfsc.Line(20 * qdisc.Kbit)}
		add(t, q, 1, rt)
		add(t, q, 2, rt)
		fill(t, q, 1, 2, 98, 0) // the packet and its duplicate
		assert.EqualValues(t, 196, q.Backlog())
		require.NoError(t, q.RemoveClass(1, 0))
		assert.Equal(t, 2, drops.Len())
		fill(t, q, 2, 3, 98, 0)
		rt.LinkShare = rt.RealTime
		require.NoError(t, q.ChangeClass(2, rt, 0))
		q.Sync(2, 0)
		q.Sync(2, 0)
		assert.Len(t, qtest.Drain(q, s), 3)
		assert.Equal(t, qdisc.Never, q.ReadyAt(s))
		assert.Zero(t, stats(t, q, 2).Active)
	}
}

// TestInnerRealTimeOnly: a class with a RealTime curve only that gets a child
// was walked through a tree that it was not in (CVE-2023-4623).
func TestInnerRealTimeOnly(t *testing.T) {
	for _, compat := range modes {
		q := newHFSC(t, hfsc.Config{Compat: compat})
		add(t, q, 1, hfsc.ClassConfig{RealTime: hfsc.Line(qdisc.Mbit)})
		fill(t, q, 1, 1, 100, 0)
		add(t, q, 2, hfsc.ClassConfig{Parent: 1, LinkShare: hfsc.Line(qdisc.Mbit)})
		cfg, _ := q.Class(1)
		assert.Equal(t, hfsc.Line(qdisc.Mbit), cfg.LinkShare)
		assert.Zero(t, q.Len(), "what the parent held is purged")
		fill(t, q, 2, 1, 100, 0)
		assert.NotNil(t, q.Dequeue(0))
		assert.Nil(t, q.Dequeue(s))
	}
}

// TestAlwaysAWakeUp: packets were held, no class was anywhere, and the wake-up
// asked for was never (tohojo/sqm-scripts#77).
func TestAlwaysAWakeUp(t *testing.T) {
	for _, compat := range modes {
		q := newHFSC(t, hfsc.Config{Compat: compat})
		fq, err := codel.NewFQ(codel.FQConfig{Limit: new(1)})
		require.NoError(t, err)
		add(t, q, 1, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit), UpperLimit: hfsc.Line(qdisc.Mbit), Child: fq})
		sent := 0
		var now qdisc.Time
		for flow := uint32(0); now < 10*s; flow++ { // 2 Mbit/s
			p := packet(1, 1000)
			p.Flow = flow % 2 * 0x10000001
			q.Enqueue(p, now)
			until := now + 4*ms
			for q.Len() > 0 && now < until {
				if p := q.Dequeue(now); p != nil {
					sent += int(p.Len)
					continue
				}
				if q.Len() == 0 {
					break
				}
				at := q.ReadyAt(now)
				require.Greater(t, at, now)
				require.LessOrEqual(t, at, now+s)
				now = min(at, until)
			}
			now = until
			require.NoError(t, qdisctest.Check(q))
		}
		assert.InDelta(t, 1.25e6, sent, 5000)
	}
}

// TestFastLimits: a limit of 10 Gbit/s wrapped at 32 bits (OpenBSD, March 2026).
func TestFastLimits(t *testing.T) {
	for _, rate := range []qdisc.Rate{10 * qdisc.Gbit, 999 * qdisc.Gbit} {
		q := newHFSC(t, hfsc.Config{})
		add(t, q, 1, hfsc.ClassConfig{LinkShare: hfsc.Line(rate), UpperLimit: hfsc.Line(rate)})
		fill(t, q, 1, 3, 1500, 0)
		until := s * 10 / qdisc.Time(rate/qdisc.Gbit)
		sent, now := uint64(0), qdisc.Time(0)
		for {
			p := q.Dequeue(now)
			if p == nil {
				if now = q.ReadyAt(now); now >= until {
					break
				}
				continue
			}
			sent += uint64(p.Len)
			q.Enqueue(p, now)
		}
		assert.InDelta(t, 1.25e9, float64(sent), 1500, "%v", rate)
		cfg, _ := q.Class(1)
		assert.Equal(t, rate, cfg.UpperLimit.M2)
	}
	q := newHFSC(t, hfsc.Config{Compat: qdisc.Linux})
	err := q.AddClass(1, hfsc.ClassConfig{LinkShare: hfsc.Line(40 * qdisc.Gbit)}, 0)
	qtest.ConfigErrors(t, err, "LinkShare", "34.36 Gbit/s")
}

// TestChildDropsToEmpty: a child that lost everything by itself left its class
// active for ever (CVE-2025-37798, tc-testing a4bb).
func TestChildDropsToEmpty(t *testing.T) {
	for _, compat := range modes {
		for _, cfg := range []hfsc.ClassConfig{
			{LinkShare: hfsc.Line(qdisc.Mbit)}, {RealTime: hfsc.Line(qdisc.Mbit)}, {RealTime: hfsc.Line(qdisc.Mbit), LinkShare: hfsc.Line(qdisc.Mbit)},
		} {
			t.Run(fmt.Sprintf("%v/%v", compat, cfg), func(t *testing.T) {
				var drops qdisc.List
				q := newHFSC(t, hfsc.Config{Compat: compat, Drops: &drops})
				fq, err := codel.NewFQ(codel.FQConfig{Flows: 1, MemoryLimit: new(int64(1)), Target: 100 * time.Microsecond, Interval: time.Millisecond})
				require.NoError(t, err)
				cfg.Child = fq
				add(t, q, 1, cfg)
				add(t, q, 2, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)})
				for i := range 10 {
					now := qdisc.Time(i) * 10 * ms
					q.Enqueue(packet(1, 98), now)
					if i%2 == 1 {
						q.Dequeue(now)
					}
					require.NoError(t, qdisctest.Check(q))
				}
				assert.NotZero(t, drops.Len())
				for q.Dequeue(s) != nil {
				}
				assert.Zero(t, q.Len())
				assert.Zero(t, stats(t, q, 1).Active)
				fill(t, q, 2, 1, 98, s)
				assert.NotNil(t, q.Dequeue(s), "no stall")
			})
		}
	}
}
