package priq

import (
	"iter"

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
	q.place(class, uint8(cfg.Priority), band{Child: child, class: class, own: cfg.Child == nil})
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
	if cfg.Child != nil && cfg.Child.Common() != q.bands[b].Common() {
		errs.Add("Child", "another discipline", "ChangeClass keeps the child; use SetChild")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	q.Clock(now)
	moved := q.bands[b]
	q.clear(b)
	q.place(class, uint8(cfg.Priority), moved)
	return nil
}

// RemoveClass removes a class and purges its packets.
func (q *PRIQ) RemoveClass(class uint32, now qdisc.Time) error {
	b := q.find(class)
	if b == none {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	}
	q.bands[b].Detach(q.Clock(now))
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
	q.bands[b].Detach(q.Clock(now))
	q.clear(b)
	q.place(class, b, band{Child: c, class: class, own: child == nil})
	return nil
}

// checkPriority tells whether class may have a priority.
func (q *PRIQ) checkPriority(class uint32, priority int, errs *qdisc.ConfigErrors) {
	switch {
	case priority < 0 || priority > MaxPriority:
		errs.Add("Priority", priority, "a priority is 0 to 15")
	case q.bands[priority].class != 0 && q.bands[priority].class != class:
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

// place puts a class at a priority that is free.
func (q *PRIQ) place(class uint32, priority uint8, b band) {
	q.bands[priority] = b
	q.at[class-1] = priority
	q.fallback = q.find(q.cfg.Default)
	q.settle(priority)
}

// clear empties band b, whose class has gone elsewhere.
func (q *PRIQ) clear(b uint8) {
	q.bands[b] = band{}
	q.visible &^= 1 << b
	q.waiting &^= 1 << b
}

// Child returns the discipline of a class, nil if there is no such class.
func (q *PRIQ) Child(class uint32) qdisc.Qdisc {
	if b := q.find(class); b != none {
		return q.bands[b].Qdisc
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
	cfg.Priority = int(b)
	if !q.bands[b].own {
		cfg.Child = q.bands[b].Qdisc
	}
	return cfg, true
}

// Sync brings the scheduler up to date after a class's child was called,
// changed or reset directly. Unknown classes are ignored.
func (q *PRIQ) Sync(class uint32, now qdisc.Time) {
	q.Clock(now)
	if b := q.find(class); b != none {
		q.waiting &^= 1 << b
		q.settle(b)
	}
}

// Children ranges over the classes and their disciplines.
func (q *PRIQ) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for class := uint32(1); class <= MaxClass; class++ {
			if b := q.find(class); b != none && !yield(class, q.bands[b].Qdisc) {
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
			if b := q.find(class); b != none && !yield(class, q.bands[b].Stats()) {
				return
			}
		}
	}
}
