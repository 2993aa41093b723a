package cake

import "github.com/netsched/netsched/qdisc"

// longest finds the queue with the most bytes of all tins: a heap. Who never
// overflows does not pay for it: it is kept only for a while after each use.
type longest struct {
	heap  []uint64 // backlog << 16 | id, the longest at 0
	place []uint16 // of each id in heap
	left  int      // packets to be sent until it is given up; 0: not kept
	linux bool
}

// keptFor is how many packets the heap is kept.
const keptFor = 65535

func newLongest(linux bool) longest {
	h := longest{heap: make([]uint64, maxTins*numQueues), place: make([]uint16, maxTins*numQueues), linux: linux}
	for i := range h.heap {
		h.heap[i], h.place[i] = uint64(i), uint16(i)
	}
	return h
}

// id numbers the queues of all tins: those of equal index are neighbours.
func (c *Cake) id(t *tin, i uint16) uint16 { return i*maxTins + t.index }

func (h *longest) backlog(at int) uint64 { return h.heap[at] >> 16 }

func (h *longest) set(id uint16, backlog uint64) (at int) {
	at = int(h.place[id])
	h.heap[at] = min(backlog, 1<<48-1)<<16 | uint64(id)
	return at
}

func (h *longest) swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.place[uint16(h.heap[i])], h.place[uint16(h.heap[j])] = uint16(i), uint16(j)
}

// shorter moves queue i of t, which has lost bytes, down in the heap.
//
//go:noinline
func (c *Cake) shorter(t *tin, i uint16) {
	h := &c.longest
	h.down(h.set(c.id(t, i), t.queue[i].backlog))
}

// longer moves one that has got bytes up.
//
//go:noinline
func (c *Cake) longer(t *tin, i uint16) {
	c.longest.up(c.longest.set(c.id(t, i), t.queue[i].backlog))
}

func (h *longest) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if h.backlog(i) <= h.backlog(parent) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

// down moves an entry to where none below it is longer. Linux goes on comparing
// with the longest that it has seen, so that it stops too early, and what then
// stands first is often not the longest.
func (h *longest) down(i int) {
	most := h.backlog(i)
	for {
		longer := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.heap); child++ {
			if b := h.backlog(child); b > most {
				longer, most = child, b
			}
		}
		if longer == i {
			return
		}
		h.swap(i, longer)
		i = longer
		if !h.linux {
			most = h.backlog(i)
		}
	}
}

// rank makes the heap anew.
func (c *Cake) rank() {
	h := &c.longest
	for i := range c.tins {
		t := &c.tins[i]
		for j := range uint16(numQueues) {
			backlog := uint64(0)
			if t.queues != nil {
				backlog = t.queue[j].backlog
			}
			h.set(c.id(t, j), backlog)
		}
	}
	for i := len(h.heap) / 2; i >= 0; i-- {
		h.down(i)
	}
}

// victim returns the queue that must make room, nil if all are empty. That is
// the heap's first, unless it shows that at most packets of no length are held.
// Then any will do, and from is where to go on looking for one; it is below 0
// at first.
func (c *Cake) victim(from *int) (*tin, uint16) {
	h := &c.longest
	for *from < 0 {
		ranked := h.left == 0
		if ranked {
			c.rank()
		}
		h.left = keptFor
		id := uint16(h.heap[0])
		if t, i := &c.tins[id%maxTins], id/maxTins; t.queues != nil && !t.queue[i].list.Empty() {
			return t, i
		}
		h.left = 0
		if ranked {
			*from = 0
		}
	}
	for ; *from < maxTins*numQueues; *from++ {
		t, i := &c.tins[*from/numQueues], uint16(*from%numQueues)
		if t.queues != nil && !t.queue[i].list.Empty() {
			return t, i
		}
	}
	return nil, 0
}

// makeRoom drops from the longest queue until the memory limit holds. Queue
// arrived of at took a packet.
//
//go:noinline
func (c *Cake) makeRoom(at *tin, arrived uint16, now qdisc.Time) qdisc.Verdict {
	v, from := qdisc.Queued, -1
	for c.memory > c.memoryLimit {
		t, i := c.victim(&from)
		if t == nil {
			break
		}
		q := &t.queue[i]
		if t.law.full(q, now) {
			t.unresponsive++
		}
		p := c.pop(t, i)
		q.dropped++
		t.dropped++
		c.lose(t, p, now)
		c.Drop(p, qdisc.HeadDrop)
		if t == at && i == arrived {
			v = qdisc.Congested
		}
	}
	return v
}
