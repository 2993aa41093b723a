package mq

import (
	"iter"

	"github.com/netsched/netsched/internal/hwqueue"
	"github.com/netsched/netsched/qdisc"
)

// Child returns the discipline of a class, nil if there is no such class.
func (q *MQ) Child(class uint32) qdisc.Qdisc { return q.queues.Child(class) }

// SetChild puts child, which must be empty, into a class and purges what the
// present one holds. A nil child is a FIFO of Config.Limit.
func (q *MQ) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	return q.queues.SetChild(class, child, now)
}

// Sync brings the MQ up to date after a class's child was called, changed
// or reset directly. Unknown classes are ignored.
func (q *MQ) Sync(class uint32, now qdisc.Time) { q.queues.Sync(class, now) }

// Children ranges over the classes and their disciplines.
func (q *MQ) Children() iter.Seq2[uint32, qdisc.Qdisc] { return q.queues.Children() }

// Classes ranges over the classes and the counters of their disciplines.
func (q *MQ) Classes() iter.Seq2[uint32, qdisc.ClassStats] { return q.queues.Classes() }

// Stop holds the packets of a hardware queue, from 0, until Wake. See [qdisc.Stopper].
func (q *MQ) Stop(queue int) { q.queues.Stop(queue) }

// Wake lets go the packets of a hardware queue, from 0. See [qdisc.Stopper].
func (q *MQ) Wake(queue int) { q.queues.Wake(queue) }

// DequeueFrom returns a packet of one hardware queue, from 0: nil if it is
// stopped, if its child gives none, or if there is no such queue. It does not
// change whose turn it is in Dequeue.
func (q *MQ) DequeueFrom(queue int, now qdisc.Time) *qdisc.Packet {
	return hwqueue.DequeueFrom(&q.queues, queue, now)
}

// ReadyAtQueue returns when DequeueFrom is worth calling for a hardware queue,
// as ReadyAt does for Dequeue: Never if it holds nothing or there is no such
// queue, Blocked if it is stopped with packets in it.
func (q *MQ) ReadyAtQueue(queue int, now qdisc.Time) qdisc.Time {
	return hwqueue.ReadyAtQueue(&q.queues, queue, now)
}
