package cake

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// autorate estimates the rate of a link from what arrives over it: the bytes
// between two gaps that are longer than most.
type autorate struct {
	peak     uint64     // the estimate, bytes a second
	gap      uint64     // moving average between arrivals, 2^-8 ns; Linux: ns
	last     qdisc.Time // arrival
	since    qdisc.Time // of bytes
	bytes    uint64
	changed  qdisc.Time // when the rate was set last; Linux never notes it
	counting bool       // the default: last and since are valid
}

// What the estimate is subject to.
const (
	pause  qdisc.Time = 250e6 // between two settings of the rate; a longer gap is idle time
	maxGap qdisc.Time = 1e9
)

// estimate notes the arrival of length bytes, and sets the rate to 15/16 of the
// estimate from time to time. Linux keeps the time of the last arrival without
// Autorate too.
func (c *Cake) estimate(length uint64, now qdisc.Time) {
	a := &c.auto
	if !c.cfg.Autorate {
		a.last, a.bytes = now, 0
		return
	}
	gap := now - a.last
	if !c.linux && (!a.counting || gap > max(pause, c.tins[0].law.interval)) {
		// The line was idle, which says nothing about its rate.
		if !a.counting {
			a.counting, a.changed = true, now
		}
		a.bytes, a.last, a.since = 0, now, now
		return
	}
	gap = min(gap, maxGap)
	a.bytes += length
	a.last = now
	if !c.longGap(uint64(gap)) {
		return
	}
	hi, lo := bits.Mul64(a.bytes, 1e9)
	window := uint64(now - a.since)
	if hi < window {
		b, _ := bits.Div64(hi, lo, window)
		a.peak = approach(a.peak, b, 2, 8)
	}
	a.bytes, a.since = 0, now
	if now-a.changed > pause {
		if !c.linux {
			a.changed = now
		}
		c.retune(now)
	}
}

// longGap averages the gaps between arrivals, and tells whether this one is
// longer than most. If they are all equal each is, but not in Linux, whose
// average comes to rest a little below or above. Packets that come at the same
// time have none between them.
func (c *Cake) longGap(gap uint64) bool {
	a := &c.auto
	if c.linux {
		a.gap = approach(a.gap, gap, 2, 8)
		return gap > a.gap
	}
	const fraction = 8 // bits
	a.gap = approach(a.gap, gap<<fraction, 2, 8)
	return gap > 0 && gap >= a.gap>>fraction
}

// follow sets the estimate by a change of the configuration: a new Bandwidth is
// a better one, and without Autorate nothing is counted.
func (a *autorate) follow(was qdisc.Rate, cfg *Config) {
	if cfg.Bandwidth != was {
		a.peak = uint64(cfg.Bandwidth) / 8
	}
	if !cfg.Autorate {
		*a = autorate{peak: a.peak}
	}
}

// retune sets the rate to 15/16 of the estimate.
//
//go:noinline
func (c *Cake) retune(now qdisc.Time) {
	bps := qdisc.Rate(min(c.auto.peak, uint64(MaxBandwidth)/8) * 15 >> 4 * 8)
	if !c.linux {
		bps = max(bps, MinBandwidth)
	}
	c.cfg.Bandwidth = bps
	c.Forget()
	c.reconfigure(now)
}
