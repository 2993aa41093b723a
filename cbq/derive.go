package cbq

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// DefaultEWMA is the filter constant that tc and ALTQ use: a gain of 1/32.
const DefaultEWMA = 5

// IdleTimes are the parameters of the estimator as tc and pfctl hand them to
// their kernels, unscaled.
type IdleTimes struct {
	MaxIdle time.Duration // the most that avgidle reaches
	OffTime time.Duration // what a class that is over its limit waits at least
}

// DeriveIdleTimes computes the parameters by the formulas that tc and pfctl
// share: for a class of the given rate on a link, packets of avpkt bytes, maxburst of
// them in a row after an idle time and minburst after a wait. With g = 1 -
// 2^-ewma, x = avpkt/link and q = avpkt/rate - x,
//
//	MaxIdle = max(x*(1-g), q*(g^-maxburst - 1))
//	OffTime = q*(1 + (g^-(minburst-1) - 1)/(1-g)); q*(1/g - 1) if minburst is 1; 0 if 0
//
// A class is not made of these, but of the bursts themselves (see the package
// comment, Bursts); MaxIdle bounds the AvgIdle that it reports.
func DeriveIdleTimes(link, rate qdisc.Rate, avpkt uint32, maxburst, minburst, ewma int) IdleTimes {
	x, q := gap(link, rate, avpkt)
	gain := math.Pow(2, -float64(ewma))
	if q == 0 {
		return IdleTimes{MaxIdle: duration(x * gain)} // however long the bursts
	}
	g := 1 - gain
	t := IdleTimes{MaxIdle: duration(max(x*gain, q*(math.Pow(g, -float64(maxburst))-1)))}
	switch minburst {
	case 0:
	case 1:
		t.OffTime = duration(q * (1/g - 1))
	default:
		t.OffTime = duration(q * (1 + (math.Pow(g, -float64(minburst-1))-1)/gain))
	}
	return t
}

// gap returns the time of a packet on the link, and by how much a packet at
// the class's rate takes longer, in nanoseconds.
func gap(link, rate qdisc.Rate, avpkt uint32) (onLink, more float64) {
	n := float64(avpkt) * nsPerByte
	return n / float64(link), max(0, n/float64(rate)-n/float64(link))
}

// DefaultMaxBurst is the burst, in packets, that pfctl gives a class: 16, or 4
// if packets of avpkt bytes at its rate come more than 10 ms further apart than
// the link could send them.
func DefaultMaxBurst(link, rate qdisc.Rate, avpkt uint32) int {
	if _, more := gap(link, rate, avpkt); more > 10e6 {
		return 4
	}
	return 16
}

// MinIdle returns the debt that pfctl allows a class: one packet of maxpkt
// bytes at its rate, as an average.
func MinIdle(rate qdisc.Rate, maxpkt uint32) time.Duration {
	return duration(math.Ceil(float64(maxpkt) * nsPerByte / float64(rate)))
}

// span is the longest time that a parameter may mean, 73 years: an instant and
// twice that fit 64 bits together.
const span qdisc.Time = 1 << 61

// duration rounds ns to whole nanoseconds within 0..span; not a number is 0.
func duration(ns float64) time.Duration {
	if !(ns > 0) {
		return 0
	}
	return time.Duration(min(math.Round(ns), float64(span)))
}
