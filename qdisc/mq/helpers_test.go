package mq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/mq"
)

func newMQ(t require.TestingT, cfg mq.Config) *mq.MQ {
	q, err := mq.New(cfg)
	require.NoError(t, err)
	return q
}

func newFIFO(t require.TestingT, limit int) *fifo.FIFO {
	f, err := fifo.New(fifo.Config{Limit: &limit})
	require.NoError(t, err)
	return f
}

func packet(queue int, size uint32) *qdisc.Packet {
	return &qdisc.Packet{TxQueue: uint16(queue), Len: size}
}

// fill returns the packets in each queue.
func fill(q *mq.MQ) (list []int) {
	for _, s := range q.Classes() {
		list = append(list, s.Len)
	}
	return list
}

// drainFrom dequeues all of a queue at now and returns the lengths in order.
func drainFrom(q *mq.MQ, queue int, now qdisc.Time) (list []int) {
	for p := q.DequeueFrom(queue, now); p != nil; p = q.DequeueFrom(queue, now) {
		list = append(list, int(p.Len))
	}
	return list
}

// checkSums checks the identities of Stats, and the fill against the children.
func checkSums(t require.TestingT, q *mq.MQ) {
	s := q.ReadStats()
	n, bytes := 0, int64(0)
	for class, c := range q.Children() {
		require.Same(t, c, q.Child(class))
		n += c.Len()
		bytes += c.Backlog()
	}
	require.True(t, s.Received+s.Split == s.Queued+s.Refused &&
		s.Queued == s.Dequeued+s.Dropped+s.Purged+uint64(q.Len()) &&
		n == q.Len() && bytes == q.Backlog(), "%+v; %d packets in the children", s, n)
}

func configErrors(t *testing.T, err error, texts ...string) {
	t.Helper()
	require.Error(t, err)
	for _, text := range texts {
		assert.ErrorContains(t, err, text)
	}
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.NotEmpty(t, ce.Why)
}
