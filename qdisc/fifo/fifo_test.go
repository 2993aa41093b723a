package fifo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func packet(n uint32) *qdisc.Packet { return &qdisc.Packet{Len: n} }

// offer enqueues packets of the given lengths and returns the verdicts.
func offer(q *fifo.FIFO, lengths ...uint32) (verdicts []qdisc.Verdict) {
	for _, n := range lengths {
		verdicts = append(verdicts, q.Enqueue(packet(n), 0))
	}
	return verdicts
}

// drain dequeues all and returns the lengths.
func drain(q *fifo.FIFO) (lengths []uint32) {
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		lengths = append(lengths, p.Len)
	}
	return lengths
}

// TestLimit10 is the case of ns-3's fifo test: ten packets of 1000 bytes fit,
// the next does not, and they come out in order, whether the limit is given in
// packets or bytes, at first or by a change.
func TestLimit10(t *testing.T) {
	packets := fifo.Config{Limit: new(10)}
	bytes := fifo.Config{LimitBytes: new(int64(10 * 1000))}
	for _, c := range []struct {
		name        string
		first, then fifo.Config
	}{
		{"packets", packets, packets},
		{"bytes", bytes, bytes},
		{"packets, changed", fifo.Config{}, packets},
		{"bytes, changed", packets, bytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := newFIFO(t, c.first)
			require.NoError(t, q.Change(c.then, 0))
			var sent []*qdisc.Packet
			for i := range 10 {
				p := packet(1000)
				sent = append(sent, p)
				require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
				assert.Equal(t, i+1, q.Len())
				assert.EqualValues(t, 1000*(i+1), q.Backlog())
			}
			over := packet(1000)
			assert.Equal(t, qdisc.Dropped, q.Enqueue(over, 0))
			assert.Equal(t, qdisc.Overlimit, over.Reason)
			for i, want := range sent {
				assert.Same(t, want, q.Dequeue(0))
				assert.Equal(t, 9-i, q.Len())
			}
			assert.Nil(t, q.Dequeue(0))
			assert.EqualValues(t, 1, q.ReadStats().Refused)
		})
	}
}

// TestLimitZero: a head-drop FIFO without room keeps nothing (CVE-2025-21702
// was a queue that did).
func TestLimitZero(t *testing.T) {
	for _, headDrop := range []bool{false, true} {
		var drops qdisc.List
		q := newFIFO(t, fifo.Config{Limit: new(0), HeadDrop: headDrop, Drops: &drops})
		assert.Equal(t, []qdisc.Verdict{qdisc.Dropped, qdisc.Dropped}, offer(q, 1, 1))
		assert.Zero(t, q.Len())
		assert.Equal(t, 2, drops.Len())
		assert.Equal(t, qdisc.Never, q.ReadyAt(0))

		q = newFIFO(t, fifo.Config{LimitBytes: new(int64(0)), HeadDrop: headDrop})
		assert.Equal(t, []qdisc.Verdict{qdisc.Dropped, qdisc.Queued}, offer(q, 1, 0), "only bytes count")
	}
}

// TestLimitOne: a FIFO of one packet never holds two (as one in
// inet-framework/inet#698 did).
func TestLimitOne(t *testing.T) {
	for _, headDrop := range []bool{false, true} {
		q := newFIFO(t, fifo.Config{Limit: new(1), HeadDrop: headDrop})
		most := 0
		for range 5 {
			q.Enqueue(packet(1), 0)
			most = max(most, q.Len())
		}
		assert.Equal(t, 1, most)
	}
}

// TestOneLimitCounts: with one limit given the other is off; with none the
// default holds.
func TestOneLimitCounts(t *testing.T) {
	q := newFIFO(t, fifo.Config{LimitBytes: new(int64(1 << 40))})
	for range 3 * fifo.DefaultLimit {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(1), 0))
	}
	q = newFIFO(t, fifo.Config{Limit: new(2)})
	assert.Equal(t, []qdisc.Verdict{qdisc.Queued, qdisc.Queued}, offer(q, qdisc.MaxLen, qdisc.MaxLen))
	assert.Equal(t, int64(1<<31), q.Backlog())

	q = newFIFO(t, fifo.Config{})
	for range fifo.DefaultLimit {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(1), 0))
	}
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1), 0))
}

