package tbf

import (
	"iter"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// Class is the number of the only child.
const Class = 1

// Sync tells the filter that the child was called, changed or reset directly:
// it looks for the head anew. Other classes than 1 are ignored.
func (t *TBF) Sync(class uint32, now qdisc.Time) {
	if class == Class {
		t.Clock(now)
		t.Forget()
	}
}

// Children ranges over the one class and its discipline.
func (t *TBF) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) { yield(Class, t.child.Qdisc) }
}

// Child returns the discipline of class 1, nil for any other number.
func (t *TBF) Child(class uint32) qdisc.Qdisc {
	if class == Class {
		return t.child.Qdisc
	}
	return nil
}

// SetChild replaces the child by q, which must be empty and nobody's child;
// nil: a byte FIFO of the present LimitBytes, or of DefaultLimitBytes. The old
// child's packets are purged; a parked packet has left it and stays. The error,
// upon which nothing changed, is a *qdisc.ConfigError.
func (t *TBF) SetChild(class uint32, q qdisc.Qdisc, now qdisc.Time) error {
	if class != Class {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "the filter has one class, 1"}
	}
	return t.adopt(q, t.Clock(now))
}

// adopt attaches q, or a new default FIFO, and lets the old child go.
func (t *TBF) adopt(q qdisc.Qdisc, now qdisc.Time) error {
	own, bytes := q, (*int64)(nil)
	if q == nil {
		bytes = limit(t.cfg.LimitBytes)
		f, err := fifo.New(fifo.Config{LimitBytes: bytes})
		if err != nil {
			return err
		}
		q = f
	}
	var child qdisc.Child
	if err := child.Attach(&t.Base, q); err != nil {
		return err
	}
	t.child.Detach(now)
	t.child = child
	t.fifo, _ = q.(*fifo.FIFO)
	t.cfg.Child, t.cfg.LimitBytes = own, bytes
	t.Forget()
	return nil
}
