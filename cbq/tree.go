package cbq

import (
	"github.com/netsched/netsched/qdisc"
)

// AddClass makes a class, with a number from 1 to MaxClass. Packets may wait
// meanwhile, also in its parent.
func (q *CBQ) AddClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	switch {
	case class == 0 || class > MaxClass:
		errs.Add("Class", class, "a class number is 1 to 1048575")
	case q.lookup(class) != nil:
		errs.Add("Class", class, "there is such a class already; use ChangeClass")
	}
	parent := q.lookup(cfg.Parent)
	if cfg.Parent != 0 && parent == nil {
		errs.Add("Parent", cfg.Parent, "there is no such class; add it first")
	}
	cfg.check(&errs)
	q.checkDepth(parent, &errs)
	if err := errs.Err(); err != nil {
		return err
	}
	child, err := q.hang(cfg.Child)
	if err != nil {
		return err
	}
	now = q.Clock(now)
	p := &q.root
	if parent != nil {
		if p = parent.own; p == nil {
			p = q.becomeLender(parent)
		}
	}
	q.suspend(p)
	c := q.make(class, p, cfg)
	q.hold(c, child, now)
	p.give(cfg.Rate, 0)
	p.take(cfg.takes(), 0)
	q.tune(c, now)
	c.restart()
	q.resume(p, now)
	q.setCatchUp()
	return nil
}

// checkDepth refuses a tree of too many levels.
func (q *CBQ) checkDepth(parent *class, errs *qdisc.ConfigErrors) {
	if parent == nil {
		return
	}
	depth := 1
	for l := parent.place(); l.parent != nil; l = l.parent {
		depth++
	}
	if depth >= maxLevel {
		errs.Add("Parent", parent.id, "a tree has 63 levels of classes at most")
	}
}

// make makes a class without a child discipline below p.
func (q *CBQ) make(id uint32, p *lender, cfg ClassConfig) *class {
	c := &class{id: id, parent: p, cfg: cfg}
	if int(id) >= len(q.byID) {
		q.byID = append(q.byID, make([]*class, int(id)+1-len(q.byID))...)
	}
	q.byID[id] = c
	c.index = q.classes.put(c)
	if int(c.index) == len(q.fifos) {
		q.fifos = append(q.fifos, nil)
	}
	c.slot = p.put(kid{class: c})
	return c
}

// RemoveClass removes a class that has no children and purges its packets.
func (q *CBQ) RemoveClass(class uint32, now qdisc.Time) error {
	c := q.lookup(class)
	switch {
	case c == nil:
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	case c.own != nil:
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "it has children; remove them first"}
	}
	now = q.Clock(now)
	q.rouseOne(c)
	q.stop(c)
	c.child.Detach(now)
	p := c.parent
	q.suspend(p)
	p.give(0, c.cfg.Rate)
	p.take(0, c.cfg.takes())
	p.pull(c.slot)
	q.byID[class] = nil
	q.classes.pull(c.index)
	q.fifos[c.index] = nil
	q.rows.drop(0, c.index)
	if left := p.class; left != nil && p.kids.len() == 1 { // its own packets
		p = p.parent
		q.becomeLeaf(left)
		q.tune(left, now)
		q.resume(p, now)
		q.revive(left, now)
	} else {
		q.resume(p, now)
	}
	q.setCatchUp()
	return nil
}

// SetChild puts child, which must be empty, into a class and purges what the
// present one holds. A nil child is a FIFO of Config.Limit packets.
func (q *CBQ) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	c := q.lookup(class)
	if c == nil {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	}
	to, err := q.hang(child)
	if err != nil {
		return err
	}
	now = q.Clock(now)
	q.rouseOne(c)
	q.stop(c)
	q.Forget()
	q.hold(c, to, now)
	c.cfg.Child = child
	return nil
}

// Child returns the discipline of a class, nil if there is no such class.
func (q *CBQ) Child(class uint32) qdisc.Qdisc {
	if c := q.lookup(class); c != nil {
		return c.child.Qdisc
	}
	return nil
}

// Class returns a class's configuration. Child is nil while it is the class's
// own FIFO.
func (q *CBQ) Class(class uint32) (cfg ClassConfig, ok bool) {
	c := q.lookup(class)
	if c == nil {
		return cfg, false
	}
	cfg = c.cfg
	if cfg.EWMA != nil {
		cfg.EWMA = new(*cfg.EWMA) // the caller may change its own
	}
	return cfg, true
}

// Sync brings the scheduler up to date after a class's child was called,
// changed or reset directly. Unknown classes are ignored.
func (q *CBQ) Sync(class uint32, now qdisc.Time) {
	now = q.Clock(now)
	if c := q.lookup(class); c != nil {
		q.settle(c, now)
	}
}
