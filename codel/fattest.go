package codel

import "github.com/netsched/netsched/internal/heap"

// fattest finds the flow with the most bytes, the first of equals, in time
// logarithmic in the number of flows. A queue that never overflows does not
// pay for it: it is kept only for a while after each use.
type fattest struct {
	flows heap.Tournament
	left  int // changes until it is given up; 0: not kept
}

func newFattest(flows int) (t fattest) {
	t.flows.Grow(flows)
	return t
}

// key orders by backlog, then by index from the lowest. Packets of no length
// count too: a flow that holds some comes before an empty one.
func (f *flow) key() uint64 {
	key := uint64(f.backlog)<<17 | uint64(^f.index)
	if !f.list.Empty() {
		key |= 1 << 16
	}
	return key
}

// set brings the tournament up to date with f.
func (t *fattest) set(f *flow) { t.flows.Set(uint32(f.index), f.key()) }

// kept tells whether the tournament is up to date and must be kept so.
func (t *fattest) kept() bool { return t.left > 0 }

// changed is set for a tournament that is kept, and brings its end nearer.
func (t *fattest) changed(f *flow) {
	t.left--
	t.set(f)
}

// winner returns the fattest flow. grown, if not nil, has grown since it was
// set; if that made it the fattest, setting it can wait until it has shrunk.
func (t *fattest) winner(flows []flow, grown *flow) *flow {
	kept := t.kept()
	t.left = 8 * len(flows) // longer than it takes to build
	switch {
	case !kept:
		for i := range flows {
			t.set(&flows[i])
		}
	case grown == nil:
	case grown.key() > t.flows.Largest():
		return grown
	default:
		t.set(grown)
	}
	return &flows[^uint16(t.flows.Largest())]
}
