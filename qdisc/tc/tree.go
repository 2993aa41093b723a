package tc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// Tree is the disciplines of one device, built by tc commands, each with its
// handle. Build makes one. The disciplines that classes start with have none and are not
// listed, as in tc. Like the disciplines it is not safe for concurrent use.
type Tree struct {
	opt      Options
	dev      string
	nodes    []*node // a parent before what is below it
	byHandle map[uint32]*node
	free     uint32 // no handle from 8001: to below it is free
}

type node struct {
	kind   *kind
	q      qdisc.Qdisc
	handle uint32
	parent *node // nil: the root
	class  uint32
	below  map[uint32]*node // what commands put into its classes
	gone   bool
}

// classful is what a command needs of a discipline that has classes.
type classful interface {
	qdisc.Parent
	Child(class uint32) qdisc.Qdisc
	SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error
}

// Root returns the discipline at the root, nil after it was deleted.
func (t *Tree) Root() qdisc.Qdisc {
	if len(t.nodes) == 0 {
		return nil
	}
	return t.nodes[0].q
}

// Find returns the discipline with a handle such as "10:", nil if there is
// none.
func (t *Tree) Find(handle string) qdisc.Qdisc {
	h, err := parseHandle(handle)
	if err != nil {
		return nil
	}
	if n := t.byHandle[h]; n != nil {
		return n.q
	}
	return nil
}

// at returns the discipline that a command put at a place, nil if none did.
func (t *Tree) at(parent *node, class uint32) *node {
	switch {
	case parent != nil:
		return parent.below[class]
	case len(t.nodes) > 0:
		return t.nodes[0]
	}
	return nil
}

// insert notes n at its place, which is free.
func (t *Tree) insert(n *node) {
	if t.byHandle == nil {
		t.byHandle = map[uint32]*node{}
	}
	t.nodes = append(t.nodes, n)
	t.byHandle[n.handle] = n
	if n.parent != nil {
		n.parent.below[n.class] = n
	}
}

// remove forgets n and everything below it.
func (t *Tree) remove(n *node) {
	if n.parent != nil {
		delete(n.parent.below, n.class)
	}
	t.forget(n)
	t.nodes = slices.DeleteFunc(t.nodes, func(m *node) bool { return m.gone })
}

func (t *Tree) forget(n *node) {
	n.gone = true
	delete(t.byHandle, n.handle)
	t.free = min(t.free, n.handle)
	for _, below := range n.below {
		t.forget(below)
	}
}

// sync tells all above n that it was changed directly.
func (n *node) sync(now qdisc.Time) {
	for ; n.parent != nil; n = n.parent {
		n.parent.q.(classful).Sync(n.class, now)
	}
}

// newHandle finds a free handle from 8001: on, as the kernel does; 0 if there
// is none.
func (t *Tree) newHandle() uint32 {
	for t.free = max(t.free, 0x8001); t.free <= maxHandle; t.free++ {
		if t.byHandle[t.free] == nil {
			return t.free
		}
	}
	return 0
}

func (n *node) classID(class uint32) classID { return classID{n.handle, class} }

func (n *node) place() string {
	if n.parent == nil {
		return "root"
	}
	return "parent " + n.parent.classID(n.class).String()
}

func (n *node) String() string {
	k, options := describe(n.q)
	return strings.TrimSuffix(fmt.Sprintf("qdisc %s %x: %s %s", k.name, n.handle, n.place(), options), " ")
}

// Show lists the disciplines as "tc qdisc show" does: kind, handle, place and
// options of each. The device's name and the reference count are left out.
func (t *Tree) Show() string { return t.list(func(*node) string { return "" }) }

// ShowStats is Show with the counters of each, as "tc -s qdisc show" does.
func (t *Tree) ShowStats() string {
	return t.list(func(n *node) string { return ShowStats(n.q) + "\n" })
}

func (t *Tree) list(more func(*node) string) string {
	var b strings.Builder
	for _, n := range t.nodes {
		b.WriteString(n.String() + "\n" + more(n))
	}
	return b.String()
}

// JSON lists the counters of the disciplines as "tc -s -j qdisc show" does.
func (t *Tree) JSON() ([]byte, error) {
	list := make([]Report, 0, len(t.nodes))
	for _, n := range t.nodes {
		r := report(n.q)
		r.Handle = fmt.Sprintf("%x:", n.handle)
		if n.parent == nil {
			r.Root = true
		} else {
			r.Parent = n.parent.classID(n.class).String()
		}
		list = append(list, r)
	}
	return json.Marshal(list)
}
