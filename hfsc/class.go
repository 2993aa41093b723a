package hfsc

import (
	"slices"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// class is a leaf or an inner node of the tree, and the root. What a service
// touches stands together, in the order in which it is touched.
type class struct {
	// Link sharing.
	parent  *class    // nil: the root
	kids    *siblings // nil: a leaf
	total   uint64    // bytes served, by either criterion
	vt      uint64    // virtual time, in ticks
	vtadj   uint64    // what lifted vt above the virtual curve in this period
	order   uint64    // insertion number of vt
	slot    uint32    // among the parent's children
	nactive uint32    // active children; of a leaf 1 while it is active
	fits    bool      // its fit time has come: it stands in the parent's ready
	live    bool      // a leaf that packets can be taken from
	waiting bool      // a leaf whose child holds packets and gave none
	due     bool      // it stands among the eligible leaves that are ready

	touched bool // its vt has changed since the largest was asked for

	real, shares, limited bool // which curves are given

	virtual runtime

	// The leaf's packets.
	child qdisc.Child
	fifo  *fifo.FIFO // the child if it is one: called directly
	work  [2]Work    // by criterion

	deadline runtime // of real time
	limit    runtime // of the upper limit

	cumul  uint64 // bytes served by real time
	e, d   uint64 // eligible time and deadline of the head, in ticks
	eorder uint64 // insertion number of e
	fit    uint64 // when total may be exceeded, in ticks; 0: no limit
	slack  uint64 // ticks that fit may lag behind
	index  uint32 // in HFSC.classes

	*cold
}

// cold is what no packet of a class that stays backlogged asks for.
type cold struct {
	rt, ls, ul           curve
	period, parentPeriod uint32    // times it became active; of the parent, then
	past                 *siblings // of a leaf that had children
	cfg                  ClassConfig
	id                   uint32 // class number
	level                int    // height when it was last measured
}

// place is where a class can be found, with what choosing it asks for: whether
// it is a leaf, and the queue to take from. The class itself may not be in the
// processor's cache, and is not waited for.
type place struct {
	*class
	kids *siblings
	fifo *fifo.FIFO
}

// peek returns the leaf's head, nil if the child gives none now.
func (c *class) peek(now qdisc.Time) *qdisc.Packet {
	if c.fifo != nil {
		return c.fifo.Peek(now)
	}
	return c.child.Peek(now)
}

// held returns the packets in the leaf.
func (c *class) held() int { return c.child.Held() }

// hang attaches child, or a FIFO of its own if it is nil.
func (h *HFSC) hang(child qdisc.Qdisc) (c qdisc.Child, err error) {
	if child == nil {
		if child, err = fifo.New(fifo.Config{Limit: h.cfg.Limit}); err != nil {
			return c, err
		}
	}
	err = c.Attach(&h.Base, child)
	return c, err
}

// hold gives c an attached child in place of the one it has.
func (h *HFSC) hold(c *class, child qdisc.Child, now qdisc.Time) {
	c.child.Detach(now)
	c.child = child
	c.fifo, _ = child.Qdisc.(*fifo.FIFO)
	h.note(c)
}

// note updates the places of c.
func (h *HFSC) note(c *class) {
	at := place{c, c.kids, c.fifo}
	h.classes[c.index] = at
	c.parent.kids.list[c.slot] = at
}

// lookup returns the class of a number, nil if there is none.
func (h *HFSC) lookup(class uint32) *class {
	if uint(class) < uint(len(h.byID)) {
		return h.byID[class]
	}
	return nil
}

// leaf returns the class of a number if it is a leaf.
func (h *HFSC) leaf(class uint32) *class {
	if c := h.lookup(class); c != nil && c.kids == nil {
		return c
	}
	return nil
}

// levels returns c, then its children, then theirs, and so on.
func (c *class) levels() [][]*class {
	var all [][]*class
	for level := []*class{c}; level != nil; {
		all = append(all, level)
		var next []*class
		for _, n := range level {
			next = slices.AppendSeq(next, n.kids.all())
		}
		level = next
	}
	return all
}
