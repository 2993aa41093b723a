package hfsc

import "math/bits"

// share returns the leaf that link sharing serves at t: from the root down the
// child with the smallest virtual time among those under their limit. It is
// nil if none is.
func (h *HFSC) share(t uint64) *place {
	var at *place
	for s := h.root.kids; s != nil; s = at.kids {
		if !s.later.Empty() && s.later.First() <= t {
			s.promote(t)
		}
		if s.ready.Empty() {
			return nil
		}
		at = &s.list[s.ready.Top()]
		s.cvtmin = max(s.cvtmin, s.ready.First())
	}
	return at
}

// charge counts n bytes to the leaf c and all above it, and moves their
// virtual times on. A leaf that goes passive is taken out, and so is every
// class above it that has no active child left.
func (h *HFSC) charge(c *class, n uint64, passive bool, t uint64) {
	passive = passive && c.nactive != 0
	for ; c.parent != nil; c = c.parent {
		c.total += n
		if c.nactive == 0 {
			continue
		}
		if passive {
			c.nactive--
			passive = c.nactive == 0
		}
		s := c.parent.kids
		vt := h.add(c.virtual.when(c.total), c.vtadj)
		if vt < s.cvtmin {
			c.vtadj += s.cvtmin - vt
			vt = s.cvtmin
		}
		c.vt = vt
		s.touch(c)
		if passive {
			s.cvtoff = max(s.cvtoff, vt)
			s.remove(c)
			continue
		}
		c.order = h.order()
		if c.limited {
			h.refill(c, t)
		}
		if fit := c.fitTime(); c.fits && fit <= t {
			s.ready.Update(c.slot, c.vt, c.order)
		} else {
			s.refit(c, fit, t)
		}
		if vt > tooFar && h.scale.exact {
			h.rebase(s)
		}
	}
	if passive && h.scale.exact {
		c.nactive--
	}
}

// add adds two times; exact arithmetic saturates.
func (h *HFSC) add(a, b uint64) uint64 {
	sum := a + b
	if sum < a && h.scale.exact {
		return inf
	}
	return sum
}

// join makes the leaf c active, and every class above it that was not.
func (h *HFSC) join(c *class, t uint64) {
	first := true // c had no active child
	for ; c.parent != nil; c = c.parent {
		s := c.parent.kids
		joins := false
		if first {
			joins = c.nactive == 0
			first = joins
			c.nactive++
		}
		if joins {
			h.begin(c, s)
			if c.limited {
				c.limit.lower(&h.scale, &c.ul, t, c.total)
				c.fit = c.limit.when(c.total)
			}
			s.insert(c, c.fitTime(), t)
		} else {
			s.refit(c, c.fitTime(), t)
		}
	}
	if first && h.scale.exact {
		if c.nactive == 0 {
			c.period++
		}
		c.nactive++
	}
}

// begin starts a period of c: it gets the virtual time of its siblings,
// between the smallest and the largest, unless its own in their present period
// is later.
func (h *HFSC) begin(c *class, s *siblings) {
	p := c.parent
	if s.idle() {
		c.vt, s.cvtmin = s.cvtoff, 0
	} else {
		v := s.largest()
		if s.cvtmin != 0 {
			v = h.mean(s.cvtmin, v)
		}
		if p.period != c.parentPeriod || v > c.vt {
			c.vt = v
		}
	}
	c.virtual.lower(&h.scale, &c.ls, c.vt, c.total)
	c.vtadj = 0
	c.period++
	c.parentPeriod = p.period
	if p.nactive == 0 {
		c.parentPeriod++ // it is about to become active, too
	}
	c.order = h.order()
	s.touch(c)
}

// mean returns the mean of two times, rounded down; Linux's sum wraps.
func (h *HFSC) mean(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if !h.scale.exact {
		carry = 0
	}
	return sum>>1 | carry<<63
}
