package codel

import "github.com/netsched/netsched/qdisc"

// leave counts p, just taken from f, out of f.
func (l *law) leave(f *flow, p *qdisc.Packet) {
	f.backlog -= p.Len
	l.memory -= p.Charge()
}

// inTime tells whether p, the head of f that left just now, goes without
// further ado, as most packets do. If not, judge decides.
func (l *law) inTime(f *flow, p *qdisc.Packet, now qdisc.Time) bool {
	delay := l.ticks(now) - l.ticks(p.Stamp)
	if f.dropping || delay-l.target >= 0 || delay-l.ceThreshold > 0 {
		return false
	}
	l.delay, f.firstAbove = delay, 0
	l.maxPacket = max(l.maxPacket, p.Len)
	return true
}

// none notes that f was found empty.
func (f *flow) none() { f.firstAbove, f.dropping = 0, false }

// pop takes the head of f out of the discipline, nil if there is none.
func (l *law) pop(b *qdisc.Base, f *flow) *qdisc.Packet {
	p := f.list.Pop()
	if p != nil {
		l.leave(f, p)
		b.Release(p)
	}
	return p
}

// held returns the backlog that tells a queue from a packet in passing: the
// flow's own, in Linux the whole discipline's.
func (l *law) held(b *qdisc.Base, f *flow) int64 {
	if l.linux {
		return b.Backlog()
	}
	return int64(f.backlog)
}

// late tells whether p, taken just now, shows that the delay has been above
// target for an interval (RFC 8289 section 5.6, dodequeue).
func (l *law) late(b *qdisc.Base, f *flow, p *qdisc.Packet, now qdisc.Time) bool {
	if p == nil {
		f.firstAbove = 0
		return false
	}
	l.delay = now - l.ticks(p.Stamp)
	l.maxPacket = max(l.maxPacket, p.Len)
	switch {
	case l.delay-l.target < 0 || l.held(b, f) <= l.mtu:
		f.firstAbove = 0
		return false
	case f.firstAbove == 0:
		f.firstAbove = now + l.interval
		return false
	}
	return now-f.firstAbove >= l.past
}

// judge decides about p, which left f just now, and about those behind it if it
// is dropped (RFC 8289 section 5.5). It returns the packet to send, nil if none
// is left.
//
//go:noinline
func (l *law) judge(b *qdisc.Base, f *flow, p *qdisc.Packet, now qdisc.Time) *qdisc.Packet {
	now = l.ticks(now)
	late, marked := l.late(b, f, p, now), false
	switch {
	case !late:
		f.dropping = false
	case !f.dropping:
		if marked = l.mark(b, p); !marked {
			p = l.replace(b, f, p)
			l.late(b, f, p, now) // for firstAbove: dropping begins whatever p shows
		}
		l.begin(f, now)
	default:
		for f.dropping && !marked && now-f.dropNext >= 0 {
			f.add(1)
			l.newton(f)
			if marked = l.mark(b, p); !marked {
				p = l.replace(b, f, p)
				f.dropping = l.late(b, f, p, now)
			}
			if f.dropping {
				f.dropNext += l.step(f)
			}
		}
	}
	// Linux counts a packet that it has just marked once more.
	if p != nil && l.delay-l.ceThreshold > 0 && (!marked || l.linux) {
		l.markCE(b, p)
	}
	return p
}

// begin enters the dropping state. If the last time was not long ago, it
// resumes at the rate that was right then, or nearly.
func (l *law) begin(f *flow, now qdisc.Time) {
	f.dropping = true
	signals := f.count - f.lastCount
	before := f.dropNext != 0 || l.linux // drops for want of room count as signals too
	if signals > 1 && before && now-f.dropNext-16*l.interval < 0 {
		f.count = signals
		l.newton(f)
	} else {
		f.count, f.root = 1, fullRoot
	}
	f.lastCount = f.count
	f.dropNext = now + l.step(f)
}

// mark signals by ECN, if that is possible.
func (l *law) mark(b *qdisc.Base, p *qdisc.Packet) bool {
	if !l.ecn || !b.Mark(p) {
		return false
	}
	l.ecnMarks++
	return true
}

// markCE marks a packet that was delayed beyond the CE threshold, whether or
// not ECN is on.
func (l *law) markCE(b *qdisc.Base, p *qdisc.Packet) {
	if p.DSField&l.ceMask == l.ceSelector && b.Mark(p) {
		l.ceMarks++
	}
}

// replace drops p and takes the next packet of f, nil if there is none.
func (l *law) replace(b *qdisc.Base, f *flow, p *qdisc.Packet) *qdisc.Packet {
	b.Drop(p, qdisc.AQM)
	return l.pop(b, f)
}
