package hfsc

import "math/bits"

// runtime is a service curve as it runs: begun at an origin of ticks and
// bytes, the lowest of all that were begun since (Stoica, Zhang and Ng 1997,
// section IV). It gives the time for an amount; 64 bytes, one cache line.
//
// Amounts are differences from the origin, so that a counter of bytes may wrap.
type runtime struct {
	x, y       uint64 // origin: ticks, bytes
	dy         uint64 // bytes of the first piece
	knee       uint64 // ticks from x at which the second piece, drawn back, passes dy; may be negative
	inv1, inv2 uint64 // ticks a byte, times 2^shift
	dx         uint64 // ticks of the first piece
	shift1     uint8
	shift2     uint8
	convex     bool
	exact      bool
}

// far is an amount that no class is served in months at 1 Tbit/s; above it, a
// difference is a negative one or the origin must follow.
const far = 1<<62 - 1

// begin starts c at (x, y).
func (r *runtime) begin(s *scale, c *curve, x, y uint64) {
	*r = runtime{
		x: x, y: y, dx: c.dx, dy: c.dy, knee: c.knee, inv1: c.inv1, inv2: c.inv2,
		shift1: c.shift1, shift2: c.shift2, convex: c.convex(), exact: s.exact,
	}
}

// when returns the time at which the curve reaches y.
func (r *runtime) when(y uint64) uint64 {
	n := y - r.y
	base, inv, shift := uint64(0), r.inv1, r.shift1
	if n > r.dy {
		if n > far {
			return r.outside(n)
		}
		n -= r.dy
		base, inv, shift = r.knee, r.inv2, r.shift2
	} else if r.dy == 0 {
		return r.x + r.dx // a first piece of slope 0 is passed over
	}
	hi, lo := bits.Mul64(n, inv)
	at := r.x + base + (hi<<((64-shift)&63) | lo>>(shift&63))
	if hi>>(shift&63) != 0 || at < r.x {
		return r.overflow(base, at, inv)
	}
	return at
}

// eligible returns the time from which y may be served by real time, so that
// no later deadline is missed: where a concave curve reaches y, or for a
// convex one the line of its second slope (section V).
func (r *runtime) eligible(y uint64) uint64 {
	n := y - r.y
	if !r.convex || n > far {
		return r.when(y)
	}
	return r.after(0, n, r.inv2, r.shift2)
}

// after returns x + base + n*inv.
func (r *runtime) after(base, n, inv uint64, shift uint8) uint64 {
	hi, lo := bits.Mul64(n, inv)
	v := hi<<((64-shift)&63) | lo>>(shift&63)
	at := r.x + base + v
	if hi>>(shift&63) != 0 || at < r.x {
		return r.overflow(base, at, inv)
	}
	return at
}

//go:noinline
func (r *runtime) overflow(base, wrapped, inv uint64) uint64 {
	switch {
	case r.exact:
		return inf
	case inv == inf: // wrapped infinity
		return r.x + base - 1
	}
	return wrapped
}

// outside is when for an amount before the origin, or so far behind it that
// the origin has to follow. That rounds once, by a nanosecond.
//
//go:noinline
func (r *runtime) outside(n uint64) uint64 {
	switch {
	case n > 1<<63:
		return r.x
	case !r.exact || r.inv2 == inf:
		return r.after(r.knee, n-r.dy, r.inv2, r.shift2)
	}
	at := r.after(r.knee, n-r.dy, r.inv2, r.shift2)
	from := at
	if r.convex {
		from = r.after(0, n, r.inv2, r.shift2)
	}
	r.x, r.y, r.dx, r.dy, r.knee = from, r.y+n, at-from, 0, at-from
	return at
}

// amount returns the bytes from the origin on that the curve, begun from c,
// reaches by x.
func (r *runtime) amount(c *curve, x uint64) uint64 {
	if x <= r.x {
		return 0
	}
	t := x - r.x
	if t <= r.dx {
		v, _ := mulShift(t, c.m1, c.shift)
		return min(v, r.dy)
	}
	v, over := mulShift(t-r.knee, c.m2, c.shift)
	if r.exact && (over || v > far) {
		return far
	}
	return r.dy + v
}

// lower makes r the lower of itself and c begun at (x, y), for a class that
// becomes backlogged: its idle time must not count.
func (r *runtime) lower(s *scale, c *curve, x, y uint64) {
	above := r.amount(c, x) - (y - r.y)
	if r.convex {
		switch {
		case int64(above) >= 0:
			r.begin(s, c, x, y)
		case r.exact: // else convex leap
			r.bend(s, c, x, y)
		}
		return
	}
	if int64(above) <= 0 {
		return
	}
	if ahead := r.amount(c, x+c.dx) - (y - r.y); int64(ahead-c.dy) >= 0 {
		r.begin(s, c, x, y)
		return
	}
	// They cross in what is left of the first piece of c: the new curve runs
	// along it until it has made up what the old one is above.
	dx := cross(s, c, above)
	if end := r.x + r.dx; end > x {
		dx += end - x
	}
	r.begin(s, c, x, y)
	r.dx = dx
	r.dy, r.knee = s.meet(c, dx)
}

// bend is lower for a convex curve that is still below the origin of the new
// one: the class was served ahead of it. Where the new curve would be below at
// its knee, the old one is left for a curve of two pieces that is nowhere
// above either: flat, and then through that knee.
func (r *runtime) bend(s *scale, c *curve, x, y uint64) {
	if ahead := r.amount(c, x+c.dx) - (y - r.y); int64(ahead-c.dy) <= 0 {
		return
	}
	r.begin(s, c, x, y)
	r.dx, r.dy, r.knee = c.flat, 0, c.flat
}

// cross returns the ticks in which the first piece of a concave curve gains n
// bytes on the second. It divides, but only when a class becomes backlogged.
func cross(s *scale, c *curve, n uint64) uint64 {
	if !s.exact {
		return n << c.shift / (c.m1 - c.m2)
	}
	gain := uint64(c.r1 - c.r2)
	hi, lo := bits.Mul64(n, nsPerByte)
	if hi >= gain {
		return c.dx
	}
	dx, _ := bits.Div64(hi, lo, gain)
	return dx
}
