package tc

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// runClass applies a class command.
func (t *Tree) runClass(c command, rest []string, now qdisc.Time) error {
	k, w, err := c.cutKind(rest)
	if err != nil {
		return err
	}
	n := t.byHandle[c.class.major]
	if n == nil {
		return fmt.Errorf("classid %v: there is no discipline %x:", c.class, c.class.major)
	}
	if k != nil && k != n.kind {
		return fmt.Errorf("classid %v: %x: is a %s, not a %s", c.class, n.handle, n.kind.name, k.name)
	}
	g := n.kind.classes
	if g == nil {
		return fmt.Errorf("class %s: a %s has no classes but those it starts with", c.verb, n.kind.name)
	}
	there := g.has(n.q, c.class.minor)
	switch {
	case c.verb == "add" && there:
		return fmt.Errorf("class add: %v is there already; use replace or change", c.class)
	case (c.verb == "change" || c.verb == "del") && !there:
		return fmt.Errorf("class %s: there is no class %v", c.verb, c.class)
	case c.verb == "del":
		if err = g.remove(n.q, c.class.minor, now); err != nil {
			err = fmt.Errorf("class del: %w", err)
		}
	case there && c.parent.major == 0:
		err = g.change(n.q, c.class.minor, nil, w, now)
	case there:
		err = g.change(n.q, c.class.minor, &c.parent.minor, w, now)
	case c.parent.major == 0:
		return fmt.Errorf("class %s: parent is required: %x: or a class of it", c.verb, n.handle)
	default:
		err = g.add(n.q, c.class.minor, c.parent.minor, w, now)
	}
	if err != nil {
		return err
	}
	t.pruneClass(n, c.class.minor)
	t.pruneClass(n, c.parent.minor) // it may not have had classes below it before
	n.sync(now)
	return nil
}
