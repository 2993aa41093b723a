package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// TCP is a connection: both endpoints. It opens with a handshake, recovers by
// selective acknowledgements (RFC 6675) at the pace of proportional rate
// reduction (RFC 6937), and keeps the counters of both ends. A flight's end that is
// lost is found by a probe, and losses that too few segments follow by a timer (RFC
// 8985, but for more patience: see TCPConfig.NoProbe).
type TCP struct {
	sim   *Sim
	cfg   TCPConfig
	snd   tcpSender
	rcv   tcpReceiver
	stats TCPStats
	begin *Timer
	end   *Timer
}

// NewTCP returns a connection that does nothing before Start. Its errors are
// *qdisc.ConfigErrors.
func NewTCP(s *Sim, cfg TCPConfig) (*TCP, error) {
	var errs qdisc.ConfigErrors
	cfg.fill(s, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	t := &TCP{sim: s, cfg: cfg}
	t.snd.init(t)
	t.rcv.init(t)
	t.begin = s.NewTimer(t.snd.open)
	t.end = s.NewTimer(t.snd.close)
	return t, nil
}

// Config returns the configuration with the defaults filled in.
func (t *TCP) Config() TCPConfig { return t.cfg }

// Start has the sender open the connection at a time. A second Start, once it
// is open, changes nothing.
func (t *TCP) Start(at qdisc.Time) { t.begin.Set(at) }

// StopAt has the sender send nothing new from a time on. What is on its way is
// still delivered, and sent again where that is needed.
func (t *TCP) StopAt(at qdisc.Time) { t.end.Set(at) }

// Write hands the sender more to send, of a connection that is not without end
// and not stopped. A segment that is not full waits while another such is on
// its way, so that small writes travel together (Nagle's rule, RFC 9293,
// section 3.7.4, applied to small segments).
func (t *TCP) Write(bytes uint64) { t.snd.write(bytes) }

// packet returns a packet of this connection, to be filled.
func (t *TCP) packet(to Receiver, length uint32, seq *uint64) *Packet {
	p := t.sim.Alloc()
	p.Packet = t.cfg.Packet
	p.Payload, p.Len = p, length
	p.To, p.Sent, p.Seq = to, t.sim.now, *seq
	p.TCP.TSVal = t.sim.now
	*seq++
	return p
}

// TCPStats are the counters of a connection since its start, and the sender's
// present state.
type TCPStats struct {
	At        qdisc.Time // when they were read
	Acked     uint64     // bytes acknowledged to the sender
	Delivered uint64     // bytes given to the receiver's application, in order and once

	Segments      uint64 // sent, retransmissions included
	Packets       uint64 // in which they were sent; fewer with GSO
	Retransmitted uint64 // segments sent again
	Timeouts      uint64 // of the retransmission timer
	Probes        uint64 // sent when acknowledgements stopped
	Recoveries    uint64 // reductions for losses seen by selective acknowledgements or repaired by a probe
	ECNReductions uint64 // reductions for marks
	Undone        uint64 // reductions taken back, for nothing was lost

	Arrived   uint64 // segments received, repetitions included
	Spurious  uint64 // of them, those that the receiver had already: sent again for nothing
	Reordered uint64 // packets received after one that was sent later
	Marked    uint64 // segments received with a CE mark
	Runs      uint64 // runs in which segments reached the receiver; fewer than Arrived with Coalesce
	Acks      uint64 // acknowledgements sent

	SRTT, MinRTT, RTO time.Duration // 0 before the first sample, but for RTO
	Cwnd, Ssthresh    uint64        // bytes; Ssthresh 1<<62 before the first congestion
	InFlight          uint64        // bytes believed to be in the network
}

// Stats returns the counters.
func (t *TCP) Stats() TCPStats {
	s := t.stats
	s.At, s.Acked, s.Delivered = t.sim.now, t.snd.una, t.rcv.nxt
	s.SRTT, s.MinRTT, s.RTO = t.snd.rtt.smoothed, t.snd.rtt.least, t.snd.rtt.timeout()
	s.Cwnd, s.Ssthresh, s.InFlight = uint64(t.snd.win.cwnd), uint64(t.snd.win.ssthresh), uint64(t.snd.board.pipe)
	return s
}

// Goodput returns the mean rate of the bytes delivered between an earlier
// reading and this one.
func (s TCPStats) Goodput(since TCPStats) qdisc.Rate {
	d := s.At.Sub(since.At)
	if d <= 0 {
		return 0
	}
	return qdisc.Rate(float64(s.Delivered-since.Delivered) * 8 / d.Seconds())
}
