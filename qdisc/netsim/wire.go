package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// wire is a line of one's own in one direction: it serialises one packet at a
// time, and what has left is in flight until it arrives. However many are in
// flight there is one timer for all: they arrive in order.
type wire struct {
	*egress
	port *port

	pace     pace
	overhead int64      // bytes for each packet or segment
	minFrame int64      // bytes
	until    qdisc.Time // when it is through
	current  *Packet    // being serialised
	tx       *Timer

	delay  time.Duration
	jitter uint64 // ns, 0 to jitter more
	loss   uint64 // in 2^-53
	last   qdisc.Time
	flight qdisc.List
	rx     *Timer
}

func newWire(e *egress, p *port, cfg *QueueConfig) *wire {
	w := &wire{
		egress: e, port: p, pace: pace{rate: cfg.Rate}, overhead: int64(cfg.Overhead), minFrame: int64(cfg.MinFrame),
		delay: cfg.Delay, jitter: uint64(cfg.Jitter), loss: uint64(cfg.Loss * (1 << 53)),
	}
	w.tx = e.sim.NewTimer(w.transmitted)
	w.rx = e.sim.NewTimer(w.arrive)
	return w
}

// size returns the bytes that p occupies on the line.
func (w *wire) size(p *Packet) uint64 {
	n := int64(p.Len) + w.overhead*max(1, int64(p.Segs))
	return uint64(max(n, w.minFrame, 0))
}

// transmit begins to serialise p. The fraction of a nanosecond that the packet
// before has left counts only if p follows without a pause.
func (w *wire) transmit(p *Packet) {
	now := w.sim.now
	if w.pace.rate == 0 {
		w.finish(p)
		return
	}
	if now > w.until {
		w.pace.rest = 0
	}
	w.until = now.Add(w.pace.take(w.size(p)))
	w.current = p
	w.tx.Set(w.until)
}

func (w *wire) transmitted() {
	p := w.current
	w.current = nil
	w.finish(p)
}

// finish lets p go. The next packet begins first: what p sets off at the far
// end must find this link in order.
func (w *wire) finish(p *Packet) {
	w.sent(p)
	w.port.sent(int64(p.Len))
	if w.loss != 0 && w.sim.rng.Uint64()>>11 < w.loss {
		w.stats.Lost++
		w.end(p, Lost)
		return
	}
	if w.delay == 0 && w.jitter == 0 && w.flight.Empty() {
		w.deliver(p)
		return
	}
	at := w.sim.now.Add(w.delay)
	if w.jitter != 0 {
		at = at.Add(time.Duration(w.sim.uniform(w.jitter)))
	}
	p.due = max(at, w.last)
	w.last = p.due
	if w.flight.Empty() {
		w.rx.Set(p.due)
	}
	w.flight.Push(&p.Packet)
}

// arrive delivers what has come to the far end.
func (w *wire) arrive() {
	for q := w.flight.Head(); q != nil; q = w.flight.Head() {
		p := outer(q)
		if p.due > w.sim.now {
			w.rx.Set(p.due)
			return
		}
		w.flight.Pop()
		w.deliver(p)
	}
}
