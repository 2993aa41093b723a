package mq_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

var (
	_ qdisc.Parent  = (*mq.MQ)(nil)
	_ qdisc.Stopper = (*mq.MQ)(nil)
)

func TestConfig(t *testing.T) {
	q := newMQ(t, mq.Config{})
	cfg := q.Config()
	assert.Equal(t, mq.Config{Queues: 1, Limit: new(1000)}, cfg)
	*cfg.Limit = 5
	assert.Equal(t, 1000, *q.Config().Limit, "the caller's copy is its own")
	for _, bad := range []struct {
		cfg  mq.Config
		text string
	}{
		{mq.Config{Queues: -1}, "Queues = -1: a device has 1 to 65536"},
		{mq.Config{Queues: mq.MaxQueues + 1}, "Queues = 65537"},
		{mq.Config{Limit: new(-1)}, "Limit = -1"},
	} {
		_, err := mq.New(bad.cfg)
		qtest.ConfigErrors(t, err, bad.text)
		qtest.ConfigErrors(t, q.Change(bad.cfg, 0), bad.text)
	}
	assert.Equal(t, mq.Config{Queues: 1, Limit: new(1000)}, q.Config())
	qtest.ConfigErrors(t, q.SetChild(2, nil, 0), "Class = 2: the classes are 1 to 1")
}

// TestQueuesChange goes 8, 2, 16, 1 queues with packets in each.
func TestQueuesChange(t *testing.T) {
	var drops qdisc.List
	q := newMQ(t, mq.Config{Queues: 8, Drops: &drops})
	held := 0
	for _, n := range []int{8, 2, 16, 1} {
		require.NoError(t, q.Change(mq.Config{Queues: n, Limit: new(3)}, 0))
		for p := range drops.Drain() {
			assert.Equal(t, qdisc.Purged, p.Reason)
			assert.GreaterOrEqual(t, int(p.TxQueue), n)
			held--
		}
		assert.Equal(t, held, q.Len())
		assert.Len(t, fill(q), n)
		for i := range n {
			q.Enqueue(packet(i, 100), 0)
			held++
		}
		qtest.CheckSums(t, q)
	}
	assert.Equal(t, []int{4}, fill(q), "queue 0 was there from the start, with its limit of 1000")
}

// TestByQueue: each queue is served by itself.
func TestByQueue(t *testing.T) {
	q := newMQ(t, mq.Config{Queues: 3})
	for i := range 4 { // there is no queue 3
		q.Enqueue(packet(i, uint32(10*i)), 0)
		q.Enqueue(packet(i, uint32(10*i+1)), 0)
	}
	assert.Equal(t, []int{4, 2, 2}, fill(q))
	assert.Equal(t, []int{20, 21}, drainFrom(q, 2, 0))
	assert.Equal(t, []int{0, 1, 30, 31}, drainFrom(q, 0, 0))
	assert.Equal(t, qdisc.Never, q.ReadyAtQueue(2, 0))
	assert.Equal(t, qdisc.Time(5), q.ReadyAtQueue(1, 5))
	assert.Equal(t, 2, q.Len())
	for _, i := range []int{-1, 3, math.MaxInt, math.MinInt} {
		assert.Nil(t, q.DequeueFrom(i, 0))
		assert.Equal(t, qdisc.Never, q.ReadyAtQueue(i, 0))
		q.Stop(i)
		q.Wake(i)
	}
	q.Stop(1)
	assert.Nil(t, q.DequeueFrom(1, 0))
	assert.Equal(t, qdisc.Blocked, q.ReadyAtQueue(1, 0))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(0))
	q.Wake(1)
	assert.Equal(t, qdisc.Time(0), q.ReadyAtQueue(1, 0))
	assert.Equal(t, []int{10, 11}, drainFrom(q, 1, 0))
	qtest.CheckSums(t, q)
}

