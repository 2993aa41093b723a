package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// transmit sends what the windows, the data and the pace allow, lost segments
// first. A path without delay may lead back here; the call that is at work then
// goes on.
func (s *tcpSender) transmit() {
	if s.sending || s.state < open {
		return
	}
	s.sending = true
	full := false
	for {
		if s.tcp.cfg.Pacing && s.tcp.sim.now < s.nextSend {
			s.pace.Set(s.nextSend)
			break
		}
		room := int64(s.win.cwnd) - s.board.pipe
		if number, ok := s.board.nextLost(); ok {
			if full = int64(s.board.segs.at(number).bytes) > room; full {
				break
			}
			s.sendAgain(number)
			continue
		}
		var bytes int64
		if bytes, full = s.sendable(room); bytes == 0 {
			break
		}
		s.sendNew(uint32(bytes))
	}
	s.usage.note(s.board.pipe, full, s.una, s.nxt)
	s.sending = false
	s.schedule()
}

// sendable returns the bytes of the next packet of new data, 0 if there is
// none to send now, and whether the congestion window, given the room in it, is
// the reason.
func (s *tcpSender) sendable(room int64) (bytes int64, full bool) {
	mss := int64(s.tcp.cfg.MSS)
	data := int64(min(s.limit-s.nxt, 1<<40))
	data = min(data, int64(s.una+uint64(s.tcp.cfg.Window)-s.nxt))
	segments := min(data/mss, s.burst())
	if segments == 0 { // the end of the data, or of the receiver's window
		if data <= 0 || uint64(data) < s.limit-s.nxt || s.una < s.short {
			return 0, false
		}
		if data > room {
			return 0, true
		}
		return data, false
	}
	if room < mss {
		return 0, true
	}
	if fit := room / mss; fit < segments {
		// Rather a full super-packet a little later than a small one now, as
		// long as acknowledgements are to come. A third of the window is big.
		if s.board.pipe > 0 && s.state == open && fit < int64(s.win.cwnd)/(3*mss) {
			return 0, true
		}
		segments = fit
	}
	return segments * mss, false
}

// burst returns how many segments may go in one packet.
func (s *tcpSender) burst() int64 {
	most := int64(s.tcp.cfg.GSO)
	if most > 1 && s.tcp.cfg.Pacing {
		if each := s.gap(int64(s.tcp.cfg.MSS)); each > 0 {
			most = min(most, max(2, int64(time.Millisecond/each)))
		}
	}
	return most
}

// gap returns the time that so many bytes take at the pace.
func (s *tcpSender) gap(bytes int64) time.Duration {
	factor := 1.2
	if s.win.cwnd < s.win.ssthresh {
		factor = 2
	}
	rate := max(s.win.cwnd, float64(s.nxt-s.una)) // as if all on its way were the window: recovery sets that low
	return time.Duration(float64(s.rtt.smoothed) * float64(bytes) / (factor * rate))
}

// sendNew sends the next bytes of data.
func (s *tcpSender) sendNew(bytes uint32) {
	mss := uint32(s.tcp.cfg.MSS)
	p := s.data(s.nxt, bytes, (bytes+mss-1)/mss)
	if s.cwr {
		s.cwr = false
		p.TCP.Flags |= CWR
	}
	if s.tcp.cfg.ECN {
		p.DSField |= qdisc.ECT0
	}
	if s.board.segs.len() == 0 {
		s.arm()
	}
	for bytes > 0 {
		n := min(bytes, mss)
		s.board.send(s.nxt, n, s.tcp.sim.now)
		s.nxt += uint64(n)
		bytes -= n
		if n < mss {
			s.short = s.nxt
		}
	}
	s.sent(p)
}

// sendAgain retransmits a segment. It is not ECN capable (RFC 3168, section
// 6.1.5). The timer starts anew with the segment that it is waiting for.
func (s *tcpSender) sendAgain(number uint64) {
	seg := s.board.segs.at(number)
	p := s.data(seg.seq, seg.bytes, 1)
	s.tcp.stats.Retransmitted++
	s.board.resend(number, s.tcp.sim.now)
	if number == s.board.segs.head {
		s.arm()
	}
	s.sent(p)
}

func (s *tcpSender) data(seq uint64, bytes, segments uint32) *Packet {
	p := s.tcp.packet(&s.tcp.rcv, bytes+segments*tcpHeader, &s.packets)
	p.TCP.Seq, p.TCP.Bytes = seq, bytes
	if segments > 1 {
		p.Segs, p.SegSize = uint16(segments), uint16(s.tcp.cfg.MSS)
	}
	s.tcp.stats.Segments += uint64(segments)
	s.tcp.stats.Packets++
	return p
}

// sent lets a packet go when all counts are up to date.
func (s *tcpSender) sent(p *Packet) {
	now, bytes := s.tcp.sim.now, int64(p.TCP.Bytes)
	s.out += bytes
	s.lastSend, s.quiet = now, now
	if s.tcp.cfg.Pacing && s.rtt.smoothed > 0 {
		s.nextSend = max(s.nextSend, now).Add(s.gap(bytes))
	}
	s.launch(p)
}

func (s *tcpSender) launch(p *Packet) {
	s.tcp.sim.Note(Emitted, s.tcp.cfg.Name, p)
	s.tcp.cfg.Forward.Receive(p)
}
