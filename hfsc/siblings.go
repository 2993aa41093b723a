package hfsc

import (
	"iter"

	"github.com/netsched/netsched/internal/heap"
)

// siblings are the children of a class, and those of them that are active in
// the order in which link sharing serves them.
type siblings struct {
	cvtmin uint64     // largest virtual time of a child when it was chosen
	list   []place    // by slot
	ready  heap.Least // whose fit time has come, by virtual time, then insertion
	later  heap.Heap  // the others, by fit time
	cvtoff uint64     // largest virtual time with which a child became passive
	max    heap.Max   // virtual times of the active children
	n      int        // children
	free   []uint32   // slots not in use
}

// all ranges over the children; nil has none.
func (s *siblings) all() iter.Seq[*class] {
	return func(yield func(*class) bool) {
		if s == nil {
			return
		}
		for i := range s.list {
			if c := s.list[i].class; c != nil && !yield(c) {
				return
			}
		}
	}
}

// promote makes those children ready whose fit time has come.
func (s *siblings) promote(t uint64) {
	for !s.later.Empty() && s.later.First() <= t {
		c := s.list[s.later.Pop()].class
		c.fits = true
		s.ready.Push(c.slot, c.vt, c.order)
	}
}

// idle tells whether no child is active.
func (s *siblings) idle() bool { return s.ready.Empty() && s.later.Empty() }

// largest returns the largest virtual time of an active child.
func (s *siblings) largest() uint64 {
	for _, slot := range s.max.Settle() {
		vt := uint64(0)
		if c := s.list[slot].class; c != nil {
			c.touched = false
			if s.ready.Has(slot) || s.later.Has(slot) {
				vt = c.vt
			}
		}
		s.max.Set(slot, vt)
	}
	return s.max.Largest()
}

// touch notes that the virtual time of c changes.
func (s *siblings) touch(c *class) {
	if !c.touched {
		c.touched = true
		s.max.Touch(c.slot)
	}
}

// insert puts in a child that becomes active.
func (s *siblings) insert(c *class, fit, t uint64) {
	if c.fits = fit <= t; c.fits {
		s.ready.Push(c.slot, c.vt, c.order)
	} else {
		s.later.Push(heap.Entry{Key: fit, Slot: c.slot})
	}
}

// refit puts an active child where its new fit time belongs.
func (s *siblings) refit(c *class, fit, t uint64) {
	was := c.fits
	c.fits = fit <= t
	switch {
	case c.fits && !was:
		s.later.Remove(c.slot)
		s.ready.Push(c.slot, c.vt, c.order)
	case !c.fits && was:
		s.ready.Remove(c.slot)
		s.later.Push(heap.Entry{Key: fit, Slot: c.slot})
	case !c.fits:
		s.later.Update(heap.Entry{Key: fit, Slot: c.slot})
	}
}

// remove takes out a child that goes passive.
func (s *siblings) remove(c *class) {
	if c.fits {
		s.ready.Remove(c.slot)
	} else {
		s.later.Remove(c.slot)
	}
	c.fits = false
}

func (s *siblings) clear() {
	s.ready.Clear()
	s.later.Clear()
	s.cvtmin, s.cvtoff = 0, 0
	s.max.Clear()
}

func (s *siblings) grow(n int) {
	s.ready.Grow(n)
	s.later.Grow(n)
	s.max.Grow(n)
}
