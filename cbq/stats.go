package cbq

import (
	"iter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// ClassStats are the counters of a class. Packets and bytes are those of its
// own queue.
type ClassStats struct {
	qdisc.ClassStats
	Parent      uint32        // class number; 0: the root
	Level       int           // 0: it has no children; else 1 and its highest child's
	Borrows     uint64        // packets that it and those below it sent within the limit of a class above it
	Overactions uint64        // times that it reached its limit with packets waiting, here or below ("delays")
	AvgIdle     time.Duration // average by which packets came later than at Rate; negative: sooner
	UnderTime   qdisc.Time    // until when it is over its limit; in the past: it is within
}

// Children ranges over the classes and their disciplines.
func (q *CBQ) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) {
		for id, c := range q.byID {
			if c != nil && !yield(uint32(id), c.child.Qdisc) {
				return
			}
		}
	}
}

// Classes ranges over all classes, in order of their numbers.
func (q *CBQ) Classes() iter.Seq2[uint32, ClassStats] {
	return func(yield func(uint32, ClassStats) bool) {
		for id, c := range q.byID {
			if c != nil && !yield(uint32(id), c.stats()) {
				return
			}
		}
	}
}

// Stats returns one class's counters.
func (q *CBQ) Stats(class uint32) (s ClassStats, ok bool) {
	if c := q.lookup(class); c != nil {
		return c.stats(), true
	}
	return s, false
}

func (c *class) stats() ClassStats {
	s := ClassStats{ClassStats: c.child.Stats(), Parent: c.cfg.Parent, Borrows: c.borrows, Overactions: c.overactions}
	m := &c.meter
	if l := c.own; l != nil {
		m, s.Level = &l.meter, int(l.level)
		s.Borrows = l.borrows
		s.Overactions += l.overactions
	}
	s.AvgIdle, s.UnderTime = m.read(), max(0, m.at)
	if m.frac != 0 && m.at >= 0 {
		s.UnderTime++
	}
	return s
}
