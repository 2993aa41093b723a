package cbq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestNoAllocation counts every allocation of 1e5 rounds in which classes come
// and go, reach their limits and their queues', drop, and hold packets back.
// (testing.AllocsPerRun rounds down.)
func TestNoAllocation(t *testing.T) {
	for _, g := range guidelines {
		var drops qdisc.List
		q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: g, Default: 1, Limit: new(3), Drops: &drops, Sojourn: new(qdisc.Histogram)})
		gate := &qtest.Gate{}
		trees[2].build(t, q, func() qdisc.Qdisc { return nil })
		require.NoError(t, q.SetChild(3, gate, 0))
		free := qdisc.Alloc(64)
		now := qdisc.Time(0)
		round := func() {
			now += 40_000
			for i := range uint32(8) {
				if p := free.Pop(); p != nil {
					p.Class, p.Len = i, 100+uint32(now>>10)%1400
					q.Enqueue(p, now)
				}
			}
			if now%(10*ms) < 40_000 {
				gate.Opens = now + 5*ms
				q.Sync(3, now)
			}
			q.Peek(now)
			for range 4 + now>>16%8 {
				if p := q.Dequeue(now); p != nil {
					free.Push(p)
				}
			}
			q.ReadyAt(now)
			if now%s < 40_000 {
				q.Reset(now)
			}
			free.Append(&drops)
		}
		for range 1000 {
			round()
		}
		assert.Zero(t, qdisctest.Mallocs(func() {
			for range 100_000 {
				round()
			}
		}))
		st := q.ReadStats()
		for _, n := range []uint64{st.Dequeued, st.Refused, st.Purged, st.Overlimits} {
			assert.NotZero(t, n)
		}
	}
}
