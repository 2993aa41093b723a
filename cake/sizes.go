package cake

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// sizes is what the shaper saw of packets' lengths, in bytes.
type sizes struct {
	maxNet, minNet uint32 // from the network header on, if link headers do not count
	maxAdj, minAdj uint32 // framed
	netOff         uint64 // moving average of the link header, in 2^-16

	// The default need not look at lengths between these, as framing keeps
	// their order.
	leastSeen, mostSeen int64
}

// reset forgets the lengths. The average stays.
func (s *sizes) reset() {
	*s = sizes{minNet: math.MaxUint16, minAdj: math.MaxUint16, leastSeen: math.MaxInt64, mostSeen: math.MinInt64, netOff: s.netOff}
}

// measure notes the lengths of p, which arrives.
func (c *Cake) measure(p *qdisc.Packet) {
	s := &c.sizes
	s.netOff = average(s.netOff, uint64(p.NetOff)<<16, 8)
	if n := c.framing.network(int64(p.Len), int64(p.NetOff)); n < s.leastSeen || n > s.mostSeen || p.Segs > 1 {
		c.measureAll(p)
	}
}

//go:noinline
func (c *Cake) measureAll(p *qdisc.Packet) {
	if p.Segs <= 1 {
		c.measureOne(int64(p.Len), int64(p.NetOff))
		return
	}
	first, last := segmentLengths(p)
	c.measureOne(first, int64(p.NetOff))
	c.measureOne(last, int64(p.NetOff))
}

func (c *Cake) measureOne(n, linkHeader int64) {
	s := &c.sizes
	n = c.framing.network(n, linkHeader)
	adj := c.framing.wire(n)
	if c.linux {
		s.noteShort(max(n, 0), adj)
		return
	}
	s.leastSeen, s.mostSeen = min(s.leastSeen, n), max(s.mostSeen, n)
	n = max(n, 0)
	s.maxNet, s.minNet = max(s.maxNet, uint32(n)), min(s.minNet, uint32(n))
	s.maxAdj, s.minAdj = max(s.maxAdj, uint32(adj)), min(s.minAdj, uint32(adj))
}

// noteShort keeps 16 bits, as Linux does.
func (s *sizes) noteShort(n, adj int64) {
	if int64(s.maxNet) < n {
		s.maxNet = uint32(uint16(n))
	}
	if int64(s.maxAdj) < adj {
		s.maxAdj = uint32(uint16(adj))
	}
	s.minNet, s.minAdj = uint32(min(int64(s.minNet), n)), uint32(min(int64(s.minAdj), adj))
}

// average moves avg by 2^-k of the way to sample.
func average(avg, sample uint64, k uint) uint64 { return avg - avg>>k + sample>>k }

// approach averages with a factor for samples above and another for the rest.
func approach(avg, sample uint64, above, below uint) uint64 {
	if sample > avg {
		return average(avg, sample, above)
	}
	return average(avg, sample, below)
}
