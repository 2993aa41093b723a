package qdisctest

import "github.com/netsched/netsched/qdisc"

// Enqueue offers p, which came from Packet, to the root.
func (l *Ledger) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	return l.EnqueueTo(l.root, p, now)
}

// EnqueueTo offers p to a discipline of the tree. Below the root, Sync and
// Check are due afterwards.
func (l *Ledger) EnqueueTo(q qdisc.Qdisc, p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if l.err != nil {
		return qdisc.Dropped
	}
	e := p.Payload.(*entry)
	l.enter(e)
	l.offered++
	s := l.begin("Enqueue", q, now)
	s.on(e)
	if q == l.root {
		l.advance(now)
	}
	n, bytes, lost := q.Len(), q.Backlog(), l.lost
	l.current = e
	v := q.Enqueue(p, now)
	l.current = nil
	s.result = v.String()
	l.collect()

	gone, losses := e.at < 0 && e.cut == 0, int(l.lost-lost)
	switch {
	case l.err != nil:
	case v == qdisc.Queued && gone:
		l.fail("Enqueue says Queued, but the packet was lost: %v", e.Reason)
	case v == qdisc.Congested && losses == 0:
		l.fail("Enqueue says Congested, but no packet was lost")
	case v == qdisc.Dropped && !gone && e.cut == 0:
		l.fail("Enqueue says Dropped, but the packet was not lost")
	case v == qdisc.Dropped && (losses != max(1, e.cut) || q.Len() != n || q.Backlog() != bytes):
		l.fail("Enqueue says Dropped, but more than this changed: %d packets lost, Len %d to %d, Backlog %d to %d",
			losses, n, q.Len(), bytes, q.Backlog())
	case v > qdisc.Congested:
		l.fail("Enqueue says %d, which is no verdict", v)
	case gone && p.Len > qdisc.MaxLen && e.Reason != qdisc.TooLong:
		l.fail("a packet of %d bytes was refused with Reason %v", p.Len, e.Reason)
	case !gone && e.cut == 0 && p.Len > qdisc.MaxLen:
		l.fail("a packet of %d bytes was accepted", p.Len)
	}
	l.compare()
	return v
}

// Split cuts p into p.Segs segments, as a Config's Split should, and is for
// that field of the discipline under test.
func (l *Ledger) Split(p *qdisc.Packet, segs *qdisc.List) {
	e := p.Payload.(*entry)
	if e != l.current || e.at < 0 {
		l.fail("Split of packet %d, which is not arriving", e.serial)
		return
	}
	n := max(1, uint32(p.Segs))
	l.leave(e)
	e.cut = int(n)
	for i := range n {
		seg := l.Packet()
		s := seg.Payload.(*entry)
		*s = entry{Packet: *p, serial: s.serial}
		s.Payload, s.Segs = s, 0
		s.Len = (p.Len + n - 1 - i) / n
		l.enter(s)
		segs.Push(seg)
	}
	l.split += uint64(n - 1)
	l.free.Push(p)
}

// Dequeue takes a packet from the root.
func (l *Ledger) Dequeue(now qdisc.Time) *qdisc.Packet { return l.DequeueFrom(l.root, now) }

// DequeueFrom takes a packet from a discipline of the tree. Below the root,
// Sync and Check are due afterwards.
func (l *Ledger) DequeueFrom(q qdisc.Qdisc, now qdisc.Time) *qdisc.Packet {
	if l.err != nil {
		return nil
	}
	parked, ready, known, answer := l.parked, l.readyAt(now), l.knows(now), l.answer
	s := l.begin("Dequeue", q, now)
	p := q.Dequeue(now)
	if p != nil {
		l.takeOut(p, s)
	}
	l.collect()
	if q == l.root && l.err == nil {
		l.advance(now)
		switch {
		case parked != nil && p != &parked.Packet:
			l.fail("Dequeue must give the parked packet %d", parked.serial)
		case known && p != answer:
			l.fail("Dequeue differs from the Peek before it")
		case p != nil && ready > l.mayBe && !l.unsync && !l.AllowLate:
			l.fail("Dequeue gives a packet, but ReadyAt was %v", ready)
		case p == nil:
			l.afterNil(now)
		}
	}
	l.compare()
	return p
}

func (l *Ledger) takeOut(p *qdisc.Packet, s *step) {
	e := l.own(p, "from Dequeue")
	if e == nil {
		return
	}
	s.on(e)
	switch {
	case p.Linked():
		l.fail("packet %d was handed out and is still linked", e.serial)
		return
	case p.Reason != qdisc.NotDropped:
		l.fail("packet %d was handed out with Reason %v", e.serial, p.Reason)
	}
	l.leave(e)
	l.sent++
	l.sentLen += uint64(e.length)
	l.free.Push(p)
}
