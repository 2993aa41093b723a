package hfsc

import (
	"cmp"
	"iter"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// Criterion is why a packet was sent.
type Criterion uint8

// The criteria.
const (
	RealTime Criterion = iota
	LinkShare
)

// String names the criterion.
func (c Criterion) String() string {
	switch c {
	case RealTime:
		return "real time"
	case LinkShare:
		return "link sharing"
	}
	return "unknown criterion"
}

// Work is what a class sent by one criterion.
type Work struct{ Packets, Bytes uint64 }

// ClassStats are the counters of a class. Those of a class with children are
// zero but for Parent, Level and State, unless it was a leaf before.
type ClassStats struct {
	qdisc.ClassStats        // of the leaf's discipline
	Parent           uint32 // class number; 0: the root
	Level            int    // height above the lowest leaf; 0: a leaf
	RealTime         Work   // sent by the real-time criterion
	LinkShare        Work   // sent by link sharing
	State
}

// State is where a class stands, for diagnosis. Times are in nanoseconds, with
// Compat Linux in ticks of 64.
type State struct {
	Total       uint64 // bytes sent here and below since the start or a Reset
	Cumulative  uint64 // of them those sent by real time
	Eligible    uint64 // time from which the head is sent by real time
	Deadline    uint64 // of the head
	VirtualTime uint64 // place among the siblings
	Adjusted    uint64 // what lifted VirtualTime above its curve in this period
	Fit         uint64 // time from which the UpperLimit lets the head go
	Period      uint32 // backlogged periods begun
	Active      uint32 // active children; of a leaf 1 if it takes part in link sharing
	ChildMin    uint64 // largest virtual time of a child when it was chosen
	ChildMax    uint64 // largest with which a child became passive
}

// Children ranges over the leaves and their disciplines.
func (h *HFSC) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for id, c := range h.byID {
			if c != nil && c.kids == nil && !yield(uint32(id), c.child.Qdisc) {
				return
			}
		}
	}
}

// Classes ranges over all classes, in order of their numbers.
func (h *HFSC) Classes() iter.Seq2[uint32, ClassStats] {
	return func(yield func(uint32, ClassStats) bool) {
		h.root.measure()
		for id, c := range h.byID {
			if c != nil && !yield(uint32(id), c.stats()) {
				return
			}
		}
	}
}

// Stats returns one class's counters.
func (h *HFSC) Stats(class uint32) (s ClassStats, ok bool) {
	if c := h.lookup(class); c != nil {
		c.measure()
		return c.stats(), true
	}
	return s, false
}

func (c *class) stats() ClassStats {
	s := ClassStats{Parent: c.cfg.Parent, Level: c.level, RealTime: c.work[RealTime], LinkShare: c.work[LinkShare], State: c.state()}
	if c.kids == nil {
		s.ClassStats = c.child.Stats()
	}
	return s
}

func (c *class) state() State {
	s := State{
		Total: c.total, Cumulative: c.cumul, Eligible: c.e, Deadline: c.d, VirtualTime: c.vt,
		Adjusted: c.vtadj, Fit: c.fit, Period: c.period, Active: c.nactive,
	}
	if k := cmp.Or(c.kids, c.past); k != nil {
		s.ChildMin, s.ChildMax = k.cvtmin, k.cvtoff
	}
	return s
}

// measure finds the heights of c and of all below it.
func (c *class) measure() {
	for _, level := range slices.Backward(c.levels()) {
		for _, n := range level {
			n.level = 0
			for kid := range n.kids.all() {
				n.level = max(n.level, kid.level+1)
			}
		}
	}
}
