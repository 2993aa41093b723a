package netsim

import (
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// line transmits one packet at a time and calls port.sent at its end.
type line interface{ transmit(p *Packet) }

// port is a hardware queue: a ring of packets, the one on the line included,
// and the reports by which the device says what has gone.
type port struct {
	sim  *Sim
	line line
	wire *wire  // the line, unless it is a Medium
	fill func() // there may be room again

	ring  qdisc.List // waiting for the line
	busy  bool       // one is on the line
	slots int        // in use, also by what has gone and is not reported
	size  int        // of the ring

	limiter   *bql.Limiter
	latency   time.Duration
	gone      int // packets not reported
	goneBytes int64
	report    *Timer
}

// defaultRing is the size of a ring with a limiter and no size given: more than
// a limiter lets in.
const defaultRing = 1024

func (p *port) init(e *egress, cfg *QueueConfig, fill func()) {
	p.sim, p.fill = e.sim, fill
	p.limiter, p.latency = cfg.Limiter, cfg.Completion
	switch {
	case cfg.Ring > 0:
		p.size = cfg.Ring
	case cfg.Limiter != nil:
		p.size = defaultRing
	default:
		p.size = 1
	}
	p.report = e.sim.NewTimer(p.complete)
	if cfg.Medium != nil {
		p.line = cfg.Medium.attach(e, p)
	} else {
		p.wire = newWire(e, p, cfg)
		p.line = p.wire
	}
}

// room tells whether a packet may be handed over.
func (p *port) room() bool {
	return p.slots < p.size && (p.limiter == nil || p.limiter.Available() >= 0)
}

// take takes a packet into the ring.
func (p *port) take(pkt *Packet) {
	p.slots++
	if p.limiter != nil {
		p.limiter.Queued(pkt.Len)
	}
	if p.busy {
		p.ring.Push(&pkt.Packet)
		return
	}
	p.busy = true
	p.line.transmit(pkt)
}

// sent is called by the line when it is done with a packet, which may not exist
// any more.
func (p *port) sent(bytes int64) {
	p.gone++
	p.goneBytes += bytes
	if next := p.ring.Pop(); next != nil {
		p.line.transmit(outer(next))
	} else {
		p.busy = false
	}
	switch {
	case p.latency == 0:
		p.complete()
	case !p.report.Pending():
		p.report.Set(p.sim.now.Add(p.latency))
	}
}

// complete is the device's report: all that has gone by now is the driver's
// again.
func (p *port) complete() {
	p.slots -= p.gone
	bytes := uint64(p.goneBytes)
	if p.limiter != nil && p.gone != 0 {
		p.limiter.Completed(bytes, p.sim.now)
	}
	p.gone, p.goneBytes = 0, 0
	p.fill()
}

func (p *port) setRate(r qdisc.Rate) {
	if p.wire != nil {
		p.wire.pace.set(min(r, maxRate))
	}
}

func (p *port) setDelay(d time.Duration) {
	if p.wire != nil {
		p.wire.delay = max(d, 0)
	}
}
