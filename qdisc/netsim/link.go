package netsim

import (
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// LinkConfig describes a Link. The zero value is a link that takes no time,
// behind a FIFO. Rate and the following fields are explained at QueueConfig.
type LinkConfig struct {
	Name string // for the event log

	// Qdisc is the discipline in front, the root of its tree, new and empty.
	// nil: a FIFO of 1000 packets. Leave its drop list to the link.
	Qdisc qdisc.Qdisc

	Rate       qdisc.Rate
	Delay      time.Duration
	Jitter     time.Duration
	Loss       float64
	Overhead   int
	MinFrame   int
	Ring       int
	Limiter    *bql.Limiter
	Completion time.Duration
	Medium     *Medium

	// To is where packets come out. nil: each one's own To (without one its
	// way ends there).
	To Receiver
	// OnDrop is shown each packet that comes to nothing here, before it is
	// freed: dropped by the discipline (its Reason says why) or lost on the
	// line (Reason NotDropped). It must not send packets.
	OnDrop func(p *Packet)
}

func (c *LinkConfig) queue() QueueConfig {
	return QueueConfig{
		Rate: c.Rate, Delay: c.Delay, Jitter: c.Jitter, Loss: c.Loss, Overhead: c.Overhead, MinFrame: c.MinFrame,
		Ring: c.Ring, Limiter: c.Limiter, Completion: c.Completion, Medium: c.Medium,
	}
}

// Link carries packets one way: through a discipline, a device that takes
// packets from it as the line and a limiter allow, and the line. A discipline
// that holds packets back is asked again when its ReadyAt says so.
type Link struct {
	egress
	port    port
	filling bool
}

// NewLink returns an idle link. Its errors are *qdisc.ConfigErrors.
func NewLink(s *Sim, cfg LinkConfig) (*Link, error) {
	var errs qdisc.ConfigErrors
	queue := cfg.queue()
	queue.check(s, "", &errs)
	l := &Link{egress: egress{name: cfg.Name, to: cfg.To, onDrop: cfg.OnDrop}}
	l.egress.init(s, cfg.Qdisc, l.fill, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	l.port.init(&l.egress, &queue, l.fill)
	return l, nil
}

// Receive takes p into the discipline.
func (l *Link) Receive(p *Packet) {
	l.offer(p)
	l.fill()
}

// fill hands packets to the device while it has room. What a packet sets off
// may lead back here; the call that is at work then goes on.
func (l *Link) fill() {
	if l.filling {
		return
	}
	l.filling = true
	for l.port.room() {
		p := l.next()
		if p == nil {
			break
		}
		l.port.take(p)
	}
	l.filling = false
}

// SetRate changes the line's rate from the next packet on; 0: no time at all.
// A rate above 2^62 counts as that. On a Medium it does nothing.
func (l *Link) SetRate(r qdisc.Rate) { l.port.setRate(r) }

// SetDelay changes the delay of packets not yet on the way; a negative one
// counts as 0. Packets keep their order. On a Medium it does nothing.
func (l *Link) SetDelay(d time.Duration) { l.port.setDelay(d) }

// Qdisc returns the discipline. Whoever changes it, or anything below it, calls
// Sync afterwards.
func (l *Link) Qdisc() qdisc.Qdisc { return l.q }

// Sync ends the packets that a change of the discipline has dropped, and asks
// it for one to send.
func (l *Link) Sync() {
	l.reap()
	l.fill()
}

// InFlight returns the packets handed to the device and not reported gone.
func (l *Link) InFlight() int { return l.port.slots }

// Stats returns the counters.
func (l *Link) Stats() LinkStats { return l.stats }
