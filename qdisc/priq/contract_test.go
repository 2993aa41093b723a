package priq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func TestContract(t *testing.T) {
	for _, n := range []int{3, 16} {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			q := newPRIQ(t, priq.Config{Default: 1, Drops: drops})
			for i := range n {
				add(t, q, uint32(i+1), 15-i, newFIFO(t, i+1))
			}
			return q
		}, qdisctest.Peeks(qdisctest.Looking), qdisctest.WorkConserving())
	}
}

func TestContractAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		q := newPRIQ(t, priq.Config{Default: 2, Drops: drops})
		for i := range 4 {
			add(t, q, uint32(i+1), 3*i, child())
		}
		return q
	}, qdisctest.WorkConserving())
}

// TestInlined: finding a packet's class costs no call.
func TestInlined(t *testing.T) {
	qtest.Inlined(t, "(*PRIQ).find")
}

// TestNoAllocation counts every allocation of 1e5 rounds that reach the limit,
// hold a class back and let it go, change and reset.
func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := filled(t, priq.Config{Default: 1, Limit: new(5), Drops: &drops, Sojourn: new(qdisc.Histogram)}, 4)
	g := &qtest.Gate{}
	require.NoError(t, q.SetChild(4, g, 0))
	free := qdisc.Alloc(64)
	now := qdisc.Time(0)
	round := func() {
		now += 10
		for class := range uint32(6) {
			if p := free.Pop(); p != nil {
				p.Class, p.Len = class, 100
				q.Enqueue(p, now)
			}
		}
		if now%100 == 0 {
			g.Opens = now + 50
			q.Sync(4, now)
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
	require.Zero(t, qdisctest.Mallocs(func() {
		for range 100_000 {
			round()
		}
	}))
	s := q.ReadStats()
	for _, n := range []uint64{s.Dequeued, s.Refused, s.Purged} {
		require.NotZero(t, n)
	}
}
