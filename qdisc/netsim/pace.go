package netsim

import (
	"math"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// pace turns bytes into time at a bit rate and carries the fraction of a
// nanosecond over to the next packet, so that a million packets back to back
// take what their sum takes. In rest are the units of 1/rate ns.
type pace struct {
	rate qdisc.Rate
	rest uint64
}

// maxRate keeps 2^30 bytes and their framing, in bits times 10^9, plus the rest
// within 64 bits.
const maxRate = qdisc.Rate(1) << 62

// take returns the time that so many bytes need, up to 2^63-1 ns. The rate must
// not be 0. The quotient has no cheaper form: the rate may change at any packet.
func (p *pace) take(bytes uint64) time.Duration {
	total := bytes*8e9 + p.rest
	ns := total / uint64(p.rate)
	p.rest = total - ns*uint64(p.rate)
	return time.Duration(min(ns, math.MaxInt64))
}

// set changes the rate and keeps the fraction.
func (p *pace) set(rate qdisc.Rate) {
	if p.rate == 0 || rate == 0 {
		p.rest = 0
	} else {
		hi, lo := bits.Mul64(p.rest, uint64(rate))
		p.rest, _ = bits.Div64(hi, lo, uint64(p.rate)) // rest < rate, so it fits
	}
	p.rate = rate
}
