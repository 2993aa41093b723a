package codel

import (
	"iter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// State is where a flow's control law stands.
type State struct {
	Count     uint32        // signals of the present, or last, dropping state
	LastCount uint32        // Count when it began
	Dropping  bool          // whether the flow is in the dropping state
	DropNext  time.Duration // until the next signal is due, negative if overdue; 0 unless Dropping
}

// Marks counts what CoDel did to packets that it let through.
type Marks struct {
	ECNMark   uint64 // marked instead of dropped; "ecn_mark" in tc -s
	CEMark    uint64 // marked for CEThreshold; "ce_mark" in tc -s
	MaxPacket uint32 // longest packet judged, in bytes
}

func (l *law) state(f *flow, now qdisc.Time) State {
	s := State{Count: f.count, LastCount: f.lastCount, Dropping: f.dropping}
	if f.dropping {
		s.DropNext = l.nanoseconds(f.dropNext - l.ticks(now))
	}
	return s
}

// sojourn returns the delay of the packet judged last, which in Linux has no
// sign.
func (l *law) sojourn() time.Duration {
	if l.linux {
		return time.Duration(uint64(l.delay) >> l.up << l.down)
	}
	return time.Duration(l.delay)
}

func (l *law) marks() Marks {
	return Marks{ECNMark: l.ecnMarks, CEMark: l.ceMarks, MaxPacket: l.maxPacket}
}

// Stats are the counters of a CoDel beyond those of ReadStats, as tc -s shows
// them.
type Stats struct {
	State
	Marks
	Delay         time.Duration // sojourn time of the packet judged last; "ldelay"
	DropOverlimit uint64        // packets refused for want of room
}

// Stats returns the counters of CoDel.
func (c *CoDel) Stats(now qdisc.Time) Stats {
	return Stats{State: c.law.state(&c.flow, min(max(now, c.Latest()), qdisc.MaxTime)), Marks: c.law.marks(), Delay: c.law.sojourn(), DropOverlimit: c.overlimit}
}

// Counts are what only an FQ counts.
type Counts struct {
	DropOverlimit  uint64 // packets lost to the limits; "drop_overlimit"
	DropOverMemory uint64 // of these, to MemoryLimit; "drop_overmemory"
	NewFlowCount   uint64 // times a flow became active; "new_flow_count"
}

// FQStats are the counters of an FQ beyond those of ReadStats, as tc -s shows
// them.
type FQStats struct {
	Counts
	Marks
	MemoryUsed               int64 // charges of the packets in flows, in bytes; "memory_used"
	NewFlowsLen, OldFlowsLen int   // flows in the rounds; "new_flows_len", "old_flows_len"
}

// Stats returns the counters of FQ. It walks the flows in the rounds.
func (q *FQ) Stats() FQStats {
	s := FQStats{Counts: q.counts, Marks: q.law.marks(), MemoryUsed: q.law.memory}
	for range q.newFlows.all() {
		s.NewFlowsLen++
	}
	for range q.oldFlows.all() {
		s.OldFlowsLen++
	}
	return s
}

// FlowStats is where one flow of an FQ stands.
type FlowStats struct {
	State
	Len     int           // packets
	Backlog int64         // bytes
	Deficit int           // bytes that it may send in this round; what it overdrew is negative
	Delay   time.Duration // how long its oldest packet has waited
}

// Flows ranges over the flows in the rounds, new ones first, with their index
// from 0. A flow stays there for a round after its last packet. The FQ must
// not change meanwhile.
func (q *FQ) Flows(now qdisc.Time) iter.Seq2[int, FlowStats] {
	now = min(max(now, q.Latest()), qdisc.MaxTime)
	return func(yield func(int, FlowStats) bool) {
		for _, list := range []*flowList{&q.newFlows, &q.oldFlows} {
			for f := range list.all() {
				s := FlowStats{State: q.law.state(f, now), Len: f.list.Len(), Backlog: int64(f.backlog), Deficit: int(f.deficit)}
				if p := f.list.Head(); p != nil {
					s.Delay = max(0, now.Sub(p.Stamp))
				}
				if !yield(int(f.index), s) {
					return
				}
			}
		}
	}
}
