package txq

import "github.com/netsched/netsched/qdisc"

// Close drops every packet held, with Reason Closed, hands it to Config.Free
// and makes Recv, Run and Send return ErrClosed. A write to a device that is
// in progress is not waited for: Run hands back its packets when it is over.
// Nor is what a Completer has: it goes to Config.Free as the device reports it,
// and counts in Len until then. The discipline, now empty and with all hardware
// queues running, is the caller's again. Close always returns nil and may be
// called more than once.
func (q *Queue) Close() error {
	b := q.shut()
	if b == nil {
		return nil
	}
	q.timer.Stop() // whoever sleeps leaves, and lets the next consumer leave
	q.handBack(b)
	return nil
}

// shut returns what Close is to hand back, nil if the queue is closed already.
func (q *Queue) shut() *bag {
	q.mu.Lock()
	defer q.unlock()
	if q.closed {
		return nil
	}
	q.closed = true
	q.asleep = false
	for _, t := range q.pauses {
		(*t).Wake()
	}

	now := q.clock.Now()
	b := q.bag()
	b.Append(q.drops) // they were dropped for a reason of their own
	for i := range q.hw {
		h := &q.hw[i]
		for p := range h.rest.Drain() {
			q.abandon(p, qdisc.Closed, &b.List, now)
		}
		for p := range h.held.Drain() {
			q.lose(p, qdisc.Closed, &b.List)
		}
		q.resume(h, full|off)
	}
	q.ready, q.held = nil, 0
	q.root.Reset(q.moment(now))
	for p := range q.drops.All() {
		p.Reason = qdisc.Closed
	}
	b.Append(q.drops)
	return b
}
