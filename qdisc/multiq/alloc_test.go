package multiq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestNoAllocation counts every allocation of 1e5 rounds that reach the limit,
// drop, hold bands back, stop and wake queues.
func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := newMultiq(t, multiq.Config{Bands: 70, Limit: new(5), Drops: &drops, Sojourn: new(qdisc.Histogram)})
	gates := [2]*qtest.Gate{{}, {}}
	require.NoError(t, q.SetChild(1, gates[0], 0))
	require.NoError(t, q.SetChild(70, gates[1], 0))
	free := qdisc.Alloc(256)
	now := qdisc.Time(0)
	blocked := 0
	round := func() {
		now += 10
		for _, i := range []uint16{0, 1, 64, 68, 69, 70} {
			if p := free.Pop(); p != nil {
				p.TxQueue, p.Len = i, 100
				q.Enqueue(p, now)
			}
		}
		if now%100 == 0 {
			gates[0].Opens, gates[1].Opens = now+50, now+70
			q.Sync(1, now)
			q.Stop(int(now/100) % 70)
			q.Stop(1)
		} else if now%70 == 0 {
			q.Wake(1)
			q.Wake(int(now/70) % 70)
		}
		q.Peek(now)
		for range 5 {
			if p := q.Dequeue(now); p != nil {
				free.Push(p)
			}
		}
		if q.ReadyAt(now) == qdisc.Blocked {
			blocked++
		}
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
	for _, n := range []uint64{s.Dequeued, s.Refused, s.Purged, uint64(blocked)} {
		assert.NotZero(t, n)
	}
}
