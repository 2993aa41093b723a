package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// A probe waits for two round trips and as long as a receiver may hold back the
// acknowledgement of a single segment (RFC 8985, section 7.2), or two ticks of a
// host's timers.
const (
	probeAckDelay = 200 * time.Millisecond
	probeTicks    = 2 * time.Millisecond
)

// tailProbe is a segment sent to learn what became of those before it, when
// acknowledgements have stopped and the timeout is still far (RFC 8985, section
// 7). There is one at a time.
type tailProbe struct {
	end   uint64 // it is answered when this byte is acknowledged; 0: none is on its way
	sent  qdisc.Time
	again bool // it was the last segment, sent again
}

// probeTimeout returns the silence after which a probe is sent.
func (s *tcpSender) probeTimeout() time.Duration {
	if s.board.segs.len() == 1 {
		return 2*s.rtt.smoothed + probeAckDelay
	}
	return 2*s.rtt.smoothed + probeTicks
}

// sendProbe sends new data, though the congestion window be full, or else the
// last segment again.
func (s *tcpSender) sendProbe() {
	s.tcp.stats.Probes++
	s.probe = tailProbe{end: s.nxt, sent: s.tcp.sim.now}
	s.arm() // before it is sent: a path without delay leads back here with the answer
	data := min(s.limit-s.nxt, s.una+uint64(s.tcp.cfg.Window)-s.nxt, uint64(s.tcp.cfg.MSS))
	if data > 0 {
		s.probe.end += data
		s.sendNew(uint32(data))
	} else {
		s.probe.again = true
		s.sendAgain(s.board.segs.tail - 1)
	}
	s.schedule()
}

// probed sees to a probe that is answered. If the last segment was missing, and
// the probe was what filled the gap, nothing else shows the loss: the window is
// reduced at once (section 7.4.2). An echo tells the probe from the original; a
// lost acknowledgement looks like a lost segment.
func (s *tcpSender) probed(seg *Segment) {
	if s.probe.end == 0 || s.una < s.probe.end {
		return
	}
	repaired := s.probe.again && seg.TSEcr >= s.probe.sent
	s.probe = tailProbe{}
	if repaired && s.state == open {
		s.tcp.stats.Recoveries++
		s.win.ssthresh = s.control.reduce(&s.win)
		s.win.cwnd = min(s.win.cwnd, s.win.ssthresh)
		s.point = s.una
	}
}
