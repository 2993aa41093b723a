package netsim

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// senderState is where a connection stands, as its sender sees it.
type senderState uint8

const (
	closed   senderState = iota
	opening              // SYN sent
	open                 // all is well
	reducing             // after a mark, for a round trip
	recovery             // after a loss, until all that was sent before is acknowledged
	timedOut             // after a timeout, likewise
)

// tcpSender is the sending endpoint.
type tcpSender struct {
	tcp     *TCP
	control control
	hystart *hystart // nil: not used
	win     window
	rtt     roundTrip
	board   scoreboard
	state   senderState
	stopped bool

	una, nxt uint64 // first byte not acknowledged, first not sent
	limit    uint64 // end of the data that the application has handed over
	short    uint64 // end of the last segment that was not full
	packets  uint64 // sent
	done     bool   // and said so

	reduction
	probe tailProbe
	usage windowUsage
	cwr   bool // to be said with the next new data

	sending  bool
	wait     tcpWait
	pace     *Timer
	nextSend qdisc.Time // when pacing allows the next packet
	lastSend qdisc.Time
	quiet    qdisc.Time // since when nothing has been sent or acknowledged in order
	heard    qdisc.Time // when the latest acknowledgement came
	gaveUp   bool       // what it left open was given up
	lastSaid uint64     // the window that OnCwnd was told
}

func (s *tcpSender) init(t *TCP) {
	c := &t.cfg
	mss := float64(c.MSS)
	*s = tcpSender{
		tcp: t, control: c.Congestion.control(), limit: c.Bytes,
		win: window{cwnd: mss * float64(c.InitialWindow), ssthresh: noThreshold, mss: mss},
		rtt: roundTrip{margin: c.MinRTO}, board: scoreboard{mss: uint64(c.MSS)},
		wait: tcpWait{timeout: qdisc.Never, deadline: qdisc.Never, timer: t.sim.NewTimer(s.expired)},
	}
	if c.Bytes == 0 && !c.OnDemand {
		s.limit = math.MaxUint64
	}
	s.done = s.limit == 0
	if c.HyStart {
		s.hystart = newHystart(c.Pacing)
	}
	s.pace = t.sim.NewTimer(s.transmit)
}

// open sends the SYN.
func (s *tcpSender) open() {
	if s.state > opening {
		return
	}
	s.state = opening
	p := s.tcp.packet(&s.tcp.rcv, tcpHeader, &s.packets)
	p.TCP.Flags = SYN
	s.arm()
	s.schedule()
	s.launch(p)
}

func (s *tcpSender) close() {
	s.stopped = true
	s.limit = min(s.limit, s.nxt)
	s.finish()
}

func (s *tcpSender) write(bytes uint64) {
	if s.stopped || s.limit == math.MaxUint64 {
		return
	}
	if s.board.segs.len() == 0 && s.tcp.sim.now.Sub(s.lastSend) > s.rtt.timeout() {
		s.win.cwnd = min(s.win.cwnd, s.win.mss*float64(s.tcp.cfg.InitialWindow)) // RFC 5681, section 4.1
	}
	s.limit += min(bytes, math.MaxUint64-1-s.limit)
	s.done = s.done && bytes == 0
	s.transmit()
}

// Receive takes an acknowledgement.
func (s *tcpSender) Receive(p *Packet) {
	seg := p.TCP
	s.tcp.sim.Free(p)
	now := s.tcp.sim.now
	switch {
	case s.state == closed:
		return
	case s.state == opening:
		if seg.Flags&SYN == 0 {
			return
		}
		s.state = open
		s.rtt.backoff = 0
		s.rtt.sample(now.Sub(seg.TSEcr))
		s.disarm()
	default:
		s.acknowledged(&seg, now)
	}
	s.transmit()
	s.said()
	s.finish()
}

// acknowledged updates everything but what is sent in answer.
func (s *tcpSender) acknowledged(seg *Segment, now qdisc.Time) {
	var d delivery
	var rtt time.Duration
	if seg.Ack > s.una {
		s.board.ack(seg.Ack, &d, now, s.rtt.least, seg.TSEcr)
		s.una, s.quiet = seg.Ack, now
		rtt = now.Sub(seg.TSEcr)
		s.rtt.backoff = 0
		s.rtt.sample(rtt)
		if s.board.segs.len() == 0 {
			s.disarm()
		} else {
			s.arm()
		}
	}
	for _, block := range seg.SACK[:min(int(seg.Blocks), len(seg.SACK))] {
		s.board.sack(block, &d, now, s.rtt.least)
	}
	s.progress(&d, seg)
	found := s.board.detect(s.tcp.cfg.DupThresh, s.rtt.least/4)
	s.heard, s.gaveUp = now, false
	s.probed(seg)
	s.respond(&d, found, seg.Flags&ECE != 0 && s.tcp.cfg.ECN)
	limited := s.usage.limited(&s.win)
	switch {
	case s.state == reducing || s.state == recovery:
		s.prorate(&d)
	case d.acked == 0:
	case limited:
		// What an acknowledgement delivers, not what it covers: the segments
		// between a filled gap and the next were counted when they came.
		s.increase(float64(d.delivered), rtt)
	default:
		s.control.pause(now.Sub(s.usage.seen))
	}
	s.usage.seen = now
}

// finish says once that all is acknowledged.
func (s *tcpSender) finish() {
	if s.done || s.una != s.limit {
		return
	}
	s.done = true
	if f := s.tcp.cfg.OnDone; f != nil {
		f(s.tcp.sim.now)
	}
}

// said tells the window.
func (s *tcpSender) said() {
	cwnd := uint64(s.win.cwnd)
	if f := s.tcp.cfg.OnCwnd; f != nil && cwnd != s.lastSaid {
		f(s.tcp.sim.now, cwnd)
	}
	s.lastSaid = cwnd
}
