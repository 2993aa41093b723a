package prio

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// Enqueue gives p to the child of its band, and returns the child's verdict.
func (q *Prio) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	b := p.Class - 1
	if b >= q.n || q.classify != nil {
		b = q.bandOf(p)
	}
	v := q.bands[b].Enqueue(p, now)
	q.waiting &^= 1 << b // an arrival may free a band that gave nothing
	q.settle(b)
	return v
}

func (q *Prio) bandOf(p *qdisc.Packet) uint32 {
	class := p.Class
	if q.classify != nil {
		class = q.classify(p)
	}
	switch {
	case class-1 < q.n:
		return class - 1
	case class == 0:
		return uint32(q.priomap[p.Priority&15])
	}
	return uint32(q.priomap[0])
}

// Dequeue returns a packet of the first band whose child gives one, nil if
// none does.
func (q *Prio) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := uint32(bits.TrailingZeros32(q.visible))
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
// a later arrival in a band before it goes first.
func (q *Prio) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := uint32(bits.TrailingZeros32(q.visible))
		p := q.bands[b].Peek(now)
		q.settle(b) // the child may have dropped packets to answer
		if p != nil {
			return p
		}
		q.hold(b, now)
	}
	return nil
}

// ReadyAt returns the earliest time at which a band may give a packet.
func (q *Prio) ReadyAt(now qdisc.Time) qdisc.Time {
	if q.Len() == 0 {
		return qdisc.Never
	}
	now = min(now, qdisc.MaxTime)
	at := qdisc.Blocked // a Sync is needed to see packets put into a child directly
	for m := q.visible; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.bands[bits.TrailingZeros32(m)].ReadyAt(now))
	}
	for m := q.waiting; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.bands[bits.TrailingZeros32(m)].due)
	}
	return max(at, now)
}

// Reset resets every child.
func (q *Prio) Reset(now qdisc.Time) {
	now = q.Rewind(now)
	q.waiting, q.wake = 0, qdisc.Never
	for b := range q.n {
		q.bands[b].Reset(now)
		q.settle(b)
	}
}

// settle puts band b into the set where it belongs. It is idempotent, and due
// after every call on the child.
func (q *Prio) settle(b uint32) {
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
func (q *Prio) hold(b uint32, now qdisc.Time) {
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
func (q *Prio) rouse(now qdisc.Time) {
	q.wake = qdisc.Never
	for m := q.waiting; m != 0; m &= m - 1 {
		b := uint32(bits.TrailingZeros32(m))
		if due := q.bands[b].due; due > now {
			q.wake = min(q.wake, due)
			continue
		}
		q.waiting &^= 1 << b
		q.settle(b)
	}
}
