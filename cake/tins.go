package cake

import (
	"math"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// maxTins is the largest number of tins.
const maxTins = 8

// plan is how a Diffserv mode divides the line.
type plan struct {
	names []string // in the order in which tins are shown
	order []uint8  // the tin that each of these is
	shift []uint8  // a tin's rate is the line's >> shift; nil: 7/8 of the tin before
	quant []int64  // bytes that a tin sends in a round when there is no rate
	tin   [64]uint8
}

var (
	numbers = []string{"Tin 0", "Tin 1", "Tin 2", "Tin 3", "Tin 4", "Tin 5", "Tin 6", "Tin 7"}
	natural = []uint8{0, 1, 2, 3, 4, 5, 6, 7}
	eighths = []int64{256, 224, 196, 171, 149, 130, 113, 98}
)

var plans = [...]plan{
	Diffserv3: {
		names: []string{"Bulk", "Best Effort", "Voice"},
		order: []uint8{1, 0, 2},
		shift: []uint8{0, 4, 2},
		quant: []int64{1024, 64, 256},
		tin:   dscps(0, 1, []int{1, 8}, 2, []int{4, 44, 46, 48, 56}),
	},
	BestEffort: {names: numbers[:1], order: natural[:1], shift: []uint8{0}, quant: []int64{65535}},
	Precedence: {names: numbers, order: natural, quant: eighths, tin: precedences()},
	Diffserv4: {
		names: []string{"Bulk", "Best Effort", "Video", "Voice"},
		order: []uint8{1, 0, 2, 3},
		shift: []uint8{0, 4, 1, 2},
		quant: []int64{1024, 64, 512, 256},
		tin: dscps(0, 1, []int{1, 8}, 2, []int{4, 16, 18, 20, 22, 24, 26, 28, 30, 34, 36, 38},
			3, []int{32, 40, 44, 46, 48, 56}),
	},
	Diffserv8: {
		names: numbers, order: natural, quant: eighths,
		tin: dscps(2, 0, []int{1}, 1, []int{2, 8, 10, 12, 14}, 3, []int{24, 26, 28, 30, 34, 36, 38},
			4, []int{4, 18, 20, 22}, 5, []int{16}, 6, []int{32, 40, 44, 46}, 7, []int{48, 56}),
	},
}

// dscps returns the tin of each DSCP: pairs of a tin and its DSCPs, and the
// one for the rest.
func dscps(rest uint8, pairs ...any) (tin [64]uint8) {
	for i := range tin {
		tin[i] = rest
	}
	for i := 0; i < len(pairs); i += 2 {
		for _, d := range pairs[i+1].([]int) {
			tin[d] = uint8(pairs[i].(int))
		}
	}
	return tin
}

func precedences() (tin [64]uint8) {
	for i := range tin {
		tin[i] = uint8(i >> 3)
	}
	return tin
}

// tin is one class of traffic, with its parameters scaled once.
type tin struct {
	*queues         // nil until the tin is first in use
	clock     clock // when it is on schedule, if there is a rate
	deficit   int64 // bytes that it may send in this round, if there is none
	quantum   int64
	law       law
	threshold uint64 // its rate, bit/s
	index     uint16

	flowQuantum  uint64 // bytes, before hosts share it
	sparse       uint32 // flows in the states sparse and waiting
	bulk         uint32 // in the state bulk
	decaying     uint32
	unresponsive uint32 // flows that BLUE drops from
	backlog      int64  // bytes

	peakDelay, avgDelay, baseDelay uint64 // moving averages, ns
	packets, bytes                 uint64 // accepted
	dropped, marks, spared         uint64
	ackDrops                       uint64
	wayHits, wayMisses             uint64
	wayCollisions                  uint64
	maxLen                         uint32
}

// active returns how many flows may have packets.
func (t *tin) active() uint32 { return t.sparse + t.bulk }

// reconfigure derives everything from the configuration and the present rate,
// which holds from now.
func (c *Cake) reconfigure(now qdisc.Time) {
	p := &plans[c.cfg.Diffserv]
	c.plan, c.n, c.tinByDSCP = p, len(p.order), &p.tin
	bps := c.whole(uint64(c.cfg.Bandwidth))
	left := bps
	for i := range c.n {
		t := &c.tins[i]
		if t.queues == nil {
			t.queues = newQueues(c.linux)
		}
		share := left
		if p.shift == nil {
			left = c.whole(left - (left+7)/8)
		} else if bps != 0 {
			share = c.whole(bps >> p.shift[i])
		}
		t.quantum = p.quant[i]
		c.setRate(t, share, now)
	}
	c.setLine(c.tins[0].clock.rate, now)
	c.memoryLimit = c.limit(bps)
	c.largest = c.memoryLimit
	if c.linux { // accepts everything, then makes room
		c.largest = math.MaxInt64
	}
	switch {
	case c.n == maxTins:
	case c.linux: // clearing the other tins leaves it there
		c.current = maxTins - 1
	case c.current >= c.n:
		c.current = 0
	}
}

// whole returns the rate that is kept of one in bit/s: Linux counts whole bytes
// a second, so that a share of a low rate may be 0, which is unlimited.
func (c *Cake) whole(bps uint64) uint64 {
	if c.linux {
		return bps &^ 7
	}
	return bps
}

// setRate derives a tin's parameters from its rate, in bit/s.
func (c *Cake) setRate(t *tin, bps uint64, now qdisc.Time) {
	const least, linuxMost = 300, 1514
	mtu := int64(c.cfg.MTU)
	most := uint64(mtu)
	if c.linux { // whatever the MTU is
		most = linuxMost
	}
	t.threshold = bps
	t.flowQuantum = most
	if bps != 0 {
		t.flowQuantum = max(min(bps/8>>12, most), least)
	}
	r := newRate(bps, c.linux)
	if !c.linux { // whose clocks stand as they are
		t.clock.retime(r, now)
	}
	t.clock.rate = r
	target, rtt := qdisc.Time(c.cfg.target()), qdisc.Time(c.cfg.RTT)
	packet, _ := t.clock.rate.time(mtu, 0)
	packet = min(packet, math.MaxInt64>>13)
	t.law = law{linux: c.linux, packetTime: packet, target: max(packet*3/2, target)}
	t.law.interval = max(rtt+t.law.target-target, 2*t.law.target)
}

// setLine sets the rate of the line. Without one the tins take turns, which
// start even.
func (c *Cake) setLine(r rate, now qdisc.Time) {
	was := c.line.rate
	if !c.linux && r != was {
		c.failsafe = stretch(c.failsafe, now, was, r)
		c.line.retime(r, now)
		if was.mult == 0 || r.mult == 0 {
			for i := range c.tins {
				c.tins[i].deficit = 0
			}
		}
	}
	c.line.rate = r
}

// limit returns the bytes of memory that may be used at a rate in bit/s.
func (c *Cake) limit(bps uint64) int64 {
	const rounds, least, packets = 4, 4 << 20, 10240
	limit := uint64(math.MaxUint32)
	if bps != 0 {
		limit = max(c.product(bps, c.cfg.RTT)*rounds/1e6, least)
		if c.linux { // keeps 32 bits
			limit = max(uint64(uint32(bps/8*uint64(c.cfg.RTT.Microseconds())/(1e6/rounds))), least)
		}
	}
	set := c.cfg.MemoryLimit
	if set > 0 {
		limit = uint64(set)
	}
	return int64(min(limit, max(packets*uint64(c.cfg.MTU), uint64(set))))
}

// product returns what a rate in bit/s sends in d, in 1e-6 bytes, as far as a
// quarter of 64 bits holds it.
func (c *Cake) product(bps uint64, d time.Duration) uint64 {
	hi, lo := bits.Mul64(bps, uint64(d.Microseconds()))
	if hi >= 2 {
		return math.MaxUint64 / 4
	}
	return min((hi<<61 | lo>>3), math.MaxUint64/4)
}
