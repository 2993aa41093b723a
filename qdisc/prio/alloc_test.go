package prio_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestNoAllocation counts every allocation of 1e5 rounds that reach the limit,
// drop, hold a band back and let it go. (testing.AllocsPerRun rounds down.)
func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Bands: 4, Drops: &drops, Sojourn: new(qdisc.Histogram)})
	require.NoError(t, q.SetChild(1, &qtest.Gate{}, 0))
	require.NoError(t, q.SetChild(2, &picky{}, 0))
	require.NoError(t, q.SetChild(3, newFIFO(t, 5), 0))
	g := q.Child(1).(*qtest.Gate)
	free := qdisc.Alloc(64)
	now := qdisc.Time(0)
	round := func() {
		now += 10
		for class := range uint32(6) {
			if p := free.Pop(); p != nil {
				p.Class, p.Priority, p.Len = class, class, 100
				q.Enqueue(p, now)
			}
		}
		if now%100 == 0 {
			g.Opens = now + 50
			q.Sync(1, now)
		}
		q.Peek(now)
		for range 5 {
			if p := q.Dequeue(now); p != nil {
				free.Push(p)
			}
		}
		q.ReadyAt(now)
		if now%1000 == 0 {
			q.Reset(now)
		}
		free.Append(&drops)
	}
	round()
	assert.Zero(t, qdisctest.Mallocs(func() {
		for range 100_000 {
			round()
		}
	}))
	s := q.ReadStats()
	for _, n := range []uint64{s.Dequeued, s.Refused, s.Dropped, s.Purged} {
		assert.NotZero(t, n)
	}
}
