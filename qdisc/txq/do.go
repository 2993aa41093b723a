package txq

import "github.com/netsched/netsched/qdisc"

// Do calls f with the discipline and the time on which to act, under the
// lock, then wakes the consumer. It is the way to change or inspect the
// discipline. f must not call q, nor keep what it was passed. A new
// configuration that names no drop list keeps the one in use; if it names
// another, the queue takes that. Which hardware queues are stopped is the
// queue's to say: what f does about it does not last. After Close, f is not
// called and Do returns ErrClosed.
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
	defer q.changedAt(at, now, true)
	defer q.readopt() // should f panic
	f(q.root, at)
	err := q.readopt()
	return q.dropped(), err
}

// readopt takes over the drop list that the discipline may have been given
// meanwhile, and stops the hardware queues that it may have got.
func (q *Queue) readopt() error {
	if q.stopper != nil {
		for i := range q.hw {
			if q.hw[i].stops != 0 {
				q.stopper.Stop(i)
			} else {
				q.stopper.Wake(i)
			}
		}
	}
	old := q.drops
	if q.root.Common().DropList() == old {
		return nil
	}
	err := q.adopt()
	old.Append(q.drops)
	q.drops.Append(old)
	return err
}
