// Package bands is strict priority between up to 16 bands, each with a child
// discipline: what prio and priq are. They say which band a packet goes to.
//
// Bands has the verbs as methods, for the two to embed; all else is functions,
// lest their users see it.
package bands

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// Max is the number of bands. Those without a child are passed over.
const Max = 16

// Bands serves band 0 before band 1, and so on. The zero value has no children.
type Bands struct {
	qdisc.Base

	// A band that holds packets is in one of two sets, bit b for band b:
	// visible while its child may give one, waiting after it gave none.
	visible, waiting uint32
	wake             qdisc.Time // no waiting band is due before it
	list             [Max]band
}

type band struct {
	qdisc.Child
	due qdisc.Time // while waiting: when to ask the child again
}

// Child returns the child of a band, the zero value if it has none.
func Child(q *Bands, b uint32) *qdisc.Child { return &q.list[b%Max].Child }

// Put gives band b another child, attached to q, or none; what became of the
// one that it had is the caller's to say.
func Put(q *Bands, b uint32, c qdisc.Child) {
	q.list[b].Child = c
	q.visible &^= 1 << b
	q.waiting &^= 1 << b
	if c.Qdisc != nil {
		q.settle(b)
	}
}

// Sync brings q up to date after the child of band b was called, changed or reset
// directly.
func Sync(q *Bands, b uint32) {
	q.waiting &^= 1 << b
	q.settle(b)
}

// Dequeue returns a packet of the first band whose child gives one, nil if
// none does.
func (q *Bands) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := first(q.visible)
		p := q.list[b].Dequeue(now)
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
func (q *Bands) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for q.visible != 0 {
		b := first(q.visible)
		p := q.list[b].Peek(now)
		q.settle(b) // the child may have dropped packets to answer
		if p != nil {
			return p
		}
		q.hold(b, now)
	}
	return nil
}

// first returns the smallest number in a set that is not empty.
func first(set uint32) uint32 { return uint32(bits.TrailingZeros32(set)) % Max }

// ReadyAt returns the earliest time at which a band may give a packet.
func (q *Bands) ReadyAt(now qdisc.Time) qdisc.Time {
	if q.Len() == 0 {
		return qdisc.Never
	}
	now = min(now, qdisc.MaxTime)
	at := qdisc.Blocked // a Sync is needed to see packets put into a child directly
	for m := q.visible; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.list[first(m)].ReadyAt(now))
	}
	for m := q.waiting; m != 0 && at > now; m &= m - 1 {
		at = min(at, q.list[first(m)].due)
	}
	return max(at, now)
}

// Reset resets every child.
func (q *Bands) Reset(now qdisc.Time) {
	now = q.Rewind(now)
	q.waiting, q.wake = 0, qdisc.Never
	for b := range uint32(Max) {
		if q.list[b].Qdisc != nil {
			q.list[b].Reset(now)
			q.settle(b)
		}
	}
}

// settle puts band b into the set where it belongs. It is idempotent, and due
// after every call on the child.
func (q *Bands) settle(b uint32) {
	if q.list[b%Max].Held() == 0 {
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
func (q *Bands) hold(b uint32, now qdisc.Time) {
	c := &q.list[b]
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
func (q *Bands) rouse(now qdisc.Time) {
	q.wake = qdisc.Never
	for m := q.waiting; m != 0; m &= m - 1 {
		b := first(m)
		if due := q.list[b].due; due > now {
			q.wake = min(q.wake, due)
			continue
		}
		Sync(q, b)
	}
}
