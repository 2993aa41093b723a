package qdisc

import "fmt"

// Child is a parent's hold on one child: the discipline and its Base. The
// zero value holds none. A parent's own Len and counters follow by
// themselves; what it derives from a child (which classes are active, say) it
// brings up to date after every call on the child, Peek included.
type Child struct {
	Qdisc
	base *Base
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
		why = "it has another drop list; the root's serves the whole tree, so create the child without one"
	}
	if why != "" {
		return &ConfigError{"Child", fmt.Sprintf("%T", q), why}
	}
	*c = Child{q, q.Common()}
	c.base.up = parent
	return nil
}

// Detach empties the child onto the tree's drop list and lets it go. It can
// then be attached elsewhere.
func (c *Child) Detach(now Time) {
	if c.Qdisc == nil {
		return
	}
	c.Reset(now)
	c.base.up, c.base.drops = nil, nil
	*c = Child{}
}

// Held returns the packets in the child, without a call through the interface.
func (c *Child) Held() int { return c.base.Len() }

// Due returns when to ask again a child that holds packets and gave none: later
// than now whatever it says, so that every nil is progress, and never Never.
func (c *Child) Due(now Time) Time { return min(max(c.ReadyAt(now), now+1), Blocked) }

// Stats returns the child's counters and fill.
func (c *Child) Stats() ClassStats {
	return ClassStats{Stats: c.base.ReadStats(), Len: c.base.Len(), Backlog: c.base.Backlog()}
}
