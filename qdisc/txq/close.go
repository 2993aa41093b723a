package txq

import "github.com/netsched/netsched/qdisc"

// Close drops every packet held, with Reason Closed, hands it to Config.Free
// and makes Recv, Run and Send return ErrClosed. A write to a device that is
// in progress is not waited for: Run hands back its packets when it is over.
// The discipline, now empty, is the caller's again. Close always returns nil
// and may be called more than once.
func (q *Queue) Close() error {
	q.handBack(q.shut())
	return nil
}

func (q *Queue) shut() *bag {
	q.mu.Lock()
	defer q.unlock()
	if q.closed {
		return nil
	}
	q.closed = true
	q.asleep = false
	q.timer.Stop() // whoever sleeps leaves, and lets the next consumer leave

	b := q.bag()
	b.Append(q.drops) // they were dropped for a reason of their own
	for p := range q.unsent.Drain() {
		q.flight.sub(p)
		q.drops.Push(p)
	}
	q.root.Reset(q.moment(q.clock.Now()))
	for p := range q.drops.All() {
		p.Reason = qdisc.Closed
	}
	b.Append(q.drops)
	return b
}
