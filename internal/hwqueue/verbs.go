package hwqueue

import "github.com/netsched/netsched/qdisc"

// Enqueue gives p to the child of its hardware queue, queue 0 if there is none
// of that number, and returns the child's verdict.
func (q *Queues) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	i := int(p.TxQueue)
	if i >= len(q.list) {
		i = 0
	}
	c := &q.list[i]
	v := c.Enqueue(p, now)
	if !c.active || c.Held() == 0 {
		q.revive(uint32(i)) // an arrival may free a queue that gave nothing
	}
	return v
}

// Dequeue returns a packet of the first running queue after the one served
// last, in a circle, whose child gives one; nil if none does.
func (q *Queues) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for i := q.active.from(q.next); i != none; i = q.active.from(i) {
		c := &q.list[i]
		if p := c.Dequeue(now); p != nil {
			q.next = i + 1
			if c.Held() == 0 {
				q.settle(i)
			}
			q.Sent(p)
			return p
		}
		q.hold(i, now)
	}
	return nil
}

// Peek returns the packet that Dequeue would, nil if there is none. It looks.
func (q *Queues) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if now >= q.wake {
		q.rouse(now)
	}
	for i := q.active.from(q.next); i != none; i = q.active.from(i) {
		if p := q.list[i].Peek(now); p != nil {
			return p
		}
		q.hold(i, now)
	}
	return nil
}

// asks is how many children ReadyAt asks at most. There are more to ask only if
// as many got packets, or were woken, synced or resized, since Dequeue last
// gave none; then it says now, which costs one call of Dequeue.
const asks = 64

// ReadyAt returns the earliest time at which a running queue may give a packet:
// Blocked if only stopped ones hold any.
func (q *Queues) ReadyAt(now qdisc.Time) qdisc.Time {
	if q.Len() == 0 {
		return qdisc.Never
	}
	now = min(now, qdisc.MaxTime)
	at := min(q.wake, qdisc.Blocked)
	first := q.active.from(q.next)
	for i, n := first, 0; i != none && at > now; n++ {
		if n == asks {
			return now
		}
		at = min(at, q.list[i].ReadyAt(now))
		if i = q.active.from(i + 1); i == first {
			break
		}
	}
	return max(at, now)
}

// Reset resets every child and begins the round anew, at queue 1. Stopped
// queues stay stopped.
func (q *Queues) Reset(now qdisc.Time) {
	now = q.Rewind(now)
	q.next = 1
	for i := range q.list {
		q.list[i].Reset(now)
		q.revive(uint32(i))
	}
}

// DequeueFrom returns a packet of one queue, nil if it is stopped or its child
// gives none. The round of Dequeue does not see it.
func DequeueFrom(q *Queues, queue int, now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if uint(queue) >= uint(len(q.list)) {
		return nil
	}
	c, i := &q.list[queue], uint32(queue)
	if c.stopped || q.wait.waits(i) && q.wait.due(i) > now {
		return nil
	}
	p := c.Dequeue(now)
	if p == nil {
		q.hold(i, now)
		return nil
	}
	if !c.active || c.Held() == 0 {
		q.revive(i)
	}
	q.Sent(p)
	return p
}

// ReadyAtQueue returns when DequeueFrom is worth calling: Never if the queue
// holds nothing, Blocked if it is stopped.
func ReadyAtQueue(q *Queues, queue int, now qdisc.Time) qdisc.Time {
	if uint(queue) >= uint(len(q.list)) {
		return qdisc.Never
	}
	now = min(now, qdisc.MaxTime)
	c, i := &q.list[queue], uint32(queue)
	switch {
	case c.Held() == 0:
		return qdisc.Never
	case c.stopped:
		return qdisc.Blocked
	case q.wait.waits(i):
		return max(now, q.wait.due(i))
	}
	return min(max(now, c.ReadyAt(now)), qdisc.Blocked)
}
