package hfsc

import "github.com/netsched/netsched/internal/heap"

// eligible chooses by the real-time criterion: the earliest deadline among the
// live leaves whose eligible time has come. As time never goes back, a leaf
// moves at most once a packet from the queue of those that are not yet
// eligible, by eligible time, to that of those that are, by deadline.
type eligible struct {
	later heap.Heap // by e
	ready heap.Heap // by d, then e, then insertion
}

// next returns the leaf to serve at t, nil if none is eligible.
func (q *eligible) next(h *HFSC, t uint64) *place {
	if !q.later.Empty() && q.later.First() <= t {
		if q.ready.Empty() && q.later.Lone(t) {
			return &h.classes[q.later.Top()] // it stays there, and saves two moves
		}
		q.promote(h, t)
	}
	if q.ready.Empty() {
		return nil
	}
	return &h.classes[q.ready.Top()]
}

// promote makes those leaves ready whose eligible time has come.
func (q *eligible) promote(h *HFSC, t uint64) {
	for !q.later.Empty() && q.later.First() <= t {
		c := h.classes[q.later.Pop()].class
		c.due = true
		q.ready.Push(q.entry(c))
	}
}

func (q *eligible) entry(c *class) heap.Entry {
	return heap.Entry{Key: c.d, Tie: c.e, Seq: c.eorder, Slot: c.index}
}

// empty tells whether no live leaf has a real-time curve.
func (q *eligible) empty() bool { return q.later.Empty() && q.ready.Empty() }

// first returns the time at which the first leaf becomes eligible, inf if
// there is none.
func (q *eligible) first() uint64 {
	if q.later.Empty() {
		return inf
	}
	return q.later.First()
}

// enter puts in a leaf that has become live, with a head of n bytes.
func (q *eligible) enter(h *HFSC, c *class, n uint32, t uint64) {
	c.deadline.lower(&h.scale, &c.rt, t, c.cumul)
	q.tag(h, c, n)
	if c.due = c.e <= t; c.due {
		q.ready.Push(q.entry(c))
	} else {
		q.later.Push(heap.Entry{Key: c.e, Slot: c.index})
	}
}

// tag computes the times of a head of n bytes.
func (q *eligible) tag(h *HFSC, c *class, n uint32) {
	c.e = c.deadline.eligible(c.cumul)
	c.d = c.deadline.when(c.cumul + uint64(n))
	c.eorder = h.order()
}

// advance gives a leaf that was served by real time the times of its next
// head.
func (q *eligible) advance(h *HFSC, c *class, n uint32, t uint64) {
	q.tag(h, c, n)
	switch {
	case !c.due:
		q.later.Update(heap.Entry{Key: c.e, Slot: c.index})
	case c.e <= t:
		q.ready.Update(q.entry(c))
	default:
		c.due = false
		q.ready.Remove(c.index)
		q.later.Push(heap.Entry{Key: c.e, Slot: c.index})
	}
}

// exchange gives a leaf whose head is another one, though no real-time service
// was given, that head's deadline.
func (q *eligible) exchange(c *class, n uint32) {
	c.d = c.deadline.when(c.cumul + uint64(n))
	if c.due {
		q.ready.Update(q.entry(c))
	}
}

// leave takes out a leaf.
func (q *eligible) leave(c *class) {
	if c.due {
		q.ready.Remove(c.index)
	} else {
		q.later.Remove(c.index)
	}
	c.due = false
}

func (q *eligible) grow(n int) {
	q.later.Grow(n)
	q.ready.Grow(n)
}

func (q *eligible) clear() {
	q.later.Clear()
	q.ready.Clear()
}
