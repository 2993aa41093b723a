package qdisc

// Child is a parent's hold on one child: the discipline, its Base, and the
// fill it had when last looked at. The zero value holds none.
type Child struct {
	Qdisc
	base    *Base
	len     int
	backlog int64
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
		return &ConfigError{"Child", q, why}
	}
	q.Common().up = parent
	*c = Child{Qdisc: q, base: q.Common()}
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

// Settle makes the parent's fill follow the child's. It is idempotent, and
// due after every call on the child.
func (c *Child) Settle(parent *Base) {
	b := c.base
	parent.len += b.len - c.len
	parent.backlog += b.backlog - c.backlog
	c.len, c.backlog = b.len, b.backlog
}

// Offer enqueues p into the child, counts it for the parent unless the child
// refused it, and settles.
func (c *Child) Offer(parent *Base, p *Packet, now Time) Verdict {
	v := c.Enqueue(p, now)
	if v != Dropped {
		parent.stats.Queued++
	}
	c.Settle(parent)
	return v
}

// Held returns the packets in the child when it was last settled.
func (c *Child) Held() int { return c.len }

// Stats returns the child's counters and fill.
func (c *Child) Stats() ClassStats {
	return ClassStats{Stats: c.base.stats, Len: c.base.len, Backlog: c.base.backlog}
}
