package hfsc

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Curve is a service curve of two pieces: M1 for the first D of a backlogged
// period, M2 from then on. The zero value is no curve. With D = 0 it is a line
// of slope M2, and M1 is not read.
//
// A concave curve (M1 > M2) gives a class low delay without much bandwidth; a
// convex one (M1 < M2) lets it wait for the others.
type Curve struct {
	M1 qdisc.Rate
	D  time.Duration
	M2 qdisc.Rate
}

// Line is the curve of one slope.
func Line(r qdisc.Rate) Curve { return Curve{M2: r} }

// DelayCurve is the curve by which a packet of umax bytes leaves within dmax,
// and rate holds in the long run: the umax, dmax and rate of tc-hfsc(7). It is
// concave if umax in dmax is more than rate, else convex with M1 = 0. As tc
// does, it rounds M1 up to a byte a second and D up to a microsecond. A dmax
// of 0 or less gives a line.
func DelayCurve(umax uint32, dmax time.Duration, rate qdisc.Rate) Curve {
	if dmax <= 0 {
		return Line(rate)
	}
	burst, burstLow := bits.Mul64(uint64(umax), nsPerByte)
	line, lineLow := bits.Mul64(uint64(rate), uint64(dmax))
	if burst > line || burst == line && burstLow > lineLow {
		m1 := ceilDiv(uint64(umax), 1e9, uint64(dmax))
		return Curve{8 * qdisc.Rate(min(m1, math.MaxUint64/8)), dmax, rate}
	}
	if rate == 0 {
		return Curve{}
	}
	took, _ := bits.Div64(burst, burstLow, uint64(rate))
	lag := dmax - time.Duration(took)
	return Curve{0, (lag + time.Microsecond - 1).Truncate(time.Microsecond), rate}
}

// IsZero tells whether there is no curve.
func (c Curve) IsZero() bool { return c.M1 == 0 && c.M2 == 0 }

// String prints the curve as tc does.
func (c Curve) String() string { return fmt.Sprintf("m1 %v d %v m2 %v", c.M1, c.D, c.M2) }

// curve is a Curve in a scale: what a class keeps to begin it anew.
type curve struct {
	r1, r2 qdisc.Rate
	m1, m2 uint64 // bytes a tick, times 2^shift
	dx, dy uint64 // where the pieces meet: ticks and whole bytes
	knee   uint64 // ticks at which the second piece, drawn back, passes dy
	flat   uint64 // ticks at which it passes 0; of a convex curve
	inv1   uint64 // ticks a byte, times 2^shift1
	inv2   uint64
	shift  uint8
	shift1 uint8
	shift2 uint8
	given  bool
}

// curve converts c.
func (s *scale) curve(c Curve) curve {
	if s.exact && c.D == 0 {
		c.M1 = 0
	}
	v := curve{r1: c.M1, r2: c.M2}
	v.m1, v.m2, v.shift = s.slopes(c.M1, c.M2)
	v.inv1, v.shift1 = s.inverse(c.M1)
	v.inv2, v.shift2 = s.inverse(c.M2)
	v.dx = s.duration(c.D)
	v.given = v.m1 != 0 || v.m2 != 0
	v.dy, v.knee = s.meet(&v, v.dx)
	if s.exact && v.convex() {
		begun, _ := mulShift(v.dy, v.inv2, v.shift2)
		v.flat = v.knee - begun
	}
	return v
}

// convex tells whether the second piece is at least as steep.
func (c *curve) convex() bool { return c.m1 <= c.m2 }

// meet returns the whole bytes that the first piece of c has after dx, and the
// knee: exact arithmetic accounts for the fraction of a byte there. It divides,
// but only when a curve begins or a class becomes backlogged.
func (s *scale) meet(c *curve, dx uint64) (dy, knee uint64) {
	if !s.exact {
		dy, _ = mulShift(dx, c.m1, c.shift)
		return dy, dx
	}
	hi, lo := bits.Mul64(dx, uint64(c.r1)) // in 1e-9 bit
	if hi >= nsPerByte {
		return far, dx
	}
	dy, part := bits.Div64(hi, lo, nsPerByte)
	if c.r2 == 0 {
		return dy, 0 // and so inf is added to the origin alone: that is seen to overflow
	}
	return dy, dx - part/uint64(c.r2)
}
