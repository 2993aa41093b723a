package tc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// Build builds the tree that a list of tc commands describes, a line each:
//
//	tc qdisc add dev eth0 root handle 1: tbf rate 10mbit burst 5kb latency 50ms
//	tc qdisc add dev eth0 parent 1:1 handle 10: prio bands 3
//
// The word tc may be left out and the device may have any name. Empty lines and
// those that start with # are passed over. See [Tree.Run] for the commands. As
// in the kernel, limit and latency of a tbf are those of its default queue: a
// child that takes its place has limits of its own.
func Build(script string, opt Options) (*Tree, error) {
	opt, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	t := &Tree{opt: opt}
	for i, line := range strings.Split(script, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := t.Run(line, 0); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if len(t.nodes) == 0 {
		return nil, errors.New("no discipline; add one with: qdisc add dev NAME root KIND")
	}
	return t, nil
}

// Run applies one command to the tree. Packets may be waiting: those of a
// discipline that is changed stay, those of one that is replaced go to the drop
// list.
//
//   - qdisc add fails where a discipline was added before.
//   - qdisc change changes the one that is there.
//   - qdisc replace changes it if kind and handle are the same, and else puts a
//     new one in its place.
//
// When Run returns an error it has changed nothing.
func (t *Tree) Run(line string, now qdisc.Time) error {
	c, rest, err := parseCommand(strings.Fields(line))
	if err != nil {
		return err
	}
	if t.dev != "" && c.dev != t.dev {
		return fmt.Errorf("dev %q: this tree is that of device %q", c.dev, t.dev)
	}
	k, w, err := cutKind(rest)
	if err != nil {
		return err
	}
	parent, err := t.parentOf(c)
	if err != nil {
		return err
	}
	old := t.at(parent, c.parent.minor)
	same := old != nil && old.kind == k && (c.handle == 0 || c.handle == old.handle)
	switch {
	case c.verb == "add" && old != nil:
		return fmt.Errorf("qdisc add: %s %x: is there already; use replace or change", old.kind.name, old.handle)
	case c.verb == "change" && old == nil:
		return errors.New("qdisc change: there is nothing to change; use add")
	case c.verb == "change" && !same:
		return fmt.Errorf("qdisc change: %s %x: is there, which replace would take away", old.kind.name, old.handle)
	case same:
		err = t.change(old, w, now)
	default:
		err = t.put(k, w, parent, c, now)
	}
	if err == nil {
		t.dev = c.dev
	}
	return err
}

// change changes n, which may lose classes by that.
func (t *Tree) change(n *node, w *words, now qdisc.Time) error {
	if err := n.kind.change(n.q, w, t.options(n.parent), now); err != nil {
		return err
	}
	for _, below := range slices.Clone(t.nodes) {
		if below.parent == n && n.q.(classful).Child(below.class) != below.q {
			t.remove(below)
		}
	}
	n.sync(now)
	return nil
}

// put builds a discipline and puts it in the place of what is there.
func (t *Tree) put(k *kind, w *words, parent *node, c command, now qdisc.Time) error {
	if taken := t.find(c.handle); taken != nil {
		return fmt.Errorf("handle %x: is that of a %s already", c.handle, taken.kind.name)
	}
	if k.rootOnly && parent != nil {
		return fmt.Errorf("parent %x:%x: %s can only be the root", parent.handle, c.parent.minor, k.name)
	}
	n := &node{kind: k, handle: c.handle, parent: parent, class: c.parent.minor}
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
			return fmt.Errorf("parent %x:%x: %w", parent.handle, n.class, err)
		}
	} else if old != nil {
		old.q.Reset(now)
	}
	if old != nil {
		t.remove(old)
	}
	t.nodes = append(t.nodes, n)
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
	n := t.find(c.parent.major)
	if n == nil {
		return nil, fmt.Errorf("parent %x:%x: there is no discipline %x:", c.parent.major, c.parent.minor, c.parent.major)
	}
	if _, ok := n.q.(classful); !ok {
		return nil, fmt.Errorf("parent %x:%x: a %s has no classes", c.parent.major, c.parent.minor, n.kind.name)
	}
	return n, nil
}
