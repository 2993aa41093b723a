package hfsc

import "github.com/netsched/netsched/qdisc"

// ClassConfig describes a class. It needs a RealTime or a LinkShare curve, and
// with children a LinkShare curve: a class that gets its first child and has
// none takes its RealTime curve for it.
type ClassConfig struct {
	// Parent is the class above; 0: the root. It cannot be changed later. A
	// parent's own packets are purged when it gets its first child.
	Parent uint32
	// RealTime is the service that a leaf is guaranteed, whatever its
	// siblings do and the limits say. A class with children does not use it.
	RealTime Curve
	// LinkShare says, relative to the siblings', how the class shares in what
	// its parent has. Without it a class gets its RealTime only.
	LinkShare Curve
	// UpperLimit bounds what the class gets by link sharing. Real-time
	// service counts towards it, and is not held back by it.
	UpperLimit Curve
	// Child is the discipline that holds a leaf's packets: empty, with no
	// drop list of its own. nil: a FIFO of Config.Limit packets. ChangeClass
	// takes nil or the present child; SetChild sets another.
	Child qdisc.Qdisc
}

// AddClass makes a class, with a number from 1 to MaxClass. Packets may wait
// meanwhile; those of a parent that was a leaf are purged.
func (h *HFSC) AddClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	switch {
	case class == 0 || class > MaxClass:
		errs.Add("Class", class, "a class number is 1 to 1048575")
	case h.lookup(class) != nil:
		errs.Add("Class", class, "there is such a class already; use ChangeClass")
	}
	parent := &h.root
	if cfg.Parent != 0 {
		if parent = h.lookup(cfg.Parent); parent == nil {
			errs.Add("Parent", cfg.Parent, "there is no such class; add it first")
		}
	}
	h.checkCurves(&cfg, true, &errs)
	if err := errs.Err(); err != nil {
		return err
	}
	child, err := h.hang(cfg.Child)
	if err != nil {
		return err
	}
	now = h.Clock(now)
	if parent.kids == nil {
		h.becomeInner(parent, now)
	}
	h.hold(h.make(class, parent, cfg), child, now)
	return nil
}

// becomeInner makes a leaf ready to have children.
func (h *HFSC) becomeInner(c *class, now qdisc.Time) {
	h.quiet(c, now)
	c.kids, c.past = c.past, nil
	if c.kids == nil {
		c.kids = new(siblings)
	}
	h.hold(c, qdisc.Child{}, now)
	c.cfg.Child = nil
	if !c.shares {
		c.cfg.LinkShare = c.cfg.RealTime
		h.setCurves(c)
		c.virtual.begin(&h.scale, &c.ls, c.vt, c.total)
	}
}

// quiet takes a leaf out of all that is chosen from, whatever it holds.
func (h *HFSC) quiet(c *class, now qdisc.Time) {
	if c.waiting {
		h.waiting.Remove(c.index)
		c.waiting = false
	}
	h.deactivate(c, h.scale.ticks(now))
	h.Forget()
}

// make makes a class without a child discipline below parent.
func (h *HFSC) make(id uint32, parent *class, cfg ClassConfig) *class {
	c := &class{parent: parent, cold: &cold{id: id, cfg: cfg}}
	if int(id) >= len(h.byID) {
		h.byID = append(h.byID, make([]*class, int(id)+1-len(h.byID))...)
	}
	h.byID[id] = c
	c.index = fill(&h.classes, &h.free)
	h.eligible.grow(len(h.classes))
	h.waiting.Grow(len(h.classes))
	s := parent.kids
	c.slot = fill(&s.list, &s.free)
	s.grow(len(s.list))
	s.n++
	h.setCurves(c)
	h.restart(c)
	return c
}

// fill returns a free place of the list, perhaps a new one at its end.
func fill(list *[]place, free *[]uint32) uint32 {
	if n := len(*free); n > 0 {
		i := (*free)[n-1]
		*free = (*free)[:n-1]
		return i
	}
	*list = append(*list, place{})
	return uint32(len(*list) - 1)
}

// RemoveClass removes a class that has no children and purges its packets. Its
// parent, if that was the last child, is a leaf again, with a new FIFO.
func (h *HFSC) RemoveClass(class uint32, now qdisc.Time) error {
	c := h.lookup(class)
	switch {
	case c == nil:
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class"}
	case c.kids != nil:
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "it has children; remove them first"}
	}
	p := c.parent
	last := p.kids.n == 1 && p != &h.root
	var queue qdisc.Child
	if last {
		var err error
		if queue, err = h.hang(nil); err != nil {
			return err
		}
	}
	now = h.Clock(now)
	h.quiet(c, now)
	h.hold(c, qdisc.Child{}, now)
	p.kids.largest() // nothing is noted of a slot that another class may get
	h.byID[class], h.classes[c.index], p.kids.list[c.slot] = nil, place{}, place{}
	h.free = append(h.free, c.index)
	p.kids.free = append(p.kids.free, c.slot)
	p.kids.n--
	if last {
		p.past, p.kids = p.kids, nil
		h.hold(p, queue, now)
	}
	return nil
}

// SetChild puts child, which must be empty, into a leaf and purges what the
// present one holds. A nil child is a FIFO of Config.Limit packets.
func (h *HFSC) SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error {
	c := h.leaf(class)
	if c == nil {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class, or it has children"}
	}
	q, err := h.hang(child)
	if err != nil {
		return err
	}
	now = h.Clock(now)
	h.quiet(c, now)
	h.hold(c, q, now)
	c.cfg.Child = child
	return nil
}

// Child returns the discipline of a leaf, nil for any other class.
func (h *HFSC) Child(class uint32) qdisc.Qdisc {
	if c := h.leaf(class); c != nil {
		return c.child.Qdisc
	}
	return nil
}

// Class returns a class's configuration. Child is nil while it is the class's
// own FIFO or the class has children, and LinkShare is set where RealTime took its place.
func (h *HFSC) Class(class uint32) (cfg ClassConfig, ok bool) {
	if c := h.lookup(class); c != nil {
		return c.cfg, true
	}
	return cfg, false
}

// Sync brings the scheduler up to date after a class's child was called,
// changed or reset directly. Unknown classes are ignored.
func (h *HFSC) Sync(class uint32, now qdisc.Time) {
	now = h.Clock(now)
	if c := h.leaf(class); c != nil {
		h.settle(c, now)
	}
}
