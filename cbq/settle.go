package cbq

import (
	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
)

// settle puts a class where it belongs after a call on its child: live while
// the child holds packets. It is idempotent, and gives a child that gave
// nothing another chance.
func (q *CBQ) settle(c *class, now qdisc.Time) {
	q.rouseOne(c)
	q.Forget()
	switch {
	case c.child.Held() == 0:
		q.stop(c)
	case !c.live:
		q.start(c, now)
	}
}

// revive is settle after a change that took the class out: it does not give a
// child that gave nothing another chance.
func (q *CBQ) revive(c *class, now qdisc.Time) {
	if !c.waiting {
		q.settle(c, now)
	}
}

// rouseOne forgets that the child of c gave nothing.
func (q *CBQ) rouseOne(c *class) {
	if c.waiting {
		q.waiting.Remove(c.index)
		c.waiting = false
	}
}

// setAside stops a class whose child gave no packet, until the child says it
// may give one.
//
//go:noinline
func (q *CBQ) setAside(c *class, now qdisc.Time) {
	q.stop(c)
	if c.child.Held() > 0 {
		c.waiting = true
		q.waiting.Push(heap.Entry{Key: uint64(c.child.Due(now)), Slot: c.index})
	}
}

// rouse gives every class that is due another chance.
//
//go:noinline
func (q *CBQ) rouse(now qdisc.Time) {
	for !q.waiting.Empty() && q.waiting.First() <= uint64(now) {
		q.settle(q.classes.at[q.waiting.Top()], now)
	}
}