// TestRound: the verbs that name no queue go round, and those that do leave
// the round as it is.
func TestRound(t *testing.T) {
	q := newMQ(t, mq.Config{Queues: 3})
	for i := range 3 {
		for range 3 {
			q.Enqueue(packet(i, uint32(i)), 0)
		}
	}
	assert.EqualValues(t, 1, q.Dequeue(0).Len)
	assert.EqualValues(t, 0, q.DequeueFrom(0, 0).Len)
	assert.EqualValues(t, 2, q.Peek(0).Len)
	assert.EqualValues(t, 2, q.DequeueFrom(2, 0).Len)
	var rest []int
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		rest = append(rest, int(p.Len))
	}
	assert.Equal(t, []int{2, 0, 1, 2, 0, 1}, rest)
}

// TestShapedQueue: a shaper in one queue holds up only that one, and is asked
// again at its time, by either kind of verb.
func TestShapedQueue(t *testing.T) {
	var h qdisc.Histogram
	q := newMQ(t, mq.Config{Queues: 2, Sojourn: &h})
	b, err := tbf.New(tbf.Config{Rate: 8 * qdisc.Mbit, Burst: 1000}) // 1 us a byte
	require.NoError(t, err)
	require.NoError(t, q.SetChild(1, b, 0))
	for range 3 {
		q.Enqueue(packet(0, 1000), 0)
	}
	q.Enqueue(packet(1, 5), 0)
	assert.Equal(t, []int{1000}, drainFrom(q, 0, 0))
	assert.Equal(t, qdisc.Time(1_000_000), q.ReadyAtQueue(0, 0))
	assert.Equal(t, qdisc.Time(0), q.ReadyAt(0))
	assert.Equal(t, []int{5}, drainFrom(q, 1, 0))
	assert.Equal(t, qdisc.Time(1_000_000), q.ReadyAt(0))
	assert.Nil(t, q.DequeueFrom(0, 999_999))
	assert.EqualValues(t, 1, b.ReadStats().Overlimits, "it is not asked before its time")

	assert.Equal(t, []int{1000}, drainFrom(q, 0, 1_000_000))
	assert.NotNil(t, q.Dequeue(2_000_000))
	assert.Equal(t, qdisc.Never, q.ReadyAtQueue(0, 2_000_000))
	assert.Equal(t, uint64(4), h.Count())
	assert.EqualValues(t, 2_000_000, h.Max())
}

// TestDirectCalls: a child that was filled directly is served by its number at
// once, and in the round after Sync.
func TestDirectCalls(t *testing.T) {
	q := newMQ(t, mq.Config{Queues: 2})
	for size := range uint32(3) {
		q.Child(2).Enqueue(packet(1, size), 0)
	}
	assert.Equal(t, qdisc.Time(0), q.ReadyAtQueue(1, 0))
	assert.Nil(t, q.Dequeue(0))
	assert.EqualValues(t, 0, q.DequeueFrom(1, 0).Len)
	assert.EqualValues(t, 1, q.Dequeue(0).Len, "now the round knows")
	q.Child(2).Reset(0)
	assert.Nil(t, q.DequeueFrom(1, 0))
	assert.Equal(t, qdisc.Never, q.ReadyAt(0))
	q.Child(1).Enqueue(packet(0, 9), 0)
	q.Sync(1, 0)
	assert.EqualValues(t, 9, q.Dequeue(0).Len)
	qtest.CheckSums(t, q)
}

func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := newMQ(t, mq.Config{Queues: 8, Limit: new(4), Drops: &drops})
	free := qdisc.Alloc(256)
	now := qdisc.Time(0)
	blocked := 0
	assert.Zero(t, qdisctest.Mallocs(func() {
		for round := range 100_000 {
			now += 10
			for i := range uint16(8) {
				if p := free.Pop(); p != nil {
					p.TxQueue, p.Len = i, 100
					q.Enqueue(p, now)
				}
			}
			q.Stop(round % 8)
			for i := range 8 {
				if p := q.DequeueFrom(i, now); p != nil {
					free.Push(p)
				} else if q.ReadyAtQueue(i, now) == qdisc.Blocked {
					blocked++
				}
			}
			q.Wake(round / 3 % 8)
			free.Append(&drops)
		}
	}))
	s := q.ReadStats()
	for _, n := range []uint64{s.Dequeued, s.Refused, uint64(blocked)} {
		assert.NotZero(t, n)
	}
}
