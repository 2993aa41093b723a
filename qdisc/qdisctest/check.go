package qdisctest

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// Check walks the tree below q and returns the first identity that does not
// hold, with the path to the discipline, or nil: counters that went below zero,
// losses against their reasons, Len and Backlog against the children's, the
// parked packet, one drop list in the whole tree, and ReadyAt being Never just
// when nothing is held. (The identities of [qdisc.Stats] hold by construction;
// a Ledger knows whether the counters are true.) Sync is due before it where a
// child was called directly. It changes nothing.
func Check(q qdisc.Qdisc) error {
	var c checker
	return c.tree(q, true)
}

// checker walks one tree.
type checker struct {
	root   *qdisc.Base
	seen   []*qdisc.Base
	synced bool
	drops  [qdisc.NumReasons]uint64 // what the tree's disciplines lost, summed
}

func (c *checker) tree(q qdisc.Qdisc, synced bool) error {
	*c = checker{root: q.Common(), seen: c.seen[:0], synced: synced}
	return c.node(q, place{q: q})
}

// place is a path, made into text only when something is wrong.
type place struct {
	up    *place
	class uint32
	q     qdisc.Qdisc
}

func (p *place) String() string {
	if p.up == nil {
		return fmt.Sprintf("%T", p.q)
	}
	return fmt.Sprintf("%v, class %d: %T", p.up, p.class, p.q)
}

func (c *checker) node(q qdisc.Qdisc, at place) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%v: %s", &at, fmt.Sprintf(format, args...))
	}
	b := q.Common()
	if b == nil || b != q.Common() {
		return fail("Common() must be the same pointer for life, not nil")
	}
	for _, other := range c.seen {
		if b == other {
			return fail("the discipline stands in the tree twice")
		}
	}
	c.seen = append(c.seen, b)
	if b.DropList() != c.root.DropList() {
		return fail("its drop list is not the root's")
	}
	if err := c.fill(q, b); err != nil {
		return fail("%v", err)
	}
	s := b.ReadStats()
	if err := c.counters(&s); err != nil {
		return fail("%v", err)
	}
	if p, ok := q.(qdisc.Parent); ok {
		return c.children(p, &at)
	}
	if n := sum(&s.Drops); s.Lost() != n {
		return fail("Refused + Dropped + Purged = %d, but Drops sum to %d", s.Lost(), n)
	}
	return nil
}

func (c *checker) fill(q qdisc.Qdisc, b *qdisc.Base) error {
	n, bytes := q.Len(), q.Backlog()
	switch {
	case n != b.Len() || bytes != b.Backlog():
		return fmt.Errorf("Len %d and Backlog %d differ from its Base's, %d and %d", n, bytes, b.Len(), b.Backlog())
	case n < 0 || bytes < 0 || n == 0 && bytes != 0:
		return fmt.Errorf("Len %d with Backlog %d", n, bytes)
	}
	if p := b.Parked(); p != nil {
		switch {
		case !p.Linked():
			return fmt.Errorf("the parked packet is not marked as linked")
		case n < 1 || bytes < int64(p.Len):
			return fmt.Errorf("Len %d and Backlog %d leave out the parked packet of %d bytes", n, bytes, p.Len)
		}
	}
	if t := q.ReadyAt(0); c.synced && (t == qdisc.Never) != (n == 0) {
		return fmt.Errorf("ReadyAt(0) = %v with Len %d", t, n)
	}
	return nil
}

func (c *checker) counters(s *qdisc.Stats) error {
	for _, n := range [...]uint64{s.Received, s.Split, s.Queued, s.Refused, s.Dequeued, s.SentBytes, s.Dropped, s.Purged} {
		if n > 1<<62 {
			return fmt.Errorf("a counter went below zero: %+v", *s)
		}
	}
	switch {
	case s.Drops[qdisc.NotDropped] != 0:
		return fmt.Errorf("%d packets were lost without a reason", s.Drops[qdisc.NotDropped])
	case s.Lost() < sum(&s.Drops):
		return fmt.Errorf("Refused + Dropped + Purged = %d, less than its own Drops %d", s.Lost(), sum(&s.Drops))
	}
	for r, n := range s.Drops {
		c.drops[r] += n
	}
	return nil
}

func (c *checker) children(p qdisc.Parent, at *place) error {
	n, bytes := 0, int64(0)
	if parked := p.Common().Parked(); parked != nil {
		n, bytes = 1, int64(parked.Len)
	}
	for class, child := range p.Children() {
		here := place{at, class, child}
		if child == nil {
			return fmt.Errorf("%v, class %d: the child is nil", at, class)
		}
		if err := c.node(child, here); err != nil {
			return err
		}
		n += child.Len()
		bytes += child.Backlog()
	}
	if n != p.Len() || bytes != p.Backlog() {
		return fmt.Errorf("%v: Len %d and Backlog %d, but the parked packet and the children hold %d and %d",
			at, p.Len(), p.Backlog(), n, bytes)
	}
	return nil
}

func sum(drops *[qdisc.NumReasons]uint64) uint64 {
	n := uint64(0)
	for _, d := range drops {
		n += d
	}
	return n
}
