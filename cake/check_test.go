package cake

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// check recounts everything that is kept twice, and returns what differs.
func (c *Cake) check() error {
	var memory, backlog, packets int64
	for i := range c.tins {
		t := &c.tins[i]
		if t.queues == nil {
			continue
		}
		n, bytes, charges, err := t.check(c)
		if err != nil {
			return fmt.Errorf("tin %d: %w", i, err)
		}
		packets, backlog, memory = packets+n, backlog+bytes, memory+charges
	}
	if p := c.Parked(); p != nil {
		packets, backlog = packets+1, backlog+int64(p.Len)
	}
	switch {
	case packets != int64(c.Len()) || backlog != c.Backlog():
		return fmt.Errorf("%d packets of %d bytes in the queues, Len %d, Backlog %d", packets, backlog, c.Len(), c.Backlog())
	case memory != c.memory:
		return fmt.Errorf("memory is %d, not %d", c.memory, memory)
	case memory > c.memoryMost:
		return fmt.Errorf("memory is %d, the most %d", memory, c.memoryMost)
	}
	return c.checkHeap()
}

func (t *tin) check(c *Cake) (packets, bytes, charges int64, err error) {
	fail := func(format string, args ...any) { err = fmt.Errorf(format, args...) }
	var ring [numQueues]int // 1 + the ring that each stands in
	for r := range numRings {
		last := uint16(none)
		for i, f := range t.each(r) {
			if ring[i] != 0 || last != none && f.prev != last {
				fail("queue %d stands in two rings, or in one wrongly", i)
				return
			}
			ring[i], last = r+1, i
		}
		if h := t.head[r]; h != none && t.turn[h].prev != last {
			fail("ring %d does not close", r)
		}
	}
	var states [decaying + 1]uint32
	var src, dst [numQueues]uint16
	unresponsive := uint32(0)
	for i := range t.queue {
		q, f := &t.queue[i], &t.turn[i]
		states[f.state]++
		if f.state == bulk {
			src[f.src]++
			dst[f.dst]++
		}
		if q.blue != 0 {
			unresponsive++
		}
		n := uint64(0)
		for p := range q.list.All() {
			n += uint64(p.Len)
			packets++
			charges += p.Charge()
		}
		bytes += int64(n)
		switch {
		case n != q.backlog:
			fail("queue %d has %d bytes, not %d", i, n, q.backlog)
		case (f.state == idle) != (ring[i] == 0):
			fail("queue %d in state %d stands in ring %d", i, f.state, ring[i]-1)
		case f.state != idle && c.isolation != Flowblind && !t.flows.Has(t.hash[i], i):
			fail("queue %d is for hash %#x, and flows does not say so", i, t.hash[i])
		case !q.list.Empty() && (f.state == idle || f.state == decaying || ring[i]-1 == decayRing):
			fail("queue %d has packets, in state %d and ring %d", i, f.state, ring[i]-1)
		}
	}
	switch {
	case bytes != t.backlog:
		fail("%d bytes, not %d", bytes, t.backlog)
	case states[sparse]+states[waiting] != t.sparse || states[bulk] != t.bulk || states[decaying] != t.decaying:
		fail("states %v; counted %d sparse, %d bulk, %d decaying", states, t.sparse, t.bulk, t.decaying)
	case unresponsive != t.unresponsive:
		fail("%d flows are unresponsive, not %d", unresponsive, t.unresponsive)
	case c.linux: // a change of isolation leaves counts behind
	case c.bySrc && src != t.src.bulk || c.byDst && dst != t.dst.bulk:
		fail("a host has another number of bulk flows")
	}
	return
}

func (c *Cake) checkHeap() error {
	h := &c.longest
	if h.left == 0 {
		return nil
	}
	for id, at := range h.place {
		if uint16(h.heap[at]) != uint16(id) {
			return fmt.Errorf("the heap has queue %d in the place of %d", uint16(h.heap[at]), id)
		}
		if t := &c.tins[id%maxTins]; t.queues != nil && h.backlog(int(at)) != t.queue[id/maxTins].backlog {
			return fmt.Errorf("the heap has another backlog of queue %d", id)
		}
		if parent := (int(at) - 1) / 2; !c.linux && at > 0 && h.backlog(int(at)) > h.backlog(parent) {
			return fmt.Errorf("the heap is out of order at %d", at)
		}
	}
	return nil
}

// held returns the packets in the queues.
func (c *Cake) held() (all []*qdisc.Packet) {
	for i := range c.tins {
		if c.tins[i].queues == nil {
			continue
		}
		for j := range c.tins[i].queue {
			for p := range c.tins[i].queue[j].list.All() {
				all = append(all, p)
			}
		}
	}
	return all
}
