package hwqueue

import (
	"fmt"
	"iter"

	"github.com/netsched/netsched/qdisc"
)

// MaxQueues is the largest number of queues: all that Packet.TxQueue can name.
const MaxQueues = 1 << 16

// Queues holds a child discipline for each hardware queue; class k is queue
// k-1. A discipline embeds it and calls Resize before anything else.
type Queues struct {
	qdisc.Base
	list   []queue
	next   uint32 // where the search for the queue to serve starts
	wake   qdisc.Time
	active bitmap
	wait   waitlist

	settings Settings
}

type queue struct {
	qdisc.Child
	active  bool // in the bitmap
	stopped bool
}

// Settings are what a discipline configures. The drop list and the histogram
// are as Base.Attend has them.
type Settings struct {
	Field   string // the name of the number of queues in Config
	Queues  int    // 1 to MaxQueues; 0: 1
	Limit   int    // of the leaves, in packets
	Drops   *qdisc.List
	Sojourn *qdisc.Histogram
	// Leaf makes the child that a queue starts with.
	Leaf func(limit int) (qdisc.Qdisc, error)
}

// Resize sets the number of queues and the rest of s, all or nothing. Queues
// that stay keep their packets and children and whether they are stopped; those
// of removed queues are purged; new ones run. If the queue served last is
// removed the round starts again at queue 0.
func Resize(q *Queues, s Settings, now qdisc.Time) error {
	n := s.Queues
	if n == 0 {
		n = 1
	}
	var errs qdisc.ConfigErrors
	if n < 0 || n > MaxQueues {
		errs.Add(s.Field, n, fmt.Sprintf("a device has 1 to %d hardware queues; 0 means 1", MaxQueues))
	}
	if s.Limit < 0 {
		errs.Add("Limit", s.Limit, "a limit in packets is 0 or more")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	list := make([]queue, n)
	for i := copy(list, q.list); i < n; i++ {
		c, err := q.hang(nil, &s)
		if err != nil {
			return err
		}
		list[i].Child = c
	}
	if err := q.Attend(s.Drops, s.Sojourn); err != nil {
		return err
	}
	now = q.Clock(now)
	for i := n; i < len(q.list); i++ {
		q.list[i].Detach(now)
	}
	if q.list == nil {
		q.next = 1
	} else if q.next > uint32(n) {
		q.next = 0
	}
	q.list, q.settings = list, s
	q.active, q.wait, q.wake = newBitmap(n), newWaitlist(n), qdisc.Never
	for i := range list {
		list[i].active = false
		q.settle(uint32(i))
	}
	return nil
}

// hang attaches child, or a new leaf if it is nil; which queue holds it is the
// caller's to say.
func (q *Queues) hang(child qdisc.Qdisc, s *Settings) (c qdisc.Child, err error) {
	if child == nil {
		if child, err = s.Leaf(s.Limit); err != nil {
			return c, err
		}
	}
	err = c.Attach(&q.Base, child)
	return c, err
}

// Count returns the number of queues.
func Count(q *Queues) int { return len(q.list) }

// Child returns the discipline of a class, nil if there is no such class.
func (q *Queues) Child(class uint32) qdisc.Qdisc {
	if i := class - 1; i < uint32(len(q.list)) {
		return q.list[i].Qdisc
	}
	return nil
}

// SetChild puts child into a class, or a new leaf if it is nil, and purges
// what the present one holds. A stopped queue stays stopped.
func (q *Queues) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	i := class - 1
	if i >= uint32(len(q.list)) {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: fmt.Sprintf("the classes are 1 to %d", len(q.list))}
	}
	c, err := q.hang(child, &q.settings)
	if err != nil {
		return err
	}
	q.list[i].Detach(q.Clock(now))
	q.list[i].Child = c
	q.revive(i)
	return nil
}

// Sync brings a class up to date whose child was called, changed or reset
// directly. Unknown classes are ignored.
func (q *Queues) Sync(class uint32, now qdisc.Time) {
	q.Clock(now)
	if i := class - 1; i < uint32(len(q.list)) {
		q.revive(i)
	}
}

// Children ranges over the classes and their disciplines.
func (q *Queues) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for i := range q.list {
			if !yield(uint32(i)+1, q.list[i].Qdisc) {
				return
			}
		}
	}
}

// Classes ranges over the classes and the counters of their disciplines.
func (q *Queues) Classes() iter.Seq2[uint32, qdisc.ClassStats] {
	return func(yield func(uint32, qdisc.ClassStats) bool) {
		for i := range q.list {
			if !yield(uint32(i)+1, q.list[i].Stats()) {
				return
			}
		}
	}
}
