package txq

import (
	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// hwQueue is what a Queue knows about one hardware queue. Its packets in flight
// are those being written, and those in rest, held and ring.
type hwQueue struct {
	index   int
	limiter *bql.Limiter // nil: none
	stops   stops        // why it is stopped; 0: it runs
	listed  bool         // in Queue.ready

	rest  qdisc.List // the device had no room: they go first. The limiter knows of them
	held  qdisc.List // taken while the queue was stopped: they go next
	again qdisc.List // what is to go before rest, for the moment

	ring    qdisc.List // with a Completer, the oldest first
	writing int        // packets that Run is writing
	early   int        // of those, completed before Write has returned

	flight fill
	bytes  uint64 // of this write, for the moment

	stats HardwareStats
}

// stops are the reasons for a hardware queue to be stopped.
type stops uint8

const (
	full stops = 1 << iota // the limiter leaves no space
	off                    // the device says so
)

// equip makes n hardware queues.
func (q *Queue) equip(n int, limit *bql.Config) error {
	q.hw, q.ready, q.running = make([]hwQueue, n), make([]*hwQueue, 0, n), n
	q.stopper, _ = q.root.(qdisc.Stopper)
	for i := range q.hw {
		h := &q.hw[i]
		h.index = i
		if q.stopper != nil {
			q.stopper.Wake(i) // whatever the owner did with it before
		}
		if limit == nil {
			continue
		}
		var err error
		if h.limiter, err = bql.New(*limit); err != nil {
			return err
		}
	}
	return nil
}

// queueOf returns the hardware queue of a packet.
func (q *Queue) queueOf(p *qdisc.Packet) *hwQueue {
	i := int(p.TxQueue)
	if i >= len(q.hw) {
		i = 0
	}
	return &q.hw[i]
}

// launch and land count a packet into and out of what is in flight.
func (q *Queue) launch(h *hwQueue, p *qdisc.Packet) { h.flight.add(p); q.flight.add(p) }
func (q *Queue) land(h *hwQueue, p *qdisc.Packet)   { h.flight.sub(p); q.flight.sub(p) }

// stop stops h for one more reason.
func (q *Queue) stop(h *hwQueue, why stops) {
	if h.stops == 0 {
		q.running--
		h.stats.Stops++
		if q.stopper != nil {
			q.stopper.Stop(h.index)
		}
	}
	h.stops |= why
}

// resume takes one reason away. It tells whether more may leave now.
func (q *Queue) resume(h *hwQueue, why stops) bool {
	if h.stops&why == 0 {
		return false
	}
	if h.stops &^= why; h.stops == 0 {
		q.running++
		h.stats.Wakes++
		if q.stopper != nil {
			q.stopper.Wake(h.index)
		}
	}
	q.list(h)
	return true
}

// charge tells the limiter of a packet for the device, and stops h if that
// leaves no space. With nothing in flight nothing would ever wake h: a packet
// without bytes.
func (q *Queue) charge(h *hwQueue, p *qdisc.Packet, now qdisc.Time) {
	if h.limiter != nil && h.limiter.QueuedAt(p.Len, now) < 0 && h.limiter.Inflight() > 0 {
		q.stop(h, full)
	}
}

// credit tells the limiter that so many bytes are done, and lets h go on if
// that leaves space. It tells whether more may leave now.
func (q *Queue) credit(h *hwQueue, bytes uint64, now qdisc.Time) bool {
	if h.limiter == nil || bytes == 0 {
		return false
	}
	h.limiter.Completed(bytes, now)
	return h.limiter.Available() >= 0 && q.resume(h, full)
}

// hold sets aside a packet of a stopped queue that the discipline gave.
func (q *Queue) hold(h *hwQueue, p *qdisc.Packet) {
	q.launch(h, p)
	h.held.Push(p)
	q.held++
}

// list notes that h may have packets that go first.
func (q *Queue) list(h *hwQueue) {
	if !h.listed && (!h.rest.Empty() || !h.held.Empty()) {
		h.listed = true
		q.ready = append(q.ready, h)
	}
}

// resend takes what goes before the discipline's packets.
func (q *Queue) resend(dst []*qdisc.Packet, now qdisc.Time, r *runner) int {
	n := 0
	for n < len(dst) && len(q.ready) > 0 {
		h := q.ready[len(q.ready)-1]
		var p *qdisc.Packet
		switch {
		case h.stops&off == 0 && !h.rest.Empty():
			p = h.rest.Pop()
		case h.stops == 0 && !h.held.Empty():
			p = h.held.Pop()
			q.held--
			q.charge(h, p, now)
		default: // resume or requeue lists it again
			h.listed = false
			q.ready = q.ready[:len(q.ready)-1]
			continue
		}
		if r != nil {
			h.writing++
		} else {
			q.land(h, p)
			h.sent(p)
		}
		dst[n] = p
		n++
	}
	return n
}

// requeue makes ps, which are in flight, the first to go.
func (q *Queue) requeue(ps []*qdisc.Packet) {
	for _, p := range ps {
		q.queueOf(p).again.Push(p)
	}
	for _, p := range ps {
		if h := q.queueOf(p); !h.again.Empty() {
			h.again.Append(&h.rest)
			h.rest, h.again = h.again, qdisc.List{}
			q.list(h)
		}
	}
}
