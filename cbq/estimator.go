package cbq

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// average is the estimator of Floyd and Jacobson (appendix A): an exponentially
// weighted average of how much longer the gaps between a class's packets are
// than its rate asks for, in nanoseconds. It is reported and decides nothing:
// where packets differ in length it forgets what a class owes, which the clock
// of a meter does not.
type average struct {
	idle    float64 // avgidle
	gain    float64 // 2^-ewma
	perByte float64 // ns
	most    float64 // maxidle
	least   float64 // minidle, at most 0
	last    qdisc.Time

	lastOnLink float64 // ns
}

// sample counts a packet of n bytes, of which the link takes onLink ns, sent now.
// The gap is that between the ends of two transmissions.
func (a *average) sample(n, onLink float64, now qdisc.Time) {
	idle := float64(now-a.last) + (onLink - a.lastOnLink) - n*a.perByte
	a.last, a.lastOnLink = now, onLink
	a.idle = max(a.least, min(a.idle+(idle-a.idle)*a.gain, a.most))
}

// restart sets the average to what a class has that was idle for long.
func (a *average) restart() { a.idle, a.last, a.lastOnLink = a.most, 0, 0 }

// read returns the average.
func (a *average) read() time.Duration {
	if a.idle <= math.MinInt64/2 {
		return math.MinInt64 / 2
	}
	return time.Duration(min(a.idle, math.MaxInt64/2))
}
