package qdisctest

import "github.com/netsched/netsched/qdisc"

// Sync tells every parent between node and root, innermost first, that node
// was called, changed or reset directly. It returns false if node is not in
// the tree.
func Sync(root, node qdisc.Qdisc, now qdisc.Time) bool {
	if root == node {
		return true
	}
	parent, ok := root.(qdisc.Parent)
	if !ok {
		return false
	}
	for class, child := range parent.Children() {
		if Sync(child, node, now) {
			parent.Sync(class, now)
			return true
		}
	}
	return false
}

// Nodes appends the disciplines of the tree to dst, the root first.
func Nodes(dst []qdisc.Qdisc, root qdisc.Qdisc) []qdisc.Qdisc {
	dst = append(dst, root)
	if parent, ok := root.(qdisc.Parent); ok {
		for _, child := range parent.Children() {
			dst = Nodes(dst, child)
		}
	}
	return dst
}

// Wake wakes every blocked Chaos of the tree and syncs its parents. It tells
// whether there was any.
func Wake(root qdisc.Qdisc, now qdisc.Time) bool {
	any := false
	for _, q := range Nodes(nil, root) {
		if c, ok := q.(*Chaos); ok && c.blocked {
			c.Wake()
			Sync(root, c, now)
			any = true
		}
	}
	return any
}
