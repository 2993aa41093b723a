package txq

import (
	"fmt"
	"slices"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Pauses before a device is tried again.
const (
	minPause = 100 * time.Microsecond
	maxPause = 10 * time.Millisecond
)

// runner is a Run.
type runner struct {
	q      *Queue
	dev    Device
	later  bool // dev is a Completer
	timer  Timer
	pause  time.Duration   // before the next attempt
	rest   []*qdisc.Packet // being written
	sent   qdisc.List      // on the way to Free
	events uint64          // Queue.events before Write
}

// Run writes to dev whatever may leave, until Close, when it returns
// ErrClosed, or an error of dev's, which it returns. Packets that dev has
// taken go to Config.Free with Reason NotDropped: at once, or, if dev is a
// [Completer], when it reports them.
//
// What dev has not taken stays counted and goes before everything else, to
// whichever consumer is next, as soon as the device does not stop its hardware
// queue. After a short write Run tries again at once. After a temporary error
// (its Temporary method says true, or the system is out of buffers), or when dev
// took nothing and stopped no hardware queue, it first pauses, for 100 us,
// doubled each time up to 10 ms. Any other error is Config.OnError's.
//
// Run is meant to be called once, in a goroutine of its own.
func (q *Queue) Run(dev Device) error {
	if dev == nil {
		return &qdisc.ConfigError{Field: "dev", Value: nil, Why: "Run needs a device to write to"}
	}
	// The queue's own timer must not be taken from other consumers.
	r := &runner{q: q, dev: dev, timer: q.clock.NewTimer(), pause: minPause}
	defer r.timer.Stop()
	if c, ok := dev.(Completer); ok {
		r.later = true
		c.Attach(q)
	}
	batch := make([]*qdisc.Packet, q.batch)
	defer func() {
		if len(r.rest) > 0 { // the device has panicked
			q.untake(r.rest, r)
		}
	}()
	for {
		n, err := q.recv(batch, r)
		if err != nil {
			return err
		}
		if err := r.write(batch[:n]); err != nil {
			return err
		}
	}
}

// write makes one attempt at ps, and sees to what is left.
func (r *runner) write(ps []*qdisc.Packet) error {
	r.rest = ps
	n, err := r.dev.Write(ps)
	if n < 0 || n > len(ps) {
		err = fmt.Errorf("txq: a device took %d of %d packets", n, len(ps))
		n = max(0, min(n, len(ps)))
	}
	final := err != nil && !temporary(err)
	r.rest = nil
	idle, closed := r.written(ps, n, final && r.q.onError == DropPacket)
	if n > 0 {
		r.pause = minPause
	}
	switch {
	case final && r.q.onError == EndRun:
		return err
	case final && r.q.onError == CloseQueue:
		r.q.Close()
		return err
	case !closed && !final && (err != nil || n == 0 && idle):
		closed = r.q.pause(&r.timer, r.pause)
		r.pause = min(2*r.pause, maxPause)
	}
	if closed {
		return ErrClosed
	}
	return nil
}

// written sees to the first n of ps, which the device has taken, and to those
// that it has left; drop says that the first of these is lost. It tells whether
// the device stopped and woke nothing meanwhile, and whether the queue is closed.
func (r *runner) written(ps []*qdisc.Packet, n int, drop bool) (idle, closed bool) {
	q, done, left := r.q, ps[:n], ps[n:]
	q.mu.Lock()
	idle, closed = q.events == r.events, q.closed
	for _, p := range done {
		h := q.queueOf(p)
		h.writing--
		h.sent(p)
		if r.later {
			h.ring.Push(p)
			continue
		}
		q.land(h, p)
		h.bytes += uint64(p.Len)
		r.sent.Push(p)
	}
	for _, p := range left {
		q.queueOf(p).writing--
	}
	more := false
	if drop && len(left) > 0 {
		q.stats.Errors++
		more = q.abandon(left[0], qdisc.Purged, &r.sent, q.clock.Now())
		left = left[1:]
	}
	q.stats.Requeues += uint64(len(left))
	q.keep(left, &r.sent)
	more = more || len(left) > 0
	for _, p := range ps {
		more = r.settle(q.queueOf(p)) || more
	}
	q.changed(more)
	q.giveBack(&r.sent)
	clear(ps)
	return idle, closed
}

// settle ends a write to h. It tells whether more may leave now.
func (r *runner) settle(h *hwQueue) (more bool) {
	if h.bytes > 0 {
		more = r.q.credit(h, h.bytes, r.q.clock.Now())
	}
	h.bytes = 0
	for h.early > 0 && !h.ring.Empty() {
		h.early--
		p := h.ring.Pop()
		r.q.land(h, p)
		r.sent.Push(p)
	}
	h.forget()
	return more
}

// forget counts the completions for which there is no packet after all.
func (h *hwQueue) forget() {
	if h.writing == 0 && h.early > 0 {
		h.stats.Excess += uint64(h.early)
		h.early = 0
	}
}

// pause waits on t for d or until Close, and tells which.
func (q *Queue) pause(t *Timer, d time.Duration) (closed bool) {
	q.mu.Lock()
	defer q.unlock()
	q.pauses = append(q.pauses, t)
	for until := q.clock.Now().Add(d); !q.closed && q.clock.Now() < until; {
		q.mu.Unlock()
		(*t).Wait(until)
		q.mu.Lock()
	}
	i := slices.Index(q.pauses, t)
	q.pauses = slices.Delete(q.pauses, i, i+1)
	return q.closed
}
