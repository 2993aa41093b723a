package tbf

import "github.com/netsched/netsched/qdisc"

// long deals with a packet that is too long to pass: it cuts a super-packet
// if it can and refuses everything else, a segment still too long included.
//
//go:noinline
func (t *TBF) long(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if t.cfg.Split == nil || p.Segs <= 1 || t.cutting {
		return t.Refuse(p, qdisc.TooLong)
	}
	t.cfg.Split(p, &t.segs)
	if t.segs.Empty() {
		return t.Refuse(p, qdisc.TooLong)
	}
	t.cutting = true
	n, refused, worst := 0, 0, qdisc.Queued
	for s := t.segs.Pop(); s != nil; s = t.segs.Pop() {
		n++
		switch t.Enqueue(s, now) {
		case qdisc.Dropped:
			refused++
		case qdisc.Congested:
			worst = qdisc.Congested
		}
	}
	t.cutting = false
	t.SplitInto(n)
	switch refused {
	case 0:
		return worst
	case n:
		return qdisc.Dropped
	}
	return qdisc.Congested
}
