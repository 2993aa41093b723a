package hfsc

import (
	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
)

// settle puts a leaf where it belongs after a call on its child: live while
// the child holds packets, with the deadline of the present head. It is
// idempotent, and gives a child that gave nothing another chance.
func (h *HFSC) settle(c *class, now qdisc.Time) {
	t := h.scale.ticks(now)
	if c.waiting {
		h.waiting.Remove(c.index)
		c.waiting = false
	}
	h.Forget()
	switch {
	case c.held() == 0:
		h.deactivate(c, t)
	case !c.live:
		h.activate(c, now, t)
	case c.real:
		if head := c.peek(now); head != nil {
			h.eligible.exchange(c, head.Len)
		} else {
			h.setAside(c, now)
		}
	}
}

// activate makes a leaf with packets live.
func (h *HFSC) activate(c *class, now qdisc.Time, t uint64) {
	if c.real {
		head := c.peek(now)
		if head == nil {
			h.setAside(c, now)
			return
		}
		h.eligible.enter(h, c, head.Len, t)
	}
	c.live = true
	if c.shares {
		h.join(c, t)
	}
}

// deactivate takes a leaf out of all that is chosen from.
func (h *HFSC) deactivate(c *class, t uint64) {
	if !c.live {
		return
	}
	c.live = false
	if c.real {
		h.eligible.leave(c)
	}
	h.charge(c, 0, true, t)
}

// setAside deactivates a leaf whose child gave no packet, until the child says
// it may give one.
//
//go:noinline
func (h *HFSC) setAside(c *class, now qdisc.Time) {
	h.deactivate(c, h.scale.ticks(now))
	if c.held() > 0 {
		c.waiting = true
		h.waiting.Push(heap.Entry{Key: uint64(c.child.Due(now)), Slot: c.index})
	}
}

// rouse gives every leaf that is due another chance.
//
//go:noinline
func (h *HFSC) rouse(now qdisc.Time) {
	for !h.waiting.Empty() && h.waiting.First() <= uint64(now) {
		h.settle(h.classes[h.waiting.Top()].class, now)
	}
}
