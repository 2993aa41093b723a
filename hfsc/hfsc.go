package hfsc

import (
	"cmp"

	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
)

// HFSC is a hierarchical fair service curve scheduler. It is not safe for
// concurrent use. Its Peek parks: the packet is charged then.
type HFSC struct {
	qdisc.Base
	scale    scale
	classify func(*qdisc.Packet) uint32
	byID     []*class // by class number
	classes  []place  // by index
	free     []uint32 // indexes not in use
	root     class
	eligible eligible
	waiting  heap.Heap // leaves whose child gave nothing, by the time to ask again, in ns
	orders   uint64    // insertion numbers given
	cfg      Config
}

// order returns the next insertion number: what is equal keeps its order.
func (h *HFSC) order() uint64 {
	h.orders++
	return h.orders
}

// Enqueue gives p to the child of its class, and returns the child's verdict.
// A packet without a class is refused with Reason Unclassified.
func (h *HFSC) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = h.Arrive(p, now)
	id := p.Class
	if h.classify != nil {
		id = h.classify(p)
	}
	c := h.leaf(id)
	if c == nil {
		if c = h.leaf(h.cfg.Default); c == nil {
			return h.Refuse(p, qdisc.Unclassified)
		}
	}
	if c.fifo != nil {
		v := c.fifo.Enqueue(p, now)
		if v == qdisc.Congested || !c.live && v == qdisc.Queued {
			h.settle(c, now)
		}
		return v
	}
	before := c.held()
	v := c.child.Enqueue(p, now)
	held := c.held()
	// After a plain arrival in a live leaf the head is still the one that the
	// deadline was computed for.
	if v == qdisc.Dropped || v == qdisc.Queued && c.live && held == before+1 {
		return v
	}
	h.settle(c, now)
	if v == qdisc.Queued && c.held() < held { // a look at the head lost packets
		v = qdisc.Congested
	}
	return v
}

// Dequeue returns the packet with the earliest deadline among those that are
// eligible by their class's real-time curve; if there is none, one chosen by
// link sharing under the upper limits; nil if all wait.
func (h *HFSC) Dequeue(now qdisc.Time) *qdisc.Packet {
	if h.Parked() != nil {
		return h.SendParked(now)
	}
	p := h.take(now)
	if p != nil {
		h.Sent(p)
	}
	return p
}

// Peek returns the packet that may leave now and parks it, its class charged;
// nil if none may.
func (h *HFSC) Peek(now qdisc.Time) *qdisc.Packet {
	if p := h.Parked(); p != nil {
		h.Clock(now)
		return p
	}
	p := h.take(now)
	if p != nil {
		h.Park(p)
	}
	return p
}

// take chooses a leaf, takes its packet and charges the leaf and all above it.
func (h *HFSC) take(now qdisc.Time) *qdisc.Packet {
	now = h.Clock(now)
	if h.Len() == 0 {
		return nil
	}
	t := h.scale.ticks(now)
	if !h.waiting.Empty() && h.waiting.First() <= uint64(now) {
		h.rouse(now)
	}
	for {
		var at *place
		by := RealTime
		if !h.eligible.empty() {
			at = h.eligible.next(h, t)
		}
		if at == nil {
			by = LinkShare
			if at = h.share(t); at == nil {
				return h.none(now)
			}
		}
		var p *qdisc.Packet
		if at.fifo != nil {
			p = at.fifo.Dequeue(now)
		} else {
			p = at.child.Dequeue(now)
		}
		if p != nil {
			h.served(at.class, p, by, now, t)
			return p
		}
		h.setAside(at.class, now)
	}
}

// served charges p, which just left the leaf c.
func (h *HFSC) served(c *class, p *qdisc.Packet, by Criterion, now qdisc.Time, t uint64) {
	c.work[by].Packets++
	c.work[by].Bytes += uint64(p.Len)
	held := c.held()
	h.charge(c, uint64(p.Len), held == 0, t)
	if held == 0 {
		c.live = false
		if c.real {
			h.eligible.leave(c)
		}
	}
	if !c.real {
		return
	}
	if by == RealTime {
		c.cumul += uint64(p.Len)
	}
	if held == 0 {
		return
	}
	head := c.peek(now)
	if head == nil {
		h.setAside(c, now)
		return
	}
	if by == RealTime {
		h.eligible.advance(h, c, head.Len, t)
	} else {
		h.eligible.exchange(c, head.Len)
	}
}

// none notes that nothing may leave now, and when that changes.
//
//go:noinline
func (h *HFSC) none(now qdisc.Time) *qdisc.Packet {
	if h.Len() == 0 {
		return nil // the children dropped what they held
	}
	h.Overlimit()
	at := qdisc.Blocked
	if !h.waiting.Empty() {
		at = qdisc.Time(h.waiting.First())
	}
	at = min(at, h.scale.time(h.eligible.first()), h.scale.time(h.root.kids.firstFit()))
	h.Wait(max(at, now+1))
	return nil
}

// Reset sends everything held to the drop list and starts all curves afresh.
func (h *HFSC) Reset(now qdisc.Time) {
	now = h.Rewind(now)
	h.PurgeParked()
	h.waiting.Clear()
	h.eligible.clear()
	h.root.kids.clear()
	h.root.nactive, h.root.period = 0, 0
	for i := range h.classes {
		if c := h.classes[i].class; c != nil {
			h.restart(c)
		}
	}
	for i := range h.classes {
		if c := h.classes[i].class; c != nil && c.kids == nil {
			c.child.Reset(now)
			h.settle(c, now) // a child may keep what it holds
		}
	}
}

// restart sets all that service and arrivals changed in c back to the start.
func (h *HFSC) restart(c *class) {
	c.total, c.cumul, c.vt, c.vtadj, c.e, c.d, c.fit = 0, 0, 0, 0, 0, 0, 0
	c.nactive, c.period, c.parentPeriod = 0, 0, 0
	c.fits, c.live, c.waiting, c.due, c.touched = false, false, false, false, false
	if s := cmp.Or(c.kids, c.past); s != nil {
		s.clear()
	}
	c.deadline.begin(&h.scale, &c.rt, 0, 0)
	c.virtual.begin(&h.scale, &c.ls, 0, 0)
	c.limit.begin(&h.scale, &c.ul, 0, 0)
}
