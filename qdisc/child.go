package qdisc

import "fmt"

// Child is a parent's hold on one child: the discipline, its Base, and the
// counters it had when last looked at. The zero value holds none.
type Child struct {
	Qdisc
	base    *Base
	seen    uint64 // the sum of packets in, packets out and losses: it grows with each
	in, out flow
	losses  uint64
	lost    losses
}

// Attach makes q, which must be empty and nobody's child, a child of parent.
// Its dropped packets then go to the list of the tree's root.
func (c *Child) Attach(parent *Base, q Qdisc) error {
	why := ""
	switch {
	case q == nil || q.Common() == nil:
		return &ConfigError{"Child", nil, "a class needs a discipline"}
	case q.Common().up != nil:
		why = "it has a parent already"
	case q.Common() == parent.root():
		why = "a discipline cannot be its own descendant"
	case q.Len() != 0:
		why = "it holds packets; attach it empty"
	case q.Common().drops != nil && q.Common().drops != parent.root().drops:
		why = "it has another drop list; the root's serves the whole tree"
	}
	if why != "" {
		return &ConfigError{"Child", fmt.Sprintf("%T", q), why}
	}
	b := q.Common()
	b.up = parent
	*c = Child{Qdisc: q, base: b, in: b.in, out: b.out, losses: b.losses, lost: b.lost}
	c.seen = b.in.packets + b.out.packets + b.losses
	return nil
}

// Detach empties the child onto the tree's drop list and lets it go. It can
// then be attached elsewhere.
func (c *Child) Detach(parent *Base, now Time) {
	if c.Qdisc == nil {
		return
	}
	c.Reset(now)
	c.Settle(parent)
	c.base.up = nil
	*c = Child{}
}

// Settle makes the parent's fill and counters follow the child's. It is
// idempotent, and due after every call on the child.
func (c *Child) Settle(parent *Base) {
	if b := c.base; b.in.packets+b.out.packets+b.losses != c.seen {
		c.settle(parent)
	}
}

func (c *Child) settle(parent *Base) {
	b := c.base
	if b.in.packets != c.in.packets {
		parent.in.add(&b.in, &c.in)
		c.in = b.in
	}
	if b.out.packets != c.out.packets {
		parent.out.add(&b.out, &c.out)
		c.out = b.out
	}
	if b.losses != c.losses {
		parent.lost.add(&b.lost, &c.lost)
		parent.losses += b.losses - c.losses
		c.lost, c.losses = b.lost, b.losses
	}
	c.seen = b.in.packets + b.out.packets + b.losses
}

// Offer enqueues p into the child and settles.
func (c *Child) Offer(parent *Base, p *Packet, now Time) Verdict {
	v := c.Enqueue(p, now)
	c.Settle(parent)
	return v
}

// add adds what changed from old to new.
func (f *flow) add(new, old *flow) {
	f.packets += new.packets - old.packets
	f.bytes += new.bytes - old.bytes
}

// Held returns the packets in the child when it was last settled.
func (c *Child) Held() int { return int(c.in.packets - c.out.packets) }

// Stats returns the child's counters and fill.
func (c *Child) Stats() ClassStats {
	return ClassStats{Stats: c.base.ReadStats(), Len: c.base.Len(), Backlog: c.base.Backlog()}
}
