package lagg

import "math/bits"

// reciprocal divides numbers below 2^63 by one divisor, with a multiply
// (Granlund and Montgomery, Division by Invariant Integers using
// Multiplication, 1994): floor(x/d) = floor(x*magic / 2^(63+shift)) for shift =
// ceil(log2 d) and magic = ceil(2^(63+shift) / d), because magic*d is less than
// 2^shift too large.
type reciprocal struct {
	magic, d uint64
	shift    uint8
}

// reciprocalOf takes a divisor of 1 to 2^63.
func reciprocalOf(d uint64) reciprocal {
	shift := uint8(bits.Len64(d - 1))
	hi, lo := uint64(0), uint64(1)<<63
	if shift > 0 {
		hi, lo = 1<<(shift-1), 0
	}
	magic, rest := bits.Div64(hi, lo, d)
	if rest > 0 {
		magic++
	}
	return reciprocal{magic, d, shift}
}

func (r *reciprocal) div(x uint64) uint64 {
	hi, _ := bits.Mul64(r.magic, x<<1)
	return hi >> r.shift
}

func (r *reciprocal) mod(x uint64) uint64 { return x - r.div(x)*r.d }
