package codel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestNoAllocation counts every allocation of 1e5 rounds of all hot verbs: two
// packets in and one out, so that the limits are reached, while the law drops
// and marks; then one in and one out.
func TestNoAllocation(t *testing.T) {
	const rounds = 100_000
	for name, build := range map[string]func(mode qdisc.Compat, drops *qdisc.List) qdisc.Qdisc{
		"codel": func(mode qdisc.Compat, drops *qdisc.List) qdisc.Qdisc {
			return newCoDel(t, codel.Config{
				Limit: new(200), ECN: true, CEThreshold: new(time.Millisecond), Target: time.Microsecond, Interval: time.Millisecond,
				Drops: drops, Sojourn: new(qdisc.Histogram), Compat: mode,
			})
		},
		"fq": func(mode qdisc.Compat, drops *qdisc.List) qdisc.Qdisc {
			return newFQ(t, codel.FQConfig{
				Flows: 16, Limit: new(200), MemoryLimit: new(int64(180_000)), Quantum: 300, Target: time.Microsecond, Interval: time.Millisecond,
				Drops: drops, Sojourn: new(qdisc.Histogram), Compat: mode,
			})
		},
		"associative": func(mode qdisc.Compat, drops *qdisc.List) qdisc.Qdisc {
			return newFQ(t, codel.FQConfig{
				Flows: 16, Limit: new(200), SetAssociative: true, Target: time.Microsecond, Interval: time.Millisecond,
				Classify: func(p *qdisc.Packet) uint32 { return p.Class }, Drops: drops, Compat: mode,
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				free, drops := qdisc.Alloc(300), qdisc.List{}
				q := build(mode, &drops)
				now, id := qdisc.Time(0), uint32(0)
				arrive := func() {
					if p := free.Pop(); p != nil {
						id++
						p.Len, p.Truesize, p.Flow, p.DSField, p.Class = 1000, 0, id*0x9e3779b1, uint8(id>>4), id%4*id%18
						q.Enqueue(p, now)
					}
				}
				round := func() {
					now += 10 * us
					arrive()
					if now%(20*s) < 10*s/10 {
						arrive()
					}
					free.Append(&drops)
					if id%8 == 0 {
						q.Peek(now)
					}
					if p := q.Dequeue(now); p != nil {
						free.Push(p)
					}
					free.Append(&drops)
					q.ReadyAt(now)
				}
				assert.Zero(t, qdisctest.Mallocs(func() {
					for range rounds {
						round()
					}
				}))
				st := q.Common().ReadStats()
				require.Greater(t, st.Dequeued, uint64(rounds/2))
				require.NotZero(t, st.Drops[qdisc.AQM])
				require.Greater(t, st.Drops[qdisc.Overlimit]+st.Drops[qdisc.HeadDrop], uint64(100), "it was at the limit")
				assert.Zero(t, qdisctest.Mallocs(func() { q.Reset(now) }))
				qtest.Balanced(t, q)
			})
		})
	}
}

// TestStatsAllocateNothing, as somebody may ask for them often.
func TestStatsAllocateNothing(t *testing.T) {
	q := newFQ(t, codel.FQConfig{})
	put(t, q, 1, 100, bucket(1, 1024), 0)
	put(t, q, 1, 100, bucket(2, 1024), 0)
	n := 0
	assert.Zero(t, qdisctest.Mallocs(func() {
		n += q.Stats().NewFlowsLen
		for _, f := range q.Flows(0) {
			n += f.Len
		}
	}))
	assert.NotZero(t, n)
}
