package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Defaults of a PingConfig.
const (
	defaultPing    = 200 * time.Millisecond
	defaultPingLen = 98 // 56 bytes of data in ICMP, IPv4 and Ethernet
)

// PingConfig describes a Ping.
type PingConfig struct {
	Name string // for the event log

	Forward Receiver // first hop of the requests. Required
	Reverse Receiver // first hop of the answers. Required; Endpoint: no way back

	// Packet is what requests look like, and answers too but for the two hosts,
	// which change places. Len 0 counts as 98, the usual ping on Ethernet; Flow
	// is what disciplines hash, so give one that no other traffic has.
	Packet qdisc.Packet
	// Every is the time between requests; 0: 200 ms.
	Every time.Duration
	// Start is when the first leaves, Stop when no more do; 0: at once and
	// never.
	Start, Stop qdisc.Time
	// Record keeps the round trips over time in windows of this length; 0: not.
	Record time.Duration
}

// Ping sends requests at equal intervals, which the far end answers at once,
// and measures the round trips.
type Ping struct {
	RTT  qdisc.Histogram
	RTTs *Series // over time, in ns, at the answer's arrival; nil: not recorded

	sim      *Sim
	cfg      PingConfig
	timer    *Timer
	far      answerer
	sent     uint64
	received uint64
}

// answerer is the far end of a ping.
type answerer struct{ ping *Ping }

// NewPing returns a ping that starts by itself. Its errors are
// *qdisc.ConfigErrors.
func NewPing(s *Sim, cfg PingConfig) (*Ping, error) {
	var errs qdisc.ConfigErrors
	if cfg.Forward == nil {
		errs.Add("Forward", nil, "requests need a first hop")
	}
	if cfg.Reverse == nil {
		errs.Add("Reverse", nil, "answers need a first hop; Endpoint if the way back takes no time")
	}
	if cfg.Packet.Linked() {
		errs.Add("Packet", "linked", "a template stands in no list")
	}
	if cfg.Every < 0 {
		errs.Add("Every", cfg.Every, "a time between requests, 0 for 200 ms")
	}
	if cfg.Record < 0 {
		errs.Add("Record", cfg.Record, "the length of a window, 0 for none")
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	cfg.Every = orDefault(cfg.Every, defaultPing)
	cfg.Stop = orDefault(cfg.Stop, qdisc.Never)
	cfg.Packet.Len = orDefault(cfg.Packet.Len, defaultPingLen)
	p := &Ping{sim: s, cfg: cfg}
	p.far.ping = p
	if cfg.Record != 0 {
		p.RTTs = NewSeries(cfg.Record)
	}
	p.timer = s.NewTimer(p.request)
	if start := max(cfg.Start, s.now); start < cfg.Stop {
		p.timer.Set(start)
	}
	return p, nil
}

func (p *Ping) request() {
	now := p.sim.now
	pkt := p.packet(now, p.sent)
	pkt.To = &p.far
	p.sent++
	if next := now.Add(p.cfg.Every); next < p.cfg.Stop {
		p.timer.Set(next)
	}
	p.sim.Note(Emitted, p.cfg.Name, pkt)
	p.cfg.Forward.Receive(pkt)
}

func (p *Ping) packet(sent qdisc.Time, seq uint64) *Packet {
	pkt := p.sim.Alloc()
	pkt.Packet = p.cfg.Packet
	pkt.Payload = pkt
	pkt.Sent, pkt.Seq = sent, seq
	return pkt
}

// Receive answers a request with one packet that carries its time and number.
func (a *answerer) Receive(request *Packet) {
	p := a.ping
	pkt := p.packet(request.Sent, request.Seq)
	pkt.SrcHost, pkt.DstHost = request.DstHost, request.SrcHost
	pkt.To = p
	p.sim.Free(request)
	p.cfg.Reverse.Receive(pkt)
}

// Receive takes an answer.
func (p *Ping) Receive(pkt *Packet) {
	rtt := p.sim.now.Sub(pkt.Sent)
	p.received++
	p.RTT.Record(rtt)
	if p.RTTs != nil {
		p.RTTs.Add(p.sim.now, int64(rtt))
	}
	p.sim.Free(pkt)
}

// Sent returns how many requests left, Received how many answers came. The
// difference is lost or under way.
func (p *Ping) Sent() uint64     { return p.sent }
func (p *Ping) Received() uint64 { return p.received }
