package cbq

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// class is a class as a queue: what holds and sends its own packets. One that
// has children is a lender besides, and then its own packets are a child of
// that among the others, with the rate that they leave.
type class struct {
	meter

	child  qdisc.Child
	fifo   *fifo.FIFO // the child if it is one: called directly
	lender *lender    // whom to borrow from; nil: it is bounded
	above  *lender    // whose use of the link its packets are, too; nil: it is isolated
	cost   uint64     // of a byte, in turns
	index  uint32     // in CBQ.classes
	slot   uint32     // in parent.kids
	pri    uint8

	live    bool // it holds packets to choose from
	within  bool // of a live one: it is within its limit and stands in row 0
	joined  bool // it has been over its limit since it is live, and stands among the lender's borrowers
	waiting bool // its child holds packets and gave none

	counts
	parent *lender // own if it has children
	own    *lender // nil: it has no children
	id     uint32

	*cold
}

// cold is what no packet asks for. Without it a class is four cache lines.
type cold struct{ cfg ClassConfig }

// lender is a class as what its children borrow from, and the root.
type lender struct {
	meter

	lender *lender // whom its borrowers may borrow from besides; nil: it is bounded
	above  *lender // what it is part of; nil: it is isolated
	cost   uint64
	index  uint32 // in CBQ.lenders
	slot   uint32 // in parent.kids
	level  uint8  // 1 and that of the highest child
	active uint8  // the priorities at which it has borrowers
	joined uint8  // those at which it stands among its lender's borrowers
	within bool   // of an active one: it is within its limit, and stands in its level's row
	free   bool   // it has no limit: the root, but for isolated classes

	borrowers [numPriorities]*turns // by slot in kids
	kids      index[kid]
	given     qdisc.Rate // of all children
	taken     qdisc.Rate // of isolated classes below: it is not lent

	counts
	parent *lender // nil: the root
	class  *class  // nil: the root
}

// kid is what stands at a slot of a lender: a class's own packets or a lender.
type kid struct {
	class  *class
	lender *lender
}

// counts are what a class reports besides what its queue counts.
type counts struct{ borrows, overactions uint64 }

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
