package cbq

import (
	"github.com/netsched/netsched/internal/heap"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// CBQ is a class-based queueing scheduler. It is not safe for concurrent use.
// Its Peek parks: the packet is charged then.
type CBQ struct {
	qdisc.Base
	guideline Guideline
	top       uint8 // of TopLevel: the highest level that may lend
	classify  func(*qdisc.Packet) uint32
	byID      []*class // by class number
	classes   index[*class]
	fifos     []*fifo.FIFO // that of each class, by its index; nil: its child is another discipline
	lenders   index[*lender]
	rows      rows
	sleepers  heap.Heap // classes that hold packets, and lenders that have borrowers, over their limits, by due
	waiting   heap.Heap // classes whose child gave nothing, by the time to ask again
	root      lender
	catchUp   qdisc.Time
	linkByte  float64 // ns that a byte takes on the link
	prios     uint8   // priorities in use
	weightLen uint8   // bit length of the largest weight so far
	cfg       Config
}

// Enqueue gives p to the child of its class, and returns the child's verdict.
// A packet without a class is refused with Reason Unclassified.
func (q *CBQ) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	id := p.Class
	if q.classify != nil {
		id = q.classify(p)
	}
	c := q.lookup(id)
	if c == nil {
		if c = q.lookup(q.cfg.Default); c == nil {
			return q.Refuse(p, qdisc.Unclassified)
		}
	}
	var v qdisc.Verdict
	if c.fifo != nil {
		v = c.fifo.Enqueue(p, now)
	} else {
		v = c.child.Enqueue(p, now)
	}
	if v == qdisc.Dropped {
		return v
	}
	if !c.live || v == qdisc.Congested || c.fifo == nil {
		q.settle(c, now)
	}
	if q.guideline == TopLevel {
		q.arrived(c, now)
	}
	return v
}

// Dequeue returns the next packet of a class that is within its limit, or else
// of one that may borrow; nil if all wait.
func (q *CBQ) Dequeue(now qdisc.Time) *qdisc.Packet {
	if q.Parked() != nil {
		return q.SendParked(now)
	}
	p := q.take(now)
	if p != nil {
		q.Sent(p)
	}
	return p
}

// Peek returns the packet that may leave now and parks it, its class charged;
// nil if none may.
func (q *CBQ) Peek(now qdisc.Time) *qdisc.Packet {
	if p := q.Parked(); p != nil {
		q.Clock(now)
		return p
	}
	p := q.take(now)
	if p != nil {
		q.Park(p)
	}
	return p
}

// take chooses a class and takes its packet.
func (q *CBQ) take(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if q.Len() == 0 {
		return nil
	}
	if !q.waiting.Empty() && q.waiting.First() <= uint64(now) {
		q.rouse(now)
	}
	for {
		var c *class
		var p *qdisc.Packet
		if !q.sleepers.Empty() && q.sleepers.First() <= uint64(now) {
			if c = q.lone(now); c != nil {
				if p = c.take(now); p != nil {
					q.sentAlone(c, p, now)
					return p
				}
				q.setAside(c, now)
				continue
			}
			q.awaken(now)
		}
		if q.rows.levels == 0 {
			return q.none(now)
		}
		level, pri := q.choose()
		row := &q.rows.at[level]
		slot := row.turns[pri].heap.Top()
		if level == 0 {
			// The class may not be in the processor's cache, and its FIFO does not
			// wait for it.
			c = q.classes.at[slot]
			if f := q.fifos[slot]; f != nil {
				p = f.Dequeue(now)
			} else {
				p = c.child.Dequeue(now)
			}
			if p != nil {
				q.sent(c, p, now)
				return p
			}
		} else {
			l := row.lenders.at[slot]
			c = l.borrower(pri)
			if p = c.take(now); p != nil {
				q.sentBorrowed(c, l, p, now)
				return p
			}
		}
		q.setAside(c, now)
	}
}

// none notes that nothing may leave now, and when that changes.
//
//go:noinline
func (q *CBQ) none(now qdisc.Time) *qdisc.Packet {
	if q.Len() == 0 {
		return nil // the children dropped what they held
	}
	q.Overlimit()
	q.refresh(now)
	at := uint64(qdisc.Blocked)
	if !q.waiting.Empty() {
		at = min(at, q.waiting.First())
	}
	if !q.sleepers.Empty() {
		at = min(at, q.sleepers.First())
	}
	q.Wait(max(qdisc.Time(at), now+1))
	return nil
}

// Reset sends everything held to the drop list and starts all classes afresh.
func (q *CBQ) Reset(now qdisc.Time) {
	now = q.Rewind(now)
	q.PurgeParked()
	q.rows.clear()
	q.sleepers.Clear()
	q.waiting.Clear()
	q.top = maxLevel
	for l := range q.lenders.all() {
		l.restart()
		l.active, l.joined = 0, 0
		for _, t := range l.borrowers {
			if t != nil {
				t.clear()
			}
		}
	}
	for c := range q.classes.all() {
		c.restart()
		c.live, c.joined, c.waiting = false, false, false
	}
	for c := range q.classes.all() {
		c.child.Reset(now)
		q.settle(c, now) // a child may keep what it holds
	}
}
