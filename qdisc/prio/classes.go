package prio

import (
	"fmt"
	"iter"

	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// Child returns the discipline of a class, nil if there is no such class.
func (q *Prio) Child(class uint32) qdisc.Qdisc {
	if class-1 < q.n {
		return bands.Child(&q.strict, class-1).Qdisc
	}
	return nil
}

// SetChild puts child, which must be empty, into a class and purges what the
// present one holds. A nil child is a FIFO of Config.Limit.
func (q *Prio) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	if class-1 >= q.n {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: fmt.Sprintf("the classes are 1 to %d", q.n)}
	}
	c, err := q.hang(child, q.limit)
	if err != nil {
		return err
	}
	bands.Child(&q.strict, class-1).Detach(q.Clock(now))
	bands.Put(&q.strict, class-1, c)
	return nil
}

// hang attaches child, or a FIFO of limit packets if it is nil, to q; which
// band holds it is the caller's to say.
func (q *Prio) hang(child qdisc.Qdisc, limit int) (c qdisc.Child, err error) {
	if child == nil {
		if child, err = fifo.New(fifo.Config{Limit: &limit}); err != nil {
			return c, err
		}
	}
	err = c.Attach(&q.Base, child)
	return c, err
}

// Sync brings the Prio up to date after a class's child was called, changed or
// reset directly. Unknown classes are ignored.
func (q *Prio) Sync(class uint32, now qdisc.Time) {
	q.Clock(now)
	if b := class - 1; b < q.n {
		bands.Sync(&q.strict, b)
	}
}

// Children ranges over the classes and their disciplines.
func (q *Prio) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for b := range q.n {
			if !yield(b+1, bands.Child(&q.strict, b).Qdisc) {
				return
			}
		}
	}
}

// Classes ranges over the classes and the counters of their disciplines.
func (q *Prio) Classes() iter.Seq2[uint32, qdisc.ClassStats] {
	return func(yield func(uint32, qdisc.ClassStats) bool) {
		for b := range q.n {
			if !yield(b+1, bands.Child(&q.strict, b).Stats()) {
				return
			}
		}
	}
}
