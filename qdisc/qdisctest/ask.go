package qdisctest

import "github.com/netsched/netsched/qdisc"

// Peek peeks at the root.
func (l *Ledger) Peek(now qdisc.Time) *qdisc.Packet {
	if l.err != nil {
		return nil
	}
	parked, known, answer := l.parked, l.knows(now), l.answer
	s := l.begin("Peek", l.root, now)
	l.advance(now)
	p := l.root.Peek(now)
	l.collect()
	switch {
	case l.err != nil:
	case parked != nil && p != &parked.Packet:
		l.fail("Peek must give the parked packet %d", parked.serial)
	case known && p != answer:
		l.fail("Peek differs from the Peek before it")
	case p == nil:
		l.afterNil(now)
	default:
		if e := l.own(p, "from Peek"); e != nil {
			s.on(e)
			l.peekedAt(e)
		}
	}
	l.peeked, l.answer = !l.unsync, p
	l.compare()
	return p
}

// peekedAt finds out the kind of Peek, which must stay the same.
func (l *Ledger) peekedAt(e *entry) {
	kind := Looking
	if l.root.Common().Parked() == &e.Packet {
		kind, l.parked = Parking, e
	}
	switch {
	case !e.Linked():
		l.fail("packet %d is not marked as linked after Peek; hold packets in a qdisc.List", e.serial)
	case l.kind == Unknown:
		l.kind = kind
	case l.kind != kind:
		l.fail("this Peek was %v, an earlier one %v", kind, l.kind)
	}
}

// ReadyAt asks the root, which must not change by it.
func (l *Ledger) ReadyAt(now qdisc.Time) qdisc.Time {
	if l.err != nil {
		return qdisc.Never
	}
	s := l.trail.add("ReadyAt", now)
	t := l.readyAt(now)
	s.result = t.String()
	return t
}

func (l *Ledger) readyAt(now qdisc.Time) qdisc.Time {
	b := l.root.Common()
	stats, n, bytes, parked := b.ReadStats(), l.root.Len(), l.root.Backlog(), b.Parked()
	t := l.root.ReadyAt(now)
	again := l.root.ReadyAt(now)
	switch {
	case t != again:
		l.fail("ReadyAt(%v) is %v, and then %v", now, t, again)
	case b.ReadStats() != stats || l.root.Len() != n || l.root.Backlog() != bytes || b.Parked() != parked:
		l.fail("ReadyAt(%v) changed something", now)
	case l.drops != nil && !l.drops.Empty():
		l.fail("ReadyAt(%v) dropped a packet", now)
	case (t == qdisc.Never) != (n == 0) && !l.unsync:
		l.fail("ReadyAt(%v) is %v with Len %d", now, t, n)
	}
	return t
}

// afterNil checks the way on after Dequeue or Peek gave nothing.
func (l *Ledger) afterNil(now qdisc.Time) {
	if l.unsync || l.root.Len() == 0 || l.latest >= qdisc.MaxTime {
		return
	}
	ready := l.readyAt(now)
	if ready <= l.latest {
		l.fail("after nil, with Len %d, ReadyAt(%v) is %v: not later", l.root.Len(), now, ready)
	}
	parent, ok := l.root.(qdisc.Parent)
	if !ok || !l.WorkConserving {
		return
	}
	for class, child := range parent.Children() {
		if t := child.ReadyAt(l.latest); t <= l.latest {
			l.fail("nothing leaves at %v, but the child of class %d is ready", l.latest, class)
		} else if t < ready {
			l.fail("ReadyAt(%v) is %v, but the child of class %d is ready at %v", now, ready, class, t)
		}
	}
}
