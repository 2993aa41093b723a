package hfsc

// tooFar is the virtual time at which siblings start to count anew: a class
// with the least share of a fast link gets there within the hour.
const tooFar = 1 << 62

// rebase takes what all siblings have in common off their virtual times, so
// that these never wrap. It looks at every sibling, but at most once in 2^61
// ticks of virtual time.
func (h *HFSC) rebase(s *siblings) {
	if s.cvtmin < tooFar/2 {
		return
	}
	by := s.cvtmin - 1 // 0 would mean that no child was chosen yet
	s.cvtmin = 1
	s.cvtoff = minus(s.cvtoff, by)
	for c := range s.all() {
		c.vt = minus(c.vt, by)
		c.virtual.shift(&c.ls, by, c.total)
		s.touch(c)
		if c.fits {
			s.ready.Update(c.slot, c.vt, c.order)
		}
	}
}

// minus returns a-b, or 0.
func minus(a, b uint64) uint64 {
	if a < b {
		return 0
	}
	return a - b
}

// shift moves the curve, begun from c, by ticks to the left. Where it would
// begin before 0 its origin moves along it, though not beyond y, which it has
// to give a time for.
func (r *runtime) shift(c *curve, by, y uint64) {
	if r.x >= by {
		r.x -= by
		return
	}
	gone, n := by-r.x, r.amount(c, by)
	r.x = 0
	if gone >= r.dx {
		r.dx, r.dy, r.knee = 0, 0, 0
	} else {
		r.dx, r.dy, r.knee = r.dx-gone, minus(r.dy, n), r.knee-gone
	}
	r.y += n
	if int64(r.y-y) > 0 {
		r.y = y
	}
}
