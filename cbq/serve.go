package cbq

import (
	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
)

// borrower returns the class whose turn it is to borrow from l. Lenders
// between the two are over their limits: one that is not would have been
// found at its own level.
func (l *lender) borrower(pri uint8) *class {
	for {
		k := &l.kids.at[l.borrowers[pri].heap.Top()]
		if k.lender == nil {
			return k.class
		}
		l = k.lender
	}
}

// sent counts p, which c sent within its own limit.
func (q *CBQ) sent(c *class, p *qdisc.Packet, now qdisc.Time) {
	t := &q.rows.at[0].turns[c.pri]
	t.pay(c.index, uint64(p.Len), c.cost)
	q.charge(c, uint64(p.Len), now)
	over := c.over(now)
	switch {
	case c.child.Held() == 0:
		q.stop(c)
	case over:
		q.rows.leave(0, c.pri, c.index)
		c.within = false
		c.overactions++
		q.sleepers.Push(heap.Entry{Key: c.due(), Slot: 2 * c.index})
		q.borrow(c, now)
	default:
		t.requeue(c.index)
	}
	if q.guideline == TopLevel {
		q.departed(c, 0, over)
	}
}

// lone returns the class that is alone in having come within its limit, if
// nobody else is. It is served where it sleeps, which saves two moves.
func (q *CBQ) lone(now qdisc.Time) *class {
	if slot := q.sleepers.Top(); slot&1 == 0 && q.guideline == Formal && q.rows.prios[0] == 0 && q.sleepers.Lone(uint64(now)) {
		return q.classes.at[slot/2]
	}
	return nil
}

// sentAlone is sent for a lone class.
func (q *CBQ) sentAlone(c *class, p *qdisc.Packet, now qdisc.Time) {
	q.rows.at[0].turns[c.pri].pay(c.index, uint64(p.Len), c.cost)
	q.charge(c, uint64(p.Len), now)
	switch {
	case c.child.Held() == 0:
		q.stop(c)
	case c.over(now):
		c.overactions++
		q.sleepers.Update(heap.Entry{Key: c.due(), Slot: 2 * c.index})
	default:
		q.sleepers.Remove(2 * c.index)
		c.within = true
		q.rows.join(0, c.pri, c.index)
	}
}

// charge counts n bytes that c sends within its limit to it and to all that it
// is part of.
func (q *CBQ) charge(c *class, n uint64, now qdisc.Time) {
	onLink := float64(n) * q.linkByte
	c.charge(n, now, now-q.catchUp)
	c.sample(float64(n), onLink, now)
	q.use(c.above(), n, onLink, now)
}

// use counts n bytes to l and to all that it is part of.
func (q *CBQ) use(l *lender, n uint64, onLink float64, now qdisc.Time) {
	for ; l != nil && !l.free; l = l.above() {
		l.charge(n, now, now-q.catchUp)
		l.sample(float64(n), onLink, now)
		if l.active != 0 && l.within && l.over(now) {
			q.exhaust(l, now)
		}
	}
}

// sentBorrowed counts p, which c sent within the limit of l. It is charged to
// l and what that is part of alone, so that nobody between loses by borrowing.
func (q *CBQ) sentBorrowed(c *class, l *lender, p *qdisc.Packet, now qdisc.Time) {
	n := uint64(p.Len)
	onLink := float64(n) * q.linkByte
	c.borrows++
	c.sample(float64(n), onLink, now)
	t := c.parent.borrowers[c.pri]
	t.pay(c.slot, n, c.cost)
	t.requeue(c.slot)
	for m := c.parent; m != l; m = m.parent {
		m.borrows++
		m.sample(float64(n), onLink, now)
		t := m.parent.borrowers[c.pri]
		t.pay(m.slot, n, m.cost)
		t.requeue(m.slot)
	}
	t = &q.rows.at[l.level].turns[c.pri]
	t.pay(l.row, n, l.cost)
	q.use(l, n, onLink, now)
	spent := !l.within
	if !spent {
		t.requeue(l.row)
	}
	if c.child.Held() == 0 {
		q.stop(c)
	}
	if q.guideline == TopLevel {
		q.departed(c, l.level, spent)
	}
}
