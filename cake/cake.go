package cake

import (
	"math/rand/v2"

	"github.com/netsched/netsched/qdisc"
)

// Cake is CAKE: a shaper, tins by DSCP, fair queues and COBALT in one. It is
// not safe for concurrent use. Its Peek parks: the packet is judged, and the
// line charged, then.
type Cake struct {
	qdisc.Base
	line     clock
	failsafe qdisc.Time // the shaper's second clock
	watchdog qdisc.Time // see Watchdog
	n        int        // tins in use
	current  int        // the tin whose turn it is, if there is no rate
	linux    bool
	byHost   bool // hosts are flows
	bySrc    bool // hosts share by source
	byDst    bool // by destination

	isolation Isolation
	ackFilter AckFilter
	ingress   bool
	wash      bool
	estimates bool // see estimate
	override  bool // the DSCP is not all that tells the tin
	framing   framing
	early     map[*qdisc.Packet]int64 // see measured
	sizes     sizes
	plan      *plan
	tinByDSCP *[64]uint8

	memory      int64 // charges of the packets held, a parked one's excepted
	memoryMost  int64 // the highest that it was
	memoryLimit int64
	largest     int64 // charge of a packet that can be held at all

	longest longest
	auto    autorate
	random  rand.Source
	word    uint64 // of it, being used up
	thrown  uint8
	tins    [maxTins]tin
	segs    qdisc.List // empty between calls
	cfg     Config
}

// New returns an empty Cake. Its error joins a *qdisc.ConfigError for each
// thing that is wrong with cfg.
func New(cfg Config) (*Cake, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	c := &Cake{linux: cfg.Compat == qdisc.Linux, random: cfg.Rand}
	if c.random == nil {
		c.random = rand.NewPCG(rand.Uint64(), rand.Uint64())
	}
	if err := c.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	c.sizes.reset()
	c.longest = newLongest(c.linux)
	for i := range c.tins {
		c.tins[i].index = uint16(i)
	}
	c.auto.peak = uint64(cfg.Bandwidth) / 8
	c.set(cfg, 0)
	return c, nil
}

// set takes over a checked configuration, which holds from now.
func (c *Cake) set(cfg Config, now qdisc.Time) {
	c.cfg = cfg
	c.isolate(cfg.Isolation)
	c.ackFilter, c.ingress, c.wash = cfg.AckFilter, cfg.Ingress, cfg.Wash
	c.estimates = cfg.Autorate || c.linux
	c.override = cfg.FwMark != 0 || cfg.Classify != nil
	c.framing = cfg.Framing.scale(c.linux)
	if cfg.Rand != nil {
		c.random = cfg.Rand
	}
	c.reconfigure(now)
}

// Config returns the present configuration, with defaults filled in. Bandwidth
// is the present rate. A Target or MemoryLimit that is derived stays 0, so that
// it follows what it is derived from (see Stats for what it is).
func (c *Cake) Config() Config { return c.cfg.clone() }

// Dequeue returns the next packet, nil if none may leave now. Those that
// COBALT drops go to the drop list with Reason AQM.
func (c *Cake) Dequeue(now qdisc.Time) *qdisc.Packet {
	if c.Parked() != nil {
		return c.SendParked(now)
	}
	p := c.take(c.Clock(now))
	if p != nil {
		c.Sent(p)
	}
	return p
}

// Peek returns what Dequeue would, and parks it.
func (c *Cake) Peek(now qdisc.Time) *qdisc.Packet {
	now = c.Clock(now)
	if c.Parked() == nil {
		if p := c.take(now); p != nil {
			c.Park(p)
		}
	}
	return c.Parked()
}

// Reset sends everything held to the drop list. Linux keeps the clocks and the
// state of flows; the default forgets them.
func (c *Cake) Reset(now qdisc.Time) {
	back := c.Clock(now)
	back -= c.Rewind(now)
	c.PurgeParked()
	c.clear(0)
	if c.linux {
		c.current = maxTins - 1 // the one cleared last
		c.rewind(back)
		return
	}
	for i := range c.tins {
		c.tins[i].forget()
	}
	c.line.next, c.line.frac, c.failsafe, c.current = 0, 0, 0, 0
	c.auto = autorate{peak: c.auto.peak}
}

// rewind sets everything that is kept back by as much as the clock.
func (c *Cake) rewind(back qdisc.Time) {
	c.line.next, c.failsafe = max(0, c.line.next-back), max(0, c.failsafe-back)
	c.auto.last, c.auto.since = max(0, c.auto.last-back), max(0, c.auto.since-back)
	for i := range c.tins {
		t := &c.tins[i]
		t.clock.next = max(0, t.clock.next-back)
		if t.queues == nil {
			continue
		}
		for j := range t.queue {
			q := &t.queue[j]
			q.dropNext, q.blueTime = q.dropNext-back, q.blueTime-back
		}
	}
}

// forget makes all flows of an empty tin new ones.
func (t *tin) forget() {
	if t.queues != nil {
		t.queues.reset()
	}
	t.clock.next, t.clock.frac, t.deficit = 0, 0, 0
	t.sparse, t.bulk, t.decaying, t.unresponsive = 0, 0, 0, 0
}

// clear purges the packets in the tins from the first given. Linux leaves the
// heap in its order.
func (c *Cake) clear(first int) {
	left := c.longest.left
	c.longest.left = 0
	for i := first; i < maxTins; i++ {
		t := &c.tins[i]
		if t.queues == nil || c.Len() == 0 {
			continue
		}
		for j := range t.queue {
			for p := c.pop(t, uint16(j)); p != nil; p = c.pop(t, uint16(j)) {
				delete(c.early, p)
				c.Purge(p)
			}
			c.longest.set(c.id(t, uint16(j)), 0)
		}
	}
	if c.linux {
		c.longest.left = left
	}
	if len(c.early) == 0 {
		c.early = nil
	}
}
