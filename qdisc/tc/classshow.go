package tc

import (
	"fmt"
	"iter"
	"strings"
)

// ShowClasses lists the classes as "tc class show" does: kind, number, place,
// the discipline that a command put into the class, and options of each. The
// disciplines come in the order of Show, the classes of each in that of their
// numbers; a kind whose classes are made by commands lists itself as the first.
func (t *Tree) ShowClasses() string { return t.listClasses(false) }

// ShowClassStats is ShowClasses with the counters of each, as "tc -s class
// show" does.
func (t *Tree) ShowClassStats() string { return t.listClasses(true) }

func (t *Tree) listClasses(stats bool) string {
	var b strings.Builder
	for _, n := range t.nodes {
		for row := range n.rows() {
			b.WriteString(t.classLine(n, &row) + "\n")
			if stats {
				r := reportOf(row.stats)
				r.own = row.own
				b.WriteString(r.lines() + "\n")
			}
		}
	}
	return b.String()
}

// rows ranges over the classes of n.
func (n *node) rows() iter.Seq[classRow] {
	if n.kind.classes != nil {
		return n.kind.classes.rows(n.q)
	}
	return func(yield func(classRow) bool) {
		q, ok := n.q.(classful)
		if !ok {
			return
		}
		for id, child := range q.Children() {
			if !yield(classRow{id: id, stats: statsOf(child)}) {
				return
			}
		}
	}
}

func (t *Tree) classLine(n *node, row *classRow) string {
	place := "parent " + n.classID(row.parent).String()
	if row.id == 0 || n.kind.rootOnly { // what is for the root alone stands for the device
		place = "root"
	}
	if leaf := t.at(n, row.id); leaf != nil {
		place += fmt.Sprintf(" leaf %x:", leaf.handle)
	}
	return strings.TrimSuffix(fmt.Sprintf("class %s %v %s %s", n.kind.name, n.classID(row.id), place, row.options), " ")
}
