package txq

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Pauses before a device is tried again.
const (
	minPause = 100 * time.Microsecond
	maxPause = 10 * time.Millisecond
)

// Run writes to dev whatever may leave, until Close, when it returns
// ErrClosed, or an error of dev's, which it returns. Packets that dev has
// taken go to Config.Free with Reason NotDropped.
//
// What dev has not taken stays counted and goes before everything else. After
// a short write Run tries the rest at once. After a temporary error (its
// Temporary method says true, or the system is out of buffers), or when dev
// took nothing, it first pauses, for 100 us, doubled each time up to 10 ms.
// Any other error ends Run, and what was not taken then waits, in front, for
// the next Run or Recv.
//
// Run is meant to be called once, in a goroutine of its own.
func (q *Queue) Run(dev Device) error {
	if dev == nil {
		return &qdisc.ConfigError{Field: "dev", Value: nil, Why: "Run needs a device to write to"}
	}
	batch := make([]*qdisc.Packet, q.batch)
	sent := new(qdisc.List)
	var rest []*qdisc.Packet // of batch, not written yet
	defer func() { q.handBack(q.keep(rest)) }()
	for pause := minPause; ; {
		n, err := q.recv(batch, true)
		if err != nil {
			return err
		}
		for rest = batch[:n]; len(rest) > 0; {
			n, err := write(dev, rest)
			closed := q.written(rest, n, sent)
			rest = rest[n:]
			if n > 0 {
				pause = minPause
			}
			switch {
			case n > 0 && err == nil:
			case err == nil || temporary(err):
				if !closed {
					closed = q.pause(pause)
				}
				pause = min(2*pause, maxPause)
			default:
				return err
			}
			if closed {
				return ErrClosed
			}
		}
	}
}

// write makes sure that n is possible.
func write(dev Device, ps []*qdisc.Packet) (int, error) {
	n, err := dev.Write(ps)
	if n < 0 || n > len(ps) {
		return max(0, min(n, len(ps))), fmt.Errorf("txq: a device took %d of %d packets", n, len(ps))
	}
	return n, err
}

// written gives back the n packets of ps that the device has taken, by way of
// sent, and tells whether the queue is closed.
func (q *Queue) written(ps []*qdisc.Packet, n int, sent *qdisc.List) (closed bool) {
	q.mu.Lock()
	for _, p := range ps[:n] {
		q.flight.sub(p)
	}
	q.stats.Requeues += uint64(len(ps) - n)
	closed = q.closed
	q.mu.Unlock()
	if q.free != nil {
		for _, p := range ps[:n] {
			sent.Push(p)
		}
		q.giveBack(sent)
	}
	clear(ps[:n])
	return closed
}

// keep leaves the rest of a batch for the next consumer, or drops it if there
// will be none.
func (q *Queue) keep(rest []*qdisc.Packet) *bag {
	if len(rest) == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.unlock()
	if !q.closed {
		for _, p := range rest {
			q.unsent.Push(p)
		}
		if q.asleep { // another consumer, with nothing to do so far
			q.asleep = false
			q.timer.Wake()
		}
		return nil
	}
	b := q.bag()
	for _, p := range rest {
		q.flight.sub(p)
		p.Reason = qdisc.Closed
		b.Push(p)
	}
	return b
}

// pause sleeps for d or until Close, and tells which.
func (q *Queue) pause(d time.Duration) (closed bool) {
	q.mu.Lock()
	defer q.unlock()
	for q.occupied && !q.closed {
		q.turn.Wait()
	}
	q.occupied = true
	for until := q.clock.Now().Add(d); !q.closed && q.clock.Now() < until; {
		q.mu.Unlock()
		q.timer.Wait(until)
		q.mu.Lock()
	}
	q.occupied = false
	return q.closed
}
