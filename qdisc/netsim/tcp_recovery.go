package netsim

import "github.com/netsched/netsched/qdisc"

// reduction is the answer to a congestion that is under way.
type reduction struct {
	point    uint64 // it ends when this byte is acknowledged
	flight   int64  // bytes that were not acknowledged when it began
	got      int64  // bytes delivered since then
	out      int64  // bytes sent since then
	began    qdisc.Time
	before   window
	undoable bool // the first segment is being sent again for the first time
}

// progress ends a reduction that has run its course and takes back one that had
// no cause.
func (s *tcpSender) progress(d *delivery, seg *Segment) {
	if s.state <= open {
		return
	}
	if s.undoable && d.acked > 0 {
		// The first new acknowledgement answers a segment sent before the
		// first retransmission if the original got through (RFC 3522).
		s.undoable = false
		if seg.TSEcr < s.began && !s.tcp.cfg.NoUndo {
			s.undo()
			return
		}
	}
	if s.una < s.point {
		return
	}
	if s.state != timedOut {
		s.win.cwnd = s.win.ssthresh
	}
	s.state = open
}

// undo restores the window (RFC 4015).
func (s *tcpSender) undo() {
	s.tcp.stats.Undone++
	if s.state == timedOut {
		s.board.findAll()
	}
	s.win.cwnd = max(s.win.cwnd, s.before.cwnd)
	s.win.ssthresh = s.before.ssthresh
	s.control.undo()
	s.state = open
}

// respond begins a reduction. There is one for a window of data, however many
// losses and marks it has (RFC 5681, RFC 3168).
func (s *tcpSender) respond(d *delivery, lost, marked bool) {
	switch {
	case lost && s.state == open:
		s.tcp.stats.Recoveries++
		s.reduce(recovery, d)
	case lost && s.state == reducing:
		s.tcp.stats.Recoveries++
		s.state, s.point, s.probe = recovery, s.nxt, tailProbe{}
	case marked && s.state == open && s.una > s.point:
		// Up to the point the receiver has not heard of the last reduction
		// (RFC 3168, section 6.1.2).
		s.tcp.stats.ECNReductions++
		s.reduce(reducing, d)
		s.cwr = true
	}
}

func (s *tcpSender) reduce(to senderState, d *delivery) {
	flight := int64(s.nxt-s.una) + int64(d.acked)
	s.reduction = reduction{point: s.nxt, flight: max(flight, 1), began: s.tcp.sim.now, before: s.win}
	s.win.ssthresh = s.control.reduce(&s.win)
	s.state, s.probe = to, tailProbe{} // what a probe may show is answered
	s.undoable = to != reducing && !s.board.segs.at(s.board.segs.head).again
}

// prorate sets the window during a reduction: for every byte that arrives, so
// much is sent that the bytes in the network come down to the threshold as the
// round trip ends (proportional rate reduction, RFC 6937, with the slow start
// reduction bound).
func (s *tcpSender) prorate(d *delivery) {
	s.got += d.delivered
	threshold, mss := int64(s.win.ssthresh), int64(s.tcp.cfg.MSS)
	var more int64
	if pipe := s.board.pipe; pipe > threshold {
		more = (s.got*threshold+s.flight-1)/s.flight - s.out
	} else {
		more = min(threshold-pipe, max(s.got-s.out, d.delivered)+mss)
	}
	if s.out == 0 && s.state == recovery { // the first lost segment goes at once
		more = max(more, mss)
	}
	s.win.cwnd = float64(max(s.board.pipe+max(more, 0), mss))
}

// timeout is what the retransmission timer does: everything is sent again,
// from a window of one segment on (RFC 5681, section 3.1; RFC 6298, section
// 5). Data whose loss has been answered already do not reduce the threshold
// once more.
func (s *tcpSender) timeout() {
	s.tcp.stats.Timeouts++
	s.rtt.backoff++
	if s.state == opening {
		s.open()
		return
	}
	switch s.state {
	case open:
		s.reduce(timedOut, &delivery{})
	case reducing, recovery:
		s.undoable = false
	}
	s.control.timeout()
	s.state, s.point, s.probe = timedOut, s.nxt, tailProbe{}
	s.win.cwnd = s.win.mss
	s.board.loseAll()
	s.nextSend = 0
	s.arm()
	s.transmit()
	s.said()
}
