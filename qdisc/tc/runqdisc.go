package tc

import (
	"errors"
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// runQdisc applies a qdisc command.
func (t *Tree) runQdisc(c command, rest []string, now qdisc.Time) error {
	k, w, err := c.cutKind(rest)
	if err != nil {
		return err
	}
	parent, err := t.parentOf(c)
	if err != nil {
		return err
	}
	old := t.at(parent, c.parent.minor)
	same := old != nil && (old.kind == k || k == nil) && (c.handle == 0 || c.handle == old.handle)
	switch {
	case c.verb == "add" && old != nil:
		return fmt.Errorf("qdisc add: %s %x: is there already; use replace or change", old.kind.name, old.handle)
	case c.verb == "change" && old == nil:
		return errors.New("qdisc change: there is nothing to change; use add")
	case c.verb == "change" && !same:
		return fmt.Errorf("qdisc change: %s %x: is there, which replace would take away", old.kind.name, old.handle)
	case c.verb == "del" && old == nil:
		return errors.New("qdisc del: there is nothing to delete; a tree starts empty")
	case c.verb == "del" && !same:
		return fmt.Errorf("qdisc del: it is %s %x: that is there", old.kind.name, old.handle)
	case c.verb == "del":
		return t.del(old, now)
	case same:
		return t.change(old, w, now)
	}
	return t.put(k, w, parent, c, now)
}

// change changes n, which may lose classes by that.
func (t *Tree) change(n *node, w *words, now qdisc.Time) error {
	if err := n.kind.change(n.q, w, t.options(n.parent), now); err != nil {
		return err
	}
	t.prune(n)
	n.sync(now)
	return nil
}

// prune forgets the disciplines of the classes of n that are gone.
func (t *Tree) prune(n *node) {
	for class := range n.below {
		t.pruneClass(n, class)
	}
}

// pruneClass forgets the discipline of a class of n if it is gone.
func (t *Tree) pruneClass(n *node, class uint32) {
	if below := n.below[class]; below != nil && n.q.(classful).Child(class) != below.q {
		t.remove(below)
	}
}

// del takes n away.
func (t *Tree) del(n *node, now qdisc.Time) error {
	if n.parent == nil {
		n.q.Reset(now)
	} else if err := n.parent.q.(classful).SetChild(n.class, nil, now); err != nil {
		return fmt.Errorf("%s: %w", n.place(), err)
	}
	t.remove(n)
	n.sync(now)
	return nil
}

// put builds a discipline and puts it in the place of what is there.
func (t *Tree) put(k *kind, w *words, parent *node, c command, now qdisc.Time) error {
	if taken := t.byHandle[c.handle]; taken != nil {
		return fmt.Errorf("handle %x: is that of a %s already", c.handle, taken.kind.name)
	}
	if k.rootOnly && parent != nil {
		return fmt.Errorf("parent %v: %s can only be the root", c.parent, k.name)
	}
	n := &node{kind: k, handle: c.handle, parent: parent, class: c.parent.minor, below: map[uint32]*node{}}
	if n.handle == 0 {
		if n.handle = t.newHandle(); n.handle == 0 {
			return errors.New("all handles from 8001: on are taken; name one")
		}
	}
	q, err := k.build(w, t.options(parent))
	if err != nil {
		return err
	}
	n.q = q
	old := t.at(parent, n.class)
	if parent != nil {
		if err := parent.q.(classful).SetChild(n.class, q, now); err != nil {
			return fmt.Errorf("parent %v: %w", c.parent, err)
		}
	} else if old != nil {
		old.q.Reset(now)
	}
	if old != nil {
		t.remove(old)
	}
	t.insert(n)
	n.sync(now)
	return nil
}

// options is what a discipline is built with: the drop list and the histogram
// are the root's.
func (t *Tree) options(parent *node) *Options {
	opt := t.opt
	if parent != nil {
		opt.Drops, opt.Sojourn = nil, nil
	}
	return &opt
}

// parentOf finds the parent that a command names, nil for the root.
func (t *Tree) parentOf(c command) (*node, error) {
	if c.root {
		return nil, nil
	}
	n := t.byHandle[c.parent.major]
	if n == nil {
		return nil, fmt.Errorf("parent %v: there is no discipline %x:", c.parent, c.parent.major)
	}
	if _, ok := n.q.(classful); !ok {
		return nil, fmt.Errorf("parent %v: a %s has no classes", c.parent, n.kind.name)
	}
	return n, nil
}
