package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// waitKind is what a sender does when its timer fires.
type waitKind uint8

const (
	waitTimeout waitKind = iota // send everything again
	waitProbe                   // ask what has arrived
	waitMissing                 // give up segments that others have overtaken
)

// tcpWait is a sender's one timer for losses. Mostly it is put off, so it is left
// to fire early and then set to the deadline.
type tcpWait struct {
	timeout  qdisc.Time // when the retransmission timeout is over; Never: nothing is on its way
	deadline qdisc.Time // that, or what comes before it
	kind     waitKind   // of the deadline
	armed    qdisc.Time // when the timer fires: not after the deadline
	timer    *Timer
}

// arm starts the retransmission timeout anew (RFC 6298, section 5). Schedule is to
// follow.
func (s *tcpSender) arm() { s.wait.timeout = s.tcp.sim.now.Add(s.rtt.timeout()) }

// disarm ends it.
func (s *tcpSender) disarm() { s.wait.timeout = qdisc.Never }

// schedule sets the timer to what comes first. Until it is known that something
// is lost, that may be a probe, or the end of patience with what was overtaken. A
// probe takes the place of the first timeout, if that would come before it (RFC
// 8985, section 7.2).
func (s *tcpSender) schedule() {
	w := &s.wait
	w.deadline, w.kind = w.timeout, waitTimeout
	if (s.state == open || s.state == reducing) && s.board.segs.len() > 0 && !s.tcp.cfg.NoProbe {
		overtaken := len(s.board.received.list) > 0
		switch {
		case !overtaken && s.probe.end == 0:
			w.deadline, w.kind = min(w.timeout, s.quiet.Add(s.probeTimeout())), waitProbe
		case overtaken && !s.gaveUp:
			w.deadline, w.kind = min(w.timeout, s.heard.Add(s.patience())), waitMissing
		}
	}
	if w.deadline != qdisc.Never && (!w.timer.Pending() || w.deadline < w.armed) {
		w.armed = w.deadline
		w.timer.Set(w.armed)
	}
}

// expired is called by the timer.
func (s *tcpSender) expired() {
	w := &s.wait
	switch {
	case w.deadline == qdisc.Never:
	case w.deadline > s.tcp.sim.now:
		w.armed = w.deadline
		w.timer.Set(w.armed)
	case w.kind == waitProbe:
		s.sendProbe()
	case w.kind == waitMissing:
		s.giveUp()
	default:
		s.timeout()
	}
}

// patience returns how long after the latest acknowledgement a segment that was
// overtaken may still arrive: a quarter of the least round trip, more when that
// has turned out to be too little, a whole round trip when DupThresh says that
// reordering is to be expected. RFC 8985, section 6.2, counts from when the
// segment would have been acknowledged; here every acknowledgement starts the time
// anew, so that where many segments are on their way the threshold decides.
func (s *tcpSender) patience() time.Duration {
	reorder := s.rtt.smoothed
	if s.tcp.cfg.DupThresh <= standardDupThresh {
		reorder = min(reorder, time.Duration(1+min(s.tcp.stats.Undone, 100))*s.rtt.least/4)
	}
	return max(reorder, probeTicks)
}

// giveUp takes what was overtaken and has not arrived for lost.
func (s *tcpSender) giveUp() {
	s.gaveUp = true
	var d delivery
	s.respond(&d, s.board.giveUp(), false)
	if s.state == recovery {
		s.prorate(&d)
	}
	s.transmit()
	s.said()
}
