package txq

import "github.com/netsched/netsched/qdisc"

// Send takes all packets of ps, in order, whatever becomes of each, and wakes
// the consumer if it has to. The slice itself stays the caller's. After Close it hands them to Config.Free with Reason
// Closed and returns ErrClosed.
//
// A nil packet, or one that is in a queue or list already, panics before
// anything is taken. If one comes twice in ps, those before its second place
// have been taken.
func (q *Queue) Send(ps []*qdisc.Packet) error {
	for _, p := range ps {
		if p == nil || p.Linked() {
			new(qdisc.List).Push(p) // panics as every discipline would
		}
	}
	b, err := q.put(ps)
	q.handBack(b)
	return err
}

func (q *Queue) put(ps []*qdisc.Packet) (*bag, error) {
	q.mu.Lock()
	if q.closed {
		defer q.unlock()
		b := q.bag()
		for _, p := range ps {
			p.Reason = qdisc.Closed
			b.Push(p)
		}
		return b, ErrClosed
	}
	now := q.clock.Now()
	at := q.moment(now)
	// Deferred, once a batch, because the discipline may panic.
	defer q.changed(at, now, false)
	q.stats.Sends++
	for _, p := range ps {
		q.root.Enqueue(p, at)
	}
	return q.dropped(), nil
}

// changed ends whatever may have brought the next departure forward. It wakes
// the consumer, always or if it would otherwise sleep too long, and unlocks.
func (q *Queue) changed(at, now qdisc.Time, always bool) {
	q.due = q.root.ReadyAt(at)
	// A departure that is due already has a timer that is late.
	wake := q.asleep && (always || q.due < q.until || q.due <= now)
	if wake {
		q.asleep = false
		q.stats.Wakeups++
	}
	q.unlock()
	if wake {
		q.timer.Wake()
	}
}

// unlock lets the next consumer try if no other waits on the timer.
func (q *Queue) unlock() {
	if !q.occupied {
		q.turn.Signal()
	}
	q.mu.Unlock()
}

// Do calls f with the discipline and the time on which to act, under the
// lock, then wakes the consumer. It is the way to change or inspect the
// discipline. f must not call q, nor keep what it was passed. A new
// configuration that names no drop list keeps the one in use; if it names
// another, the queue takes that. After Close, f is not called and Do returns
// ErrClosed.
func (q *Queue) Do(f func(root qdisc.Qdisc, now qdisc.Time)) error {
	b, err := q.do(f)
	q.handBack(b)
	return err
}

func (q *Queue) do(f func(qdisc.Qdisc, qdisc.Time)) (*bag, error) {
	q.mu.Lock()
	if q.closed {
		q.unlock()
		return nil, ErrClosed
	}
	now := q.clock.Now()
	at := q.moment(now)
	defer q.changed(at, now, true)
	f(q.root, at)
	b := q.dropped()
	if q.root.Common().DropList() != q.drops {
		if err := q.adopt(); err != nil {
			return b, err
		}
		b = q.gather(b)
	}
	return b, nil
}
