package cbq

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// class is a class as a queue: what holds and sends its own packets. One that
// has children is a lender besides, and then its own packets are a child of
// that among the others, with the rate that they leave.
type class struct {
	// What a packet asks for is three cache lines.
	meter
	child       qdisc.Child
	fifo        *fifo.FIFO // the child if it is one: called directly
	parent      *lender    // own if it has children
	cost        uint64     // of a byte, in turns
	index       uint32     // in CBQ.classes
	slot        uint32     // in parent.kids
	overactions uint64
	pri         uint8
	bounded     bool // its own packets do not borrow
	isolated    bool // its own packets are no use of the parent's
	live        bool // it holds packets to choose from
	within      bool // of a live one: it is within its limit and stands in row 0
	joined      bool // it has been over its limit since it is live, and stands among the parent's borrowers
	waiting     bool // its child holds packets and gave none

	borrows uint64
	own     *lender // nil: it has no children
	id      uint32
	cfg     ClassConfig
}

// lender is a class as what its children borrow from, and the root.
type lender struct {
	meter

	parent   *lender // nil: the root
	cost     uint64
	index    uint32 // in CBQ.lenders
	slot     uint32 // in parent.kids
	row      uint32 // slot in the row of its level
	level    uint8  // 1 and that of the highest child
	active   uint8  // the priorities at which it has borrowers
	joined   uint8  // those at which it stands among its parent's borrowers
	bounded  bool
	isolated bool
	within   bool // of an active one: it is within its limit, and stands in its level's row
	free     bool // it has no limit: the root, but for isolated classes

	borrowers [numPriorities]*turns // by slot in kids
	kids      index[kid]
	levels    []int      // how many children are lenders of level 1, 2 and so on
	given     qdisc.Rate // of all children
	taken     qdisc.Rate // of isolated classes below: it is not lent

	borrows     uint64
	overactions uint64
	class       *class // nil: the root
}

// kid is what stands at a slot of a lender: a class's own packets or a lender.
type kid struct {
	class  *class
	lender *lender
}

// lender returns whom c may borrow from, nil if it is bounded.
func (c *class) lender() *lender {
	if c.bounded {
		return nil
	}
	return c.parent
}

// above returns whose use of the link c's packets are, too; nil if it is isolated.
func (c *class) above() *lender {
	if c.isolated {
		return nil
	}
	return c.parent
}

// lender returns whom l's borrowers may borrow from besides, nil if it is bounded.
func (l *lender) lender() *lender {
	if l.bounded {
		return nil
	}
	return l.parent
}

// above returns what l is part of, nil if it is isolated.
func (l *lender) above() *lender {
	if l.isolated {
		return nil
	}
	return l.parent
}

// take takes a packet out of the class's queue, nil if it gives none.
func (c *class) take(now qdisc.Time) *qdisc.Packet {
	if c.fifo != nil {
		return c.fifo.Dequeue(now)
	}
	return c.child.Dequeue(now)
}

// hang attaches child, or a FIFO of its own if it is nil.
func (q *CBQ) hang(child qdisc.Qdisc) (c qdisc.Child, err error) {
	if child == nil {
		if child, err = fifo.New(fifo.Config{Limit: q.cfg.Limit}); err != nil {
			return c, err
		}
	}
	err = c.Attach(&q.Base, child)
	return c, err
}

// hold gives c an attached child in place of the one it has.
func (q *CBQ) hold(c *class, child qdisc.Child, now qdisc.Time) {
	c.child.Detach(now)
	c.child = child
	c.fifo, _ = child.Qdisc.(*fifo.FIFO)
	q.fifos[c.index] = c.fifo
}

// lookup returns the class of a number, nil if there is none.
func (q *CBQ) lookup(class uint32) *class {
	if uint(class) < uint(len(q.byID)) {
		return q.byID[class]
	}
	return nil
}

// put gives a child a slot.
func (l *lender) put(k kid) uint32 {
	slot := l.kids.put(k)
	for _, t := range l.borrowers {
		if t != nil {
			t.grow(len(l.kids.at))
		}
	}
	return slot
}

// pull takes a child out of its slot.
func (l *lender) pull(slot uint32) {
	l.kids.pull(slot)
	for _, t := range l.borrowers {
		if t != nil {
			t.drop(slot)
		}
	}
}
