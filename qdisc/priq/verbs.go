package priq

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// Enqueue gives p to the child of its class, and returns the child's verdict.
// A packet without a class is refused with Reason Unclassified.
func (q *PRIQ) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	class := p.Class
	if q.classify != nil {
		class = q.classify(p)
	}
	b := q.find(class)
	if b == none {
		if b = q.fallback; b == none {
			return q.Refuse(p, qdisc.Unclassified)
		}
	}
	v := q.bands[b&MaxPriority].Enqueue(p, now)
	q.waiting &^= 1 << b // an arrival may free a class that gave nothing
	q.settle(b)
	return v
}

// Dequeue returns a packet of the highest class whose child gives one, nil if
// none does.
func (q *PRIQ) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := highest(q.visible)
		p := q.bands[b].Dequeue(now)
		q.settle(b)
		if p != nil {
			q.Sent(p)
			return p
		}
		q.hold(b, now)
	}
	return nil
}

// Peek returns the packet that Dequeue would, nil if there is none. It looks:
// a later arrival in a higher class goes first.
func (q *PRIQ) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := highest(q.visible)
		p := q.bands[b].Peek(now)
		q.settle(b) // the child may have dropped packets to answer
		if p != nil {
			return p
		}
		q.hold(b, now)
	}
	return nil
}

// highest returns the largest number in a set that is not empty.
func highest(set uint32) uint8 { return uint8(bits.Len32(set)-1) & MaxPriority }

// ReadyAt returns the earliest time at which a class may give a packet.
func (q *PRIQ) ReadyAt(now qdisc.Time) qdisc.Time {
	if q.Len() == 0 {
		return qdisc.Never
	}
	now = min(now, qdisc.MaxTime)
	at := qdisc.Blocked // a Sync is needed to see packets put into a child directly
	for m := q.visible; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.bands[bits.TrailingZeros32(m)&MaxPriority].ReadyAt(now))
	}
	for m := q.waiting; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.bands[bits.TrailingZeros32(m)&MaxPriority].due)
	}
	return max(at, now)
}

// Reset resets every child.
func (q *PRIQ) Reset(now qdisc.Time) {
	now = q.Rewind(now)
	q.waiting, q.wake = 0, qdisc.Never
	for b := range q.bands {
		if q.bands[b].class != 0 {
			q.bands[b].Reset(now)
			q.settle(uint8(b))
		}
	}
}

// settle puts band b into the set where it belongs. It is idempotent, and due
// after every call on the child.
func (q *PRIQ) settle(b uint8) {
	b &= MaxPriority
	if q.bands[b].Held() == 0 {
		q.visible &^= 1 << b
		q.waiting &^= 1 << b
	} else {
		q.visible |= 1 << b &^ q.waiting
	}
}

// hold sets band b, whose child gave no packet, aside until the child says it
// may give one.
//
//go:noinline
func (q *PRIQ) hold(b uint8, now qdisc.Time) {
	c := &q.bands[b]
	q.visible &^= 1 << b
	if c.Held() == 0 {
		return
	}
	c.due = c.Due(now)
	q.waiting |= 1 << b
	q.wake = min(q.wake, c.due)
}

// rouse makes the waiting bands that are due visible again.
//
//go:noinline
func (q *PRIQ) rouse(now qdisc.Time) {
	q.wake = qdisc.Never
	for m := q.waiting; m != 0; m &= m - 1 {
		b := uint8(bits.TrailingZeros32(m)) & MaxPriority
		if due := q.bands[b].due; due > now {
			q.wake = min(q.wake, due)
			continue
		}
		q.waiting &^= 1 << b
		q.settle(b)
	}
}
