package hfsc_test

import (
	"math"
	"math/big"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// naiveCurve is a running curve.
type naiveCurve struct {
	c            hfsc.Curve
	x, y         uint64
	dx, dy, knee uint64
}

const tps = 15_625_000

func sm(r qdisc.Rate) uint64 { return ceil(uint64(r)/8, 1<<24, tps) }

func ism(r qdisc.Rate) uint64 {
	if r < 8 {
		return math.MaxUint64
	}
	return ceil(tps, 1<<14, uint64(r)/8)
}

// quotient is a*b/c rounded down, ceil is it rounded up.
func quotient(a, b, c uint64) uint64 {
	n := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	n.Quo(n, new(big.Int).SetUint64(c))
	if !n.IsUint64() {
		return math.MaxUint64
	}
	return n.Uint64()
}

func ceil(a, b, c uint64) uint64 {
	q := quotient(a, b, c)
	if q*c != a*b {
		q++
	}
	return q
}

func (n *naive) convex(c hfsc.Curve) bool {
	if n.linux {
		return sm(c.M1) <= sm(c.M2)
	}
	return c.D == 0 || c.M1 <= c.M2
}

// x2y and y2x convert along one slope.
func (n *naive) x2y(x uint64, r qdisc.Rate) uint64 {
	if n.linux {
		m := sm(r)
		return x>>24*m + x&(1<<24-1)*m>>24
	}
	return quotient(x, uint64(r), 8e9)
}

func (n *naive) y2x(y uint64, r qdisc.Rate) uint64 {
	if n.linux {
		m := ism(r)
		switch {
		case y == 0:
			return 0
		case m == math.MaxUint64:
			return m
		}
		return y>>14*m + y&(1<<14-1)*m>>14
	}
	if r == 0 {
		return math.MaxUint64
	}
	return quotient(y, 8e9, uint64(r))
}

func (n *naive) curve(c hfsc.Curve, x, y uint64) naiveCurve {
	v := naiveCurve{c: c, x: x, y: y, dx: uint64(c.D)}
	if n.linux {
		v.dx = ceil(uint64(c.D.Microseconds()), tps, 1e6)
	} else if c.D == 0 {
		v.c.M1 = 0
	}
	n.meet(&v)
	return v
}

func (n *naive) meet(v *naiveCurve) {
	v.dy, v.knee = n.x2y(v.dx, v.c.M1), v.dx
	if !n.linux && v.c.M2 != 0 {
		part := v.dx*uint64(v.c.M1) - v.dy*8e9 // in 1e-9 bit; the curves of the tests fit
		v.knee -= part / uint64(v.c.M2)
	}
}

func (n *naive) when(v *naiveCurve, y uint64) uint64 {
	switch {
	case y < v.y:
		return v.x
	case y-v.y > v.dy:
		at := n.y2x(y-v.y-v.dy, v.c.M2)
		if at == math.MaxUint64 && !n.linux {
			return at
		}
		return v.x + v.knee + at
	case v.dy == 0:
		return v.x + v.dx
	}
	return v.x + n.y2x(y-v.y, v.c.M1)
}

func (n *naive) amount(v *naiveCurve, x uint64) uint64 {
	switch {
	case x <= v.x:
		return v.y
	case x <= v.x+v.dx:
		return v.y + min(v.dy, n.x2y(x-v.x, v.c.M1))
	}
	return v.y + v.dy + n.x2y(x-v.x-v.knee, v.c.M2)
}

func (n *naive) lower(v *naiveCurve, x, y uint64) {
	fresh := n.curve(v.c, x, y)
	y1 := n.amount(v, x)
	if n.convex(v.c) {
		switch {
		case y1 >= y:
			*v = fresh
		case !n.linux && n.amount(v, x+fresh.dx) > y+fresh.dy:
			fresh.dx = fresh.knee
			if fresh.dy > 0 {
				fresh.dx -= quotient(fresh.dy, 8e9, uint64(fresh.c.M2))
			}
			fresh.dy, fresh.knee = 0, fresh.dx
			*v = fresh
		}
		return
	}
	if y1 <= y {
		return
	}
	if n.amount(v, x+fresh.dx) >= y+fresh.dy {
		*v = fresh
		return
	}
	var dx uint64
	if n.linux {
		dx = (y1 - y) << 24 / (sm(v.c.M1) - sm(v.c.M2))
	} else {
		dx = quotient(y1-y, 8e9, uint64(v.c.M1-v.c.M2))
	}
	if v.x+v.dx > x {
		dx += v.x + v.dx - x
	}
	fresh.dx = dx
	n.meet(&fresh)
	*v = fresh
}
