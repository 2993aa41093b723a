// Package invsqrt is the 1/sqrt(n) of CoDel's control law (RFC 8289 section
// 5.4), exact and as Linux approximates it. Package codel's law and CAKE's
// COBALT both go by it.
package invsqrt

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// Step returns interval/sqrt(n), rounded to the nearest nanosecond; an n of 0
// counts as 1.
func Step(interval qdisc.Time, n uint32) qdisc.Time {
	return qdisc.Time(math.Round(float64(interval) / math.Sqrt(float64(max(n, 1)))))
}

// Newton brings x nearer to 1/sqrt(n), in 2^-32: x <- x (3 - n x^2) / 2.
func Newton(x, n uint32) uint32 {
	square := uint64(x) * uint64(x) >> 32
	v := (3<<32 - uint64(n)*square) >> 2
	return uint32(v * uint64(x) >> 31)
}
