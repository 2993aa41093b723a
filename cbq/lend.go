package cbq

import (
	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
)

// Among the sleepers a class's own packets have the slot 2*index, a lender 2*index+1.

// engage notes that l has a borrower at a priority: it lends if it is within
// its limit; if not, it borrows itself, and sleeps until it is.
func (q *CBQ) engage(l *lender, pri uint8, now qdisc.Time) {
	bit := uint8(1) << pri
	if l.active&bit != 0 {
		return
	}
	if l.active == 0 {
		l.rest(now)
		if l.within = l.free || !l.over(now); !l.within {
			q.sleepers.Push(heap.Entry{Key: l.due(), Slot: 2*l.index + 1})
		}
	}
	l.active |= bit
	if l.within {
		q.rows.join(l.level, pri, l.row)
	} else {
		q.climb(l, pri, now)
	}
}

// climb lets the borrowers that l has at a priority borrow above it.
func (q *CBQ) climb(l *lender, pri uint8, now qdisc.Time) {
	if up := l.lender(); up != nil {
		l.joined |= 1 << pri
		up.borrowers[pri].join(l.slot)
		q.engage(up, pri, now)
	}
}

// disengage notes that l has no borrower at a priority any more, or must do
// without.
func (q *CBQ) disengage(l *lender, pri uint8) {
	bit := uint8(1) << pri
	if l.active&bit == 0 {
		return
	}
	l.active &^= bit
	switch {
	case l.within:
		q.rows.leave(l.level, pri, l.row)
	case l.active == 0:
		q.sleepers.Remove(2*l.index + 1)
	}
	if l.joined&bit != 0 {
		l.joined &^= bit
		q.unborrow(l.parent, l.slot, pri)
	}
}

// unborrow takes a slot out of the borrowers of l.
func (q *CBQ) unborrow(l *lender, slot uint32, pri uint8) {
	t := l.borrowers[pri]
	t.leave(slot)
	if t.empty() {
		q.disengage(l, pri)
	}
}

// exhaust takes a lender that has reached its limit out of its row, until it
// is within again.
func (q *CBQ) exhaust(l *lender, now qdisc.Time) {
	l.within = false
	l.overactions++
	q.sleepers.Push(heap.Entry{Key: l.due(), Slot: 2*l.index + 1})
	for pri := range uint8(numPriorities) {
		if l.active>>pri&1 != 0 {
			q.rows.leave(l.level, pri, l.row)
			if l.joined>>pri&1 == 0 {
				q.climb(l, pri, now)
			}
		}
	}
}

// start makes a class's packets ones to choose from.
func (q *CBQ) start(c *class, now qdisc.Time) {
	c.live = true
	c.rest(now)
	if c.within = !c.over(now); c.within {
		q.rows.join(0, c.pri, c.index)
		return
	}
	c.overactions++
	q.sleepers.Push(heap.Entry{Key: c.due(), Slot: 2 * c.index})
	q.borrow(c, now)
}

// borrow puts a class that is over its limit among the borrowers. It stays
// there until it is empty, also while it is within its limit: then it is found
// in row 0 before anybody looks there.
func (q *CBQ) borrow(c *class, now qdisc.Time) {
	if l := c.lender(); l != nil && !c.joined {
		c.joined = true
		l.borrowers[c.pri].join(c.slot)
		q.engage(l, c.pri, now)
	}
}

// stop takes a class out of all that is chosen from, whatever it holds.
func (q *CBQ) stop(c *class) {
	if !c.live {
		return
	}
	c.live = false
	if c.within {
		q.rows.leave(0, c.pri, c.index)
	} else {
		q.sleepers.Remove(2 * c.index)
	}
	if c.joined {
		c.joined = false
		q.unborrow(c.parent, c.slot, c.pri)
	}
}

// awaken lets everybody send or lend whose limit does.
func (q *CBQ) awaken(now qdisc.Time) {
	for !q.sleepers.Empty() && q.sleepers.First() <= uint64(now) {
		slot := q.sleepers.Top()
		if slot&1 == 0 {
			c := q.classes.at[slot/2]
			q.sleepers.Remove(slot)
			c.within = true
			q.rows.join(0, c.pri, c.index)
			continue
		}
		l := q.lenders.at[slot/2]
		if due := l.due(); due > uint64(now) { // it was charged while it slept
			q.sleepers.Update(heap.Entry{Key: due, Slot: slot})
			continue
		}
		q.sleepers.Remove(slot)
		l.within = true
		for pri := range uint8(numPriorities) {
			if l.active>>pri&1 != 0 {
				q.rows.join(l.level, pri, l.row)
			}
		}
	}
}

// refresh makes the first key among the sleepers right: a lender may have been
// charged while it slept.
func (q *CBQ) refresh(now qdisc.Time) {
	for !q.sleepers.Empty() && q.sleepers.Top()&1 != 0 {
		slot := q.sleepers.Top()
		due := max(q.lenders.at[slot/2].due(), uint64(now)+1)
		if due <= q.sleepers.First() {
			return
		}
		q.sleepers.Update(heap.Entry{Key: due, Slot: slot})
	}
}
