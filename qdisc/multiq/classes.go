package multiq

import (
	"iter"

	"github.com/netsched/netsched/qdisc"
)

// Child returns the discipline of a class, nil if there is no such class.
func (q *Multiq) Child(class uint32) qdisc.Qdisc { return q.queues.Child(class) }

// SetChild puts child, which must be empty, into a class and purges what the
// present one holds. A nil child is a FIFO of Config.Limit.
func (q *Multiq) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	return q.queues.SetChild(class, child, now)
}

// Sync brings the Multiq up to date after a class's child was called, changed
// or reset directly. Unknown classes are ignored.
func (q *Multiq) Sync(class uint32, now qdisc.Time) { q.queues.Sync(class, now) }

// Children ranges over the classes and their disciplines.
func (q *Multiq) Children() iter.Seq2[uint32, qdisc.Qdisc] { return q.queues.Children() }

// Classes ranges over the classes and the counters of their disciplines.
func (q *Multiq) Classes() iter.Seq2[uint32, qdisc.ClassStats] { return q.queues.Classes() }

// Stop passes over a hardware queue, from 0, until Wake. See [qdisc.Stopper].
func (q *Multiq) Stop(queue int) { q.queues.Stop(queue) }

// Wake lets a hardware queue, from 0, take part again. See [qdisc.Stopper].
func (q *Multiq) Wake(queue int) { q.queues.Wake(queue) }
