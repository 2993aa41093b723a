package hfsc

import "github.com/netsched/netsched/qdisc"

// catchUpBytes is what a class may always catch up, however slow its upper
// limit: two full-size Ethernet frames.
const catchUpBytes = 2 * 1514

// refill moves on the time at which the upper limit of c lets the next packet
// go. What the class could not use because others kept it from sending is lost
// but for its slack: the whole limit then moves up to now. Linux keeps it all.
func (h *HFSC) refill(c *class, t uint64) {
	if h.scale.exact && t > c.slack && c.fit < t-c.slack { // else unbounded catch-up
		c.limit.x += t - c.slack - c.fit
	}
	c.fit = c.limit.when(c.total)
}

// fitTime returns the time from which c may be served by link sharing: when
// its own upper limit lets it and one of its children may be served.
func (c *class) fitTime() uint64 {
	if c.kids == nil || !c.kids.ready.Empty() || c.kids.later.Empty() {
		return c.fit
	}
	return max(c.fit, c.kids.later.First())
}

// firstFit returns the smallest fit time of a child, inf if none waits for it.
func (s *siblings) firstFit() uint64 {
	if s.later.Empty() {
		return inf
	}
	return s.later.First()
}

// slack returns the ticks by which c's upper limit may lag.
func (h *HFSC) slack(c *class) uint64 {
	if !h.scale.exact || !c.limited {
		return 0
	}
	frames, _ := mulShift(catchUpBytes, c.ul.inv2, c.ul.shift2)
	return max(h.scale.ticks(qdisc.Time(h.cfg.CatchUp)), frames)
}
