package cake

import (
	"iter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Stats are the counters of a Cake beyond qdisc.Stats, as tc -s shows them.
type Stats struct {
	MemoryUsed  int64      // the most that packets were charged with at a time, in bytes
	MemoryLimit int64      // bytes
	Capacity    qdisc.Rate // the estimate of Autorate, or Bandwidth as it was first
	// The least and the greatest length of packets, from the network header on
	// if Overhead is set, and as framed; in bytes. 65535 and 0: there was none.
	MinNet, MaxNet           uint32
	MinAdjusted, MaxAdjusted uint32
	NetOff                   uint32     // average of Packet.NetOff, in bytes
	Tins                     []TinStats // from the one of the lowest priority
}

// TinStats are the counters of one tin.
type TinStats struct {
	Name      string     // "Bulk"
	Threshold qdisc.Rate // its share of Bandwidth; 0: unlimited
	Target    time.Duration
	Interval  time.Duration
	PeakDelay time.Duration // of its packets: a moving average that rises fast
	AvgDelay  time.Duration
	BaseDelay time.Duration // one that falls fast
	Backlog   int64         // bytes
	Packets   uint64        // accepted
	Bytes     uint64
	WayHits   uint64 // flows found in the set of their home queue, not there
	WayMisses uint64 // flows that got a free queue
	WayShared uint64 // flows that found none, and share one
	Drops     uint64 // by COBALT or for MemoryLimit
	Marks     uint64 // by COBALT, of packets that were sent
	Spared    uint64 // instead of which it let a packet pass that was marked before
	AckDrops  uint64
	// Flows: sparse ones and those that have just become empty, bulk ones, and
	// those that BLUE drops from.
	SparseFlows, BulkFlows, Unresponsive uint32
	MaxLen                               uint32 // longest packet in bytes
	Quantum                              uint32 // bytes a flow may send in a round
}

// Stats returns the counters of CAKE.
func (c *Cake) Stats() Stats {
	z := &c.sizes
	s := Stats{
		MemoryUsed: c.memoryMost, MemoryLimit: c.memoryLimit, Capacity: qdisc.Rate(min(c.auto.peak, 1<<60) * 8),
		MinNet: z.minNet, MaxNet: z.maxNet, MinAdjusted: z.minAdj, MaxAdjusted: z.maxAdj,
		NetOff: uint32((z.netOff + 1<<15) >> 16),
	}
	for k, i := range c.plan.order {
		s.Tins = append(s.Tins, c.tins[i].stats(c.plan.names[k]))
	}
	return s
}

func (t *tin) stats(name string) TinStats {
	return TinStats{
		Name: name, Threshold: qdisc.Rate(t.threshold),
		Target: time.Duration(t.law.target), Interval: time.Duration(t.law.interval),
		PeakDelay: time.Duration(t.peakDelay), AvgDelay: time.Duration(t.avgDelay), BaseDelay: time.Duration(t.baseDelay),
		Backlog: t.backlog, Packets: t.packets, Bytes: t.bytes,
		WayHits: t.wayHits, WayMisses: t.wayMisses, WayShared: t.wayCollisions,
		Drops: t.dropped, Marks: t.marks, Spared: t.spared, AckDrops: t.ackDrops,
		SparseFlows: t.sparse + t.decaying, BulkFlows: t.bulk, Unresponsive: t.unresponsive,
		MaxLen: t.maxLen, Quantum: uint32(t.flowQuantum),
	}
}

// FlowStats is where one flow stands.
type FlowStats struct {
	Tin      int           // in the order of Stats, from 0
	Len      int           // packets
	Backlog  int64         // bytes
	Deficit  int           // bytes that it may send in this round; what it overdrew is negative
	Drops    uint64        // packets
	Count    uint32        // COBALT's signals since the delay was above target, less those forgiven
	Dropping bool          // whether the delay is above target
	DropNext time.Duration // until the next signal is due, negative if overdue; 0 without Count
	BlueDrop float64       // probability that BLUE drops a packet
	BlueTime time.Duration // since that changed; 0 if it is 0
	Delay    time.Duration // how long its oldest packet has waited
}

// Flows ranges over the flows in the rounds, tin by tin, with the number of
// their queue from 0. A flow stays there for a while after its last packet. The
// Cake must not change meanwhile.
func (c *Cake) Flows(now qdisc.Time) iter.Seq2[int, FlowStats] {
	now = min(max(now, 0), qdisc.MaxTime)
	return func(yield func(int, FlowStats) bool) {
		for k, n := range c.plan.order {
			t := &c.tins[n]
			for ring := range numRings {
				for i := range t.each(ring) {
					s := t.flow(i, now)
					s.Tin = k
					if !yield(int(i), s) {
						return
					}
				}
			}
		}
	}
}

func (t *tin) flow(i uint16, now qdisc.Time) FlowStats {
	q := &t.queue[i]
	s := FlowStats{
		Len: q.list.Len(), Backlog: int64(q.backlog), Deficit: int(t.turn[i].deficit), Drops: q.dropped,
		Count: q.count, Dropping: q.dropping, BlueDrop: float64(q.blue) / (1 << 32),
	}
	if q.count != 0 {
		s.DropNext = time.Duration(q.dropNext - now) // as the law compares them
	}
	if q.blue != 0 {
		s.BlueTime = now.Sub(q.blueTime)
	}
	if p := q.list.Head(); p != nil {
		s.Delay = max(0, now.Sub(p.Stamp))
	}
	return s
}