func TestHeadDrop(t *testing.T) {
	var drops qdisc.List
	q := newFIFO(t, fifo.Config{LimitBytes: new(int64(1000)), HeadDrop: true, Drops: &drops})
	assert.Equal(t, []qdisc.Verdict{qdisc.Queued, qdisc.Queued, qdisc.Queued}, offer(q, 300, 200, 500))
	assert.Equal(t, []qdisc.Verdict{qdisc.Congested}, offer(q, 600), "makes room for all of it")
	var lost []uint32
	for p := range drops.Drain() {
		assert.Equal(t, qdisc.HeadDrop, p.Reason)
		lost = append(lost, p.Len)
	}
	assert.Equal(t, []uint32{300, 200, 500}, lost)
	assert.Equal(t, []qdisc.Verdict{qdisc.Dropped}, offer(q, 1001), "can never fit")
	assert.Equal(t, []qdisc.Verdict{qdisc.Queued, qdisc.Congested}, offer(q, 400, 1))
	assert.Equal(t, []uint32{400, 1}, drain(q))
	s := q.ReadStats()
	assert.EqualValues(t, 4, s.Drops[qdisc.HeadDrop])
	assert.EqualValues(t, 1, s.Drops[qdisc.Overlimit])
}

// TestChange: a lower limit drops nothing that is held, and bars arrivals
// until the queue has drained below it.
func TestChange(t *testing.T) {
	q := newFIFO(t, fifo.Config{Limit: new(5)})
	offer(q, 1, 2, 3, 4, 5)
	require.NoError(t, q.Change(fifo.Config{Limit: new(3)}, 0))
	assert.Equal(t, 5, q.Len())
	for held := 5; held >= 3; held-- {
		assert.Equal(t, []qdisc.Verdict{qdisc.Dropped}, offer(q, 9))
		q.Dequeue(0)
	}
	assert.Equal(t, []qdisc.Verdict{qdisc.Queued, qdisc.Dropped}, offer(q, 6, 7))
	assert.Equal(t, []uint32{4, 5, 6}, drain(q))
}

// TestChangeHeadDrop: above a lowered limit each arrival costs one packet, so
// the length stays until the queue drains.
func TestChangeHeadDrop(t *testing.T) {
	q := newFIFO(t, fifo.Config{Limit: new(5), HeadDrop: true})
	offer(q, 1, 2, 3, 4, 5)
	require.NoError(t, q.Change(fifo.Config{Limit: new(3), HeadDrop: true}, 0))
	assert.Equal(t, []qdisc.Verdict{qdisc.Congested}, offer(q, 6))
	assert.Equal(t, []uint32{2, 3, 4, 5, 6}, drain(q))
}

// TestChangeAllOrNothing: what is refused leaves everything as it was, and
// all errors are reported.
func TestChangeAllOrNothing(t *testing.T) {
	q := newFIFO(t, fifo.Config{Limit: new(2)})
	err := q.Change(fifo.Config{Limit: new(-1), LimitBytes: new(int64(-2)), HeadDrop: true}, 0)
	require.ErrorContains(t, err, "Limit = -1")
	require.ErrorContains(t, err, "LimitBytes = -2")
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.Equal(t, "Limit", ce.Field)
	assert.Equal(t, fifo.Config{Limit: new(2)}, q.Config())

	_, err = fifo.New(fifo.Config{Limit: new(-1)})
	assert.Error(t, err)

	limit := 7
	require.NoError(t, q.Change(fifo.Config{Limit: &limit}, 0))
	limit = 1
	assert.Equal(t, 7, *q.Config().Limit, "the caller's variable is its own")
}

func TestSojourn(t *testing.T) {
	var h qdisc.Histogram
	q := newFIFO(t, fifo.Config{Sojourn: &h})
	for i := range 10 {
		q.Enqueue(packet(1), qdisc.Time(i))
	}
	q.Peek(500)
	for p := q.Dequeue(1000); p != nil; p = q.Dequeue(2000) {
		continue
	}
	assert.EqualValues(t, 10, h.Count())
	assert.Equal(t, 1999*time.Nanosecond, h.Max())
	assert.Same(t, &h, q.Sojourn())
}
