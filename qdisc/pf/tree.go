package pf

import (
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// Tree is the disciplines of an interface. Like them it is not safe for
// concurrent use.
type Tree struct {
	name      string
	root      qdisc.Qdisc
	scheduler qdisc.Parent
	byName    map[string]uint32
	queues    []QueueInfo
	warnings  []*Error
}

// QueueInfo is what became of a queue line.
type QueueInfo struct {
	Name    string
	Class   uint32     // of the scheduler, for Packet.Class
	Parent  uint32     // class above; 0: the interface
	Rate    qdisc.Rate // its bandwidth, percentages resolved; 0: of priq
	Default bool
}

// Interface returns the interface's name.
func (t *Tree) Interface() string { return t.name }

// Root returns what takes and gives the packets: a *Regulator, or the scheduler
// if there is none.
func (t *Tree) Root() qdisc.Qdisc { return t.root }

// Scheduler returns the *cbq.CBQ, *hfsc.HFSC or *priq.PRIQ, for statistics and
// changes. Whoever changes it while packets wait then tells the Regulator above
// it, by Sync of its class 1.
func (t *Tree) Scheduler() qdisc.Parent { return t.scheduler }

// Warnings returns what is unlikely to be meant, though it was built: queues of cbq
// that together ask for more than what is above them has, of which pfctl warns
// too, and what Options.Lenient left out.
func (t *Tree) Warnings() []*Error { return slices.Clone(t.warnings) }

// Class returns the class of a queue, for Packet.Class; 0, which the default
// queue takes, if there is no such queue.
func (t *Tree) Class(name string) uint32 { return t.byName[name] }

// Name returns the name of the queue with a class, "" if there is none.
func (t *Tree) Name(class uint32) string {
	if i := int64(class) - 1; i >= 0 && i < int64(len(t.queues)) {
		return t.queues[i].Name
	}
	return ""
}

// Queues returns all queues, in order of their lines and classes.
func (t *Tree) Queues() []QueueInfo { return slices.Clone(t.queues) }

// Queue returns the discipline that holds a queue's packets, nil if there is no
// such queue or, in hfsc, it has queues below it.
func (t *Tree) Queue(name string) qdisc.Qdisc {
	class, ok := t.byName[name]
	if !ok {
		return nil
	}
	for k, q := range t.scheduler.Children() {
		if k == class {
			return q
		}
	}
	return nil
}
