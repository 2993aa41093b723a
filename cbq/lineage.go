package cbq

import "github.com/netsched/netsched/qdisc"

// A change of the tree moves lenders between levels and gives them other
// limits. While it is made, the class and all above it are out of everything
// that is chosen from: suspend and resume.

// place returns the lender below which the class as a whole stands.
func (c *class) place() *lender {
	if c.own != nil {
		return c.own.parent
	}
	return c.parent
}

// suspend takes l, all above it and these classes' own packets out.
func (q *CBQ) suspend(l *lender) {
	q.Forget()
	for ; l != nil; l = l.parent {
		if l.class != nil {
			q.stop(l.class)
		}
		for pri := range uint8(numPriorities) {
			q.disengage(l, pri)
		}
	}
}

// resume puts l and all above it back, at their new levels and with their new
// limits.
func (q *CBQ) resume(l *lender, now qdisc.Time) {
	for m := l; m != nil; m = m.parent {
		q.restack(m)
		if m.class != nil {
			q.tune(m.class, now)
		} else {
			q.tuneRoot(now)
		}
	}
	q.grow()
	for ; l != nil; l = l.parent {
		for pri := range uint8(numPriorities) {
			if t := l.borrowers[pri]; t != nil && !t.empty() {
				q.engage(l, pri, now)
			}
		}
		if l.class != nil {
			q.revive(l.class, now)
		}
	}
}

// grow makes room for all that may have to be held.
func (q *CBQ) grow() {
	classes, lenders := len(q.classes.at), len(q.lenders.at)
	q.sleepers.Grow(2 * max(classes, lenders))
	q.waiting.Grow(classes)
	q.rows.grow(q.prios, classes)
}

// restack puts l at the level that follows from its children's.
func (q *CBQ) restack(l *lender) {
	level := uint8(len(l.levels)) + 1
	if level == l.level {
		return
	}
	q.rows.remove(l)
	if l.parent != nil {
		l.parent.count(l.level, -1)
		l.parent.count(level, 1)
	}
	l.level = level
	q.rows.add(l)
}

// count notes that l has one lender of a level more or less as a child.
func (l *lender) count(level uint8, more int) {
	for len(l.levels) < int(level) {
		l.levels = append(l.levels, 0)
	}
	l.levels[level-1] += more
	for n := len(l.levels); n > 0 && l.levels[n-1] == 0; n-- {
		l.levels = l.levels[:n-1]
	}
}

// becomeLender makes a class ready to have children. Its own packets become
// the first of them.
func (q *CBQ) becomeLender(c *class) *lender {
	q.stop(c)
	l := &lender{parent: c.parent, class: c, slot: c.slot, level: 1, meter: c.meter}
	l.index = q.lenders.put(l)
	q.rows.add(l)
	l.parent.count(l.level, 1)
	l.parent.kids.at[l.slot] = kid{lender: l}
	c.own, c.parent = l, l
	c.slot = l.put(kid{class: c})
	return l
}

// becomeLeaf makes a class, which has no children any more, a queue and no
// more.
func (q *CBQ) becomeLeaf(c *class) {
	l := c.own
	c.own, c.parent, c.slot = nil, l.parent, l.slot
	c.parent.kids.at[c.slot] = kid{class: c}
	q.lenders.pull(l.index)
	q.rows.remove(l)
	c.parent.count(l.level, -1)
	c.meter = l.meter
	c.borrows, c.overactions = c.borrows+l.borrows, c.overactions+l.overactions
}

// give notes that the rate of a child of l was and is.
func (l *lender) give(now, before qdisc.Rate) { l.given += now - before }

// take notes what a class below l, or below one below it, takes of the rate
// that l could lend, and what it took before.
func (l *lender) take(now, before qdisc.Rate) {
	for ; l != nil; l = l.parent {
		l.taken += now - before
		if l.class != nil && l.class.cfg.Isolated {
			return
		}
	}
}

// takes is what a class without children takes of the rate of those above.
func (cfg *ClassConfig) takes() qdisc.Rate {
	if cfg.Isolated {
		return cfg.Rate
	}
	return 0
}

// takes is what c with a configuration takes, with all below it.
func (c *class) takes(cfg *ClassConfig) qdisc.Rate {
	if !cfg.Isolated && c.own != nil {
		return c.own.taken
	}
	return cfg.takes()
}
