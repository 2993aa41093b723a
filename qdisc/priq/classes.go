package priq

import (
	"iter"

	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// ClassConfig describes a class.
type ClassConfig struct {
	// Priority is 0 to MaxPriority, which is served first. No two classes have
	// the same.
	Priority int
	// Child is the discipline that holds the class's packets: empty, with no
	// drop list of its own. nil: a FIFO of Config.Limit packets. ChangeClass
	// takes nil or the present child; SetChild sets another.
	Child qdisc.Qdisc
}

// AddClass makes a class, with a number from 1 to MaxClass.
func (q *PRIQ) AddClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	switch {
	case class-1 >= MaxClass:
		errs.Add("Class", class, "a class number is 1 to 16")
	case q.find(class) != none:
		errs.Add("Class", class, "there is such a class already; use ChangeClass")
	}
	q.checkPriority(class, cfg.Priority, &errs)
	if err := errs.Err(); err != nil {
		return err
	}
	child, err := q.hang(cfg.Child)
	if err != nil {
		return err
	}
	q.Clock(now)
	q.place(band(cfg.Priority), child, occupant{class, cfg.Child == nil})
	return nil
}

// ChangeClass sets a class's configuration. Its packets stay.
func (q *PRIQ) ChangeClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	b := q.find(class)
	if b == none {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	}
	var errs qdisc.ConfigErrors
	q.checkPriority(class, cfg.Priority, &errs)
	if cfg.Child != nil && cfg.Child.Common() != q.child(b).Common() {
		errs.Add("Child", "another discipline", "ChangeClass keeps the child; use SetChild")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	q.Clock(now)
	child, o := *q.child(b), q.held[b]
	q.clear(b)
	q.place(band(cfg.Priority), child, o)
	return nil
}

// RemoveClass removes a class and purges its packets.
func (q *PRIQ) RemoveClass(class uint32, now qdisc.Time) error {
	b := q.find(class)
	if b == none {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	}
	q.child(b).Detach(q.Clock(now))
	q.clear(b)
	q.at[class-1] = none
	q.fallback = q.find(q.cfg.Default)
	return nil
}

// SetChild puts child, which must be empty, into a class and purges what the
// present one holds. A nil child is a FIFO of Config.Limit packets.
func (q *PRIQ) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	b := q.find(class)
	if b == none {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	}
	c, err := q.hang(child)
	if err != nil {
		return err
	}
	q.child(b).Detach(q.Clock(now))
	q.place(b, c, occupant{class, child == nil})
	return nil
}

// checkPriority tells whether class may have a priority.
func (q *PRIQ) checkPriority(class uint32, priority int, errs *qdisc.ConfigErrors) {
	if priority < 0 || priority > MaxPriority {
		errs.Add("Priority", priority, "a priority is 0 to 15")
	} else if c := q.held[band(priority)].class; c != 0 && c != class {
		errs.Add("Priority", priority, "another class has it; each has one of its own")
	}
}

// hang attaches child, or a FIFO of its own if it is nil, to q.
func (q *PRIQ) hang(child qdisc.Qdisc) (c qdisc.Child, err error) {
	if child == nil {
		if child, err = fifo.New(fifo.Config{Limit: q.cfg.Limit}); err != nil {
			return c, err
		}
	}
	err = c.Attach(&q.Base, child)
	return c, err
}

// place puts a class into a band.
func (q *PRIQ) place(b uint32, c qdisc.Child, o occupant) {
	q.held[b] = o
	q.at[o.class-1] = b
	q.fallback = q.find(q.cfg.Default)
	bands.Put(&q.strict, b, c)
}

// clear empties band b, whose class has gone elsewhere.
func (q *PRIQ) clear(b uint32) {
	q.held[b] = occupant{}
	bands.Put(&q.strict, b, qdisc.Child{})
}

// child returns the child of band b.
func (q *PRIQ) child(b uint32) *qdisc.Child { return bands.Child(&q.strict, b) }

// Child returns the discipline of a class, nil if there is no such class.
func (q *PRIQ) Child(class uint32) qdisc.Qdisc {
	if b := q.find(class); b != none {
		return q.child(b).Qdisc
	}
	return nil
}

// Class returns a class's configuration. Child is nil while it is the class's
// own FIFO.
func (q *PRIQ) Class(class uint32) (cfg ClassConfig, ok bool) {
	b := q.find(class)
	if b == none {
		return cfg, false
	}
	cfg.Priority = MaxPriority - int(b)
	if !q.held[b].own {
		cfg.Child = q.child(b).Qdisc
	}
	return cfg, true
}

// Sync brings the scheduler up to date after a class's child was called,
// changed or reset directly. Unknown classes are ignored.
func (q *PRIQ) Sync(class uint32, now qdisc.Time) {
	q.Clock(now)
	if b := q.find(class); b != none {
		bands.Sync(&q.strict, b)
	}
}

// Children ranges over the classes and their disciplines.
func (q *PRIQ) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for class := uint32(1); class <= MaxClass; class++ {
			if b := q.find(class); b != none && !yield(class, q.child(b).Qdisc) {
				return
			}
		}
	}
}

// Classes ranges over the classes and the counters of their disciplines, in
// order of their numbers.
func (q *PRIQ) Classes() iter.Seq2[uint32, qdisc.ClassStats] {
	return func(yield func(uint32, qdisc.ClassStats) bool) {
		for class := uint32(1); class <= MaxClass; class++ {
			if b := q.find(class); b != none && !yield(class, q.child(b).Stats()) {
				return
			}
		}
	}
}
