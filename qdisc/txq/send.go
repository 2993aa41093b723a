package txq

import "github.com/netsched/netsched/qdisc"

// Send takes all packets of ps, in order, whatever becomes of each, and wakes
// the consumer if it has to. The slice itself stays the caller's. After Close
// it hands them to Config.Free with Reason Closed and returns ErrClosed. With
// Config.Block it first waits until there is room, or until Close; it takes the
// whole batch then.
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
	for q.block > 0 && !q.closed && q.len() >= q.block {
		q.waiting++
		q.stats.Blocks++
		q.room.Wait()
		q.waiting--
	}
	if q.closed {
		b := q.bag()
		q.unlock()
		for _, p := range ps {
			if p.Linked() { // it comes twice; Push will panic
				defer q.handBack(b)
			}
			b.Push(p)
			p.Reason = qdisc.Closed
		}
		return b, ErrClosed
	}
	now := q.clock.Now()
	at := q.moment(now)
	// Deferred, once a batch, because the discipline may panic.
	defer q.changedAt(at, now, false)
	q.stats.Sends++
	for _, p := range ps {
		q.root.Enqueue(p, at)
	}
	return q.dropped(), nil
}

// changedAt ends whatever may have brought the next departure forward. It wakes
// the consumer, always or if it would otherwise sleep too long, and unlocks.
func (q *Queue) changedAt(at, now qdisc.Time, always bool) {
	q.due = q.root.ReadyAt(at)
	next := q.next()
	// A departure that is due already has a timer that is late.
	wake := q.asleep && (always || next < q.until || next <= now)
	if wake {
		q.asleep = false
		q.stats.Wakeups++
	}
	q.unlock()
	if wake {
		q.timer.Wake()
	}
}

// changed is changedAt the present, for what did not begin by looking at the
// clock. more tells whether there was any change.
func (q *Queue) changed(more bool) {
	if q.closed || !more {
		q.unlock()
		return
	}
	now := q.clock.Now()
	q.changedAt(q.moment(now), now, false)
}

// unlock lets the next consumer try if no other waits on the timer, and the
// next Send if there is room.
func (q *Queue) unlock() {
	if !q.occupied {
		q.turn.Signal()
	}
	if q.waiting > 0 && (q.closed || q.len() < q.block) {
		q.room.Signal()
	}
	q.mu.Unlock()
}

// len is Len, locked.
func (q *Queue) len() int { return q.root.Len() + q.flight.packets }
