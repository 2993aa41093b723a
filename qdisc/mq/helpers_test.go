package mq_test

import (
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
)

func newMQ(t require.TestingT, cfg mq.Config) *mq.MQ {
	q, err := mq.New(cfg)
	require.NoError(t, err)
	return q
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
