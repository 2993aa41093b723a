package cake

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// rate is how long a line takes for a byte: mult >> shift ns; 0: no time.
type rate struct {
	mult  uint64
	mask  uint64 // of the fraction of a nanosecond that is kept; Linux keeps none
	shift uint8
}

// exactShift leaves 32 bits for fractions of a nanosecond: at 1 Tbit/s, 8 ps a
// byte, that is exact to 3e-8.
const exactShift = 32

// newRate scales bit/s: 0, which is unlimited, or 2 at least, as all shares of
// MinBandwidth are.
func newRate(bps uint64, linux bool) rate {
	switch {
	case bps == 0:
		return rate{}
	case linux:
		// Bytes a second, 64 at least, to a factor of at most 34 bits.
		r := rate{mult: (1e9 << 34) / max(bps/8, 64), shift: 34}
		for r.mult>>34 != 0 {
			r.mult >>= 1
			r.shift--
		}
		return r
	}
	const unit = 8e9 // ns for a byte at 1 bit/s
	mult, rest := bits.Div64(unit>>(64-exactShift), unit<<exactShift&(1<<64-1), bps)
	if rest >= bps-rest {
		mult++
	}
	return rate{mult: mult, shift: exactShift, mask: 1<<exactShift - 1}
}

// time returns how long n bytes take: whole nanoseconds, and the fraction,
// which starts with frac.
func (r *rate) time(n int64, frac uint64) (qdisc.Time, uint64) {
	hi, lo := bits.Mul64(uint64(n), r.mult)
	lo, carry := bits.Add64(lo, frac, 0)
	hi += carry
	s := r.shift & 63
	if hi>>(s-1) != 0 {
		return qdisc.MaxTime, 0
	}
	return qdisc.Time(hi<<(64-s) | lo>>s), lo & r.mask
}

// clock is when a shaper lets the next packet go.
type clock struct {
	next qdisc.Time
	frac uint64 // of a nanosecond, that next is later, in the rate's fractions
	rate rate
}

// add moves the clock on by the time that n bytes take, and returns that.
func (c *clock) add(n int64) qdisc.Time {
	d, frac := c.rate.time(n, c.frac)
	c.next, c.frac = later(c.next, d), frac
	return d
}

// catchUp has a clock that is behind start now.
func (c *clock) catchUp(now qdisc.Time) {
	if c.next < now {
		c.next, c.frac = now, 0
	}
}

// retime changes the rate. What the clock is ahead of now becomes the time that
// as many bytes take at the new rate. What it is behind, and may catch up on,
// becomes neither more bytes nor more time. Where there is no rate, before or
// after, nothing is owed.
func (c *clock) retime(r rate, now qdisc.Time) {
	if r != c.rate {
		c.next, c.frac, c.rate = stretch(c.next, now, c.rate, r), 0, r
	}
}

// stretch returns t for a clock that is retimed from was to will.
func stretch(t, now qdisc.Time, was, will rate) qdisc.Time {
	if was.mult == 0 || will.mult == 0 {
		return now
	}
	if t < now {
		return now - min(now-t, convert(now-t, was, will))
	}
	return later(now, convert(t-now, was, will))
}

// convert returns how long what takes d at one rate takes at another of the same
// shift.
func convert(d qdisc.Time, was, will rate) qdisc.Time {
	hi, lo := bits.Mul64(uint64(d), will.mult)
	if hi >= was.mult {
		return qdisc.MaxTime
	}
	d64, _ := bits.Div64(hi, lo, was.mult)
	return qdisc.Time(min(d64, uint64(qdisc.MaxTime)))
}

// follow moves a tin's clock: one that is behind catches up, one that is not is
// left where the packet ends that starts now.
func (c *clock) follow(n int64, now qdisc.Time) {
	if c.next < now {
		c.add(n)
		return
	}
	d, frac := c.rate.time(n, 0)
	if end := later(now, d); c.next < end {
		c.next, c.frac = end, frac
	}
}

// later returns t + d, d >= 0, held at the end of time.
func later(t, d qdisc.Time) qdisc.Time { return min(t, qdisc.MaxTime-d) + d }

// shaped tells whether there is a rate to keep.
func (c *Cake) shaped() bool { return c.line.rate.mult != 0 }

// blocked tells whether the line is busy. A second clock, which counts packets
// sent one and a half times and lost ones not at all, lets a little through
// when losses have carried the first far ahead.
func (c *Cake) blocked(now qdisc.Time) bool { return c.line.next > now && c.failsafe > now }

// hold notes when the line will be free.
func (c *Cake) hold() { c.Wait(min(c.line.next, c.failsafe)) }

// alarm has Linux's watchdog set, once nothing is queued, to when the first of
// the decaying flows is expected to have come to rest.
//
//go:noinline
func (c *Cake) alarm(now qdisc.Time) {
	c.watchdog = min(c.line.next, c.failsafe)
	if c.Len() > 0 {
		return
	}
	for i := range c.tins {
		if t := &c.tins[i]; t.decaying > 0 {
			c.watchdog = later(now, t.law.target)
			return
		}
	}
}

// Watchdog returns the time for which Linux's watchdog was set last while
// packets left: perhaps one that is past, or at which there is nothing to do.
// It is 0 unless Compat is Linux. To know when to call, ask ReadyAt.
func (c *Cake) Watchdog() qdisc.Time { return c.watchdog }

// charge has the line and the tin busy for n bytes that are sent.
func (c *Cake) charge(t *tin, n int64, now qdisc.Time) {
	if !c.linux { // where it gets ahead for as long as nothing is lost
		c.failsafe = min(c.failsafe, c.line.next)
	}
	t.clock.follow(n, now)
	d := c.line.add(n)
	c.failsafe = later(c.failsafe, later(d, d/2))
}

// chargeLost has them busy for n bytes that are lost after they came over the
// line. What a flood loses holds the line up for an interval and a packet at
// most, so that it does not outlast the flood by long. Linux knows no bound.
func (c *Cake) chargeLost(t *tin, n int64, now qdisc.Time) {
	t.clock.follow(n, now)
	if c.linux || c.line.next-now <= c.tins[0].law.interval {
		c.line.add(n)
	}
}
