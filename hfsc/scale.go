package hfsc

import (
	"math"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// inf is a time that never comes: the inverse of a slope of 0, and where exact
// arithmetic saturates.
const inf = math.MaxUint64

// nsPerByte is what a byte takes at 1 bit/s, in nanoseconds.
const nsPerByte = 8e9

// The numbers of Linux's arithmetic: a clock of 64 ns, slopes scaled by 2^24
// and their inverses by 2^14, rates in bytes a second and 32 bits.
const (
	linuxTick           = 6
	linuxTicksPerSecond = 1e9 / (1 << linuxTick)
	linuxSlopeShift     = 24
	linuxInverseShift   = 14
	linuxMaxRate        = math.MaxUint32
)

// scale is the arithmetic of a mode. Curves carry their slopes with the shift
// that belongs to each, so that one code serves both: a product is 128 bits
// wide and shifted right, rounding down.
type scale struct {
	exact bool
	tick  uint8 // log2 of the nanoseconds in a tick
}

func newScale(c qdisc.Compat) scale {
	if c == qdisc.Linux {
		return scale{tick: linuxTick}
	}
	return scale{exact: true}
}

// ticks converts an instant, which must not be negative.
func (s *scale) ticks(t qdisc.Time) uint64 { return uint64(t) >> (s.tick & 63) }

// time converts ticks back; what is beyond the range of instants is Blocked.
func (s *scale) time(ticks uint64) qdisc.Time {
	if ticks > uint64(qdisc.MaxTime)>>(s.tick&63) {
		return qdisc.Blocked
	}
	return qdisc.Time(ticks << (s.tick & 63))
}

// duration converts a curve's D. Linux takes whole microseconds.
func (s *scale) duration(d time.Duration) uint64 {
	if s.exact {
		return uint64(d)
	}
	return ceilDiv(uint64(d.Microseconds()), linuxTicksPerSecond, 1e6)
}

// slopes returns two rates in bytes a tick, times 2^shift.
func (s *scale) slopes(r1, r2 qdisc.Rate) (m1, m2 uint64, shift uint8) {
	if !s.exact {
		m1 = ceilDiv(uint64(r1/8), 1<<linuxSlopeShift, linuxTicksPerSecond)
		m2 = ceilDiv(uint64(r2/8), 1<<linuxSlopeShift, linuxTicksPerSecond)
		return m1, m2, linuxSlopeShift
	}
	shift = 63 // or the largest at which both fit 63 bits
	for uint64(max(r1, r2))>>(63-shift) >= nsPerByte {
		shift--
	}
	return scaled(uint64(r1), nsPerByte, shift), scaled(uint64(r2), nsPerByte, shift), shift
}

// inverse returns a rate's ticks a byte, times 2^shift.
func (s *scale) inverse(r qdisc.Rate) (inv uint64, shift uint8) {
	if !s.exact {
		if r /= 8; r == 0 {
			return inf, 0
		}
		return ceilDiv(linuxTicksPerSecond, 1<<linuxInverseShift, uint64(r)), linuxInverseShift
	}
	if r == 0 {
		return inf, 0
	}
	shift = 63
	for uint64(nsPerByte)>>(63-shift) >= uint64(r) {
		shift--
	}
	return scaled(nsPerByte, uint64(r), shift), shift
}

// scaled returns a/b times 2^shift, rounded up: then a product with a number
// that is not huge, shifted back, is the exact quotient rounded down. The
// result must fit 63 bits.
func scaled(a, b uint64, shift uint8) uint64 {
	q, r := bits.Div64(a>>(64-shift), a<<shift, b)
	if r != 0 {
		q++
	}
	return q
}

// ceilDiv returns a*b/c rounded up; the quotient must fit 64 bits.
func ceilDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, r := bits.Div64(hi, lo, c)
	if r != 0 {
		q++
	}
	return q
}

// mulShift returns a*m >> shift, and whether that overflows 64 bits.
func mulShift(a, m uint64, shift uint8) (v uint64, over bool) {
	hi, lo := bits.Mul64(a, m)
	return hi<<((64-shift)&63) | lo>>(shift&63), hi>>(shift&63) != 0
}
