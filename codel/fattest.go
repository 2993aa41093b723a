package codel

// fattest finds the flow with the most bytes, the first of equals, in time
// logarithmic in the number of flows: a tournament in which each node holds
// the larger key of the two below it. A queue that never overflows
// does not pay for it: it is kept only for a while after each use.
type fattest struct {
	nodes []uint64 // root at 1; the flows' keys from len/2
	left  int      // changes until it is given up; 0: not kept
}

func newFattest(flows int) fattest {
	leaves := 1
	for leaves < flows {
		leaves *= 2
	}
	return fattest{nodes: make([]uint64, 2*leaves)}
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
func (t *fattest) set(f *flow) {
	i, key := len(t.nodes)/2+int(f.index), f.key()
	t.nodes[i] = key
	for i > 1 {
		key = max(key, t.nodes[i^1])
		i /= 2
		if t.nodes[i] == key {
			return
		}
		t.nodes[i] = key
	}
}

// kept tells whether the tournament is up to date and must be kept so.
func (t *fattest) kept() bool { return t.left > 0 }

// changed is set while the tournament is kept.
func (t *fattest) changed(f *flow) {
	t.left--
	t.set(f)
}

// winner returns the index of the fattest flow.
func (t *fattest) winner(flows []flow) int {
	if !t.kept() {
		leaves := len(t.nodes) / 2
		for i := range flows {
			t.nodes[leaves+i] = flows[i].key()
		}
		for i := leaves - 1; i > 0; i-- {
			t.nodes[i] = max(t.nodes[2*i], t.nodes[2*i+1])
		}
	}
	t.left = 4 * len(t.nodes) // longer than it took to build
	return int(^uint16(t.nodes[1]))
}
