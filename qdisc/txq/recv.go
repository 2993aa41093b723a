package txq

import "github.com/netsched/netsched/qdisc"

// Recv waits until at least one packet may leave, takes as many as may leave
// now and dst holds, and returns their number. The packets are the caller's.
// With an empty dst it returns 0 at once. After Close it returns 0 and
// ErrClosed. With Config.Limit the caller must report each with
// [Queue.Completed] when it is sent.
//
// A queue is meant for one consumer at a time. More get each packet once too,
// but not in order with each other.
func (q *Queue) Recv(dst []*qdisc.Packet) (int, error) {
	return q.recv(dst, nil)
}

// recv is Recv; for r, which is nil for a Recv, the packets are in flight.
func (q *Queue) recv(dst []*qdisc.Packet, r *runner) (int, error) {
	if len(dst) == 0 {
		return 0, nil
	}
	slept := false
	for {
		n, until, b, err := q.take(dst, slept, r)
		if b != nil {
			q.handBackBefore(dst[:n], b, r)
		}
		if n > 0 || err != nil {
			return n, err
		}
		if slept = b == nil; slept {
			q.timer.Wait(until)
		}
	}
}

// take moves what may leave now into dst. If that is nothing, and there is
// nothing to hand back either, the caller has the timer and must sleep until
// the time returned; slept says that it just did.
func (q *Queue) take(dst []*qdisc.Packet, slept bool, r *runner) (n int, until qdisc.Time, b *bag, err error) {
	q.mu.Lock()
	defer q.unlock()
	now := q.clock.Now()
	if slept {
		q.rise(now)
	}
	for !q.closed {
		n = q.dequeue(dst, now, r)
		b = q.dropped()
		if n > 0 {
			q.stats.Recvs++
		}
		if n > 0 || b != nil {
			return n, 0, b, nil
		}
		if !q.occupied {
			q.occupied, q.asleep, q.until = true, true, q.next()
			q.stats.Sleeps++
			return 0, q.until, nil, nil
		}
		q.turn.Wait()
		now = q.clock.Now()
	}
	return 0, 0, nil, ErrClosed
}

// rise gives the timer back after sleeping.
func (q *Queue) rise(now qdisc.Time) {
	q.occupied, q.asleep = false, false
	if late := now.Sub(q.until); late > 0 {
		q.stats.LateMax = max(q.stats.LateMax, late)
		if late > q.catchup {
			q.stats.Overruns++
			q.stats.Forfeit += late - q.catchup
		}
	}
}

// untake puts back what a consumer has taken, for the next one.
func (q *Queue) untake(ps []*qdisc.Packet, r *runner) {
	q.mu.Lock()
	for _, p := range ps {
		h := q.queueOf(p)
		if r != nil {
			h.writing--
			continue
		}
		q.launch(h, p)
		h.stats.Packets--
		h.stats.Bytes -= uint64(p.Len)
	}
	for i := range q.hw {
		q.hw[i].forget()
	}
	b := q.bag()
	q.keep(ps, &b.List)
	q.changed(true)
	q.handBack(b)
}

// keep leaves packets in flight for the next consumer, or drops them to lost if
// there will be none.
func (q *Queue) keep(ps []*qdisc.Packet, lost *qdisc.List) {
	if !q.closed {
		q.requeue(ps)
		return
	}
	now := q.clock.Now()
	for _, p := range ps {
		q.abandon(p, qdisc.Closed, lost, now)
	}
}

// abandon drops a packet that the limiter counts and no device has. It tells
// whether more may leave now.
func (q *Queue) abandon(p *qdisc.Packet, why qdisc.Reason, to *qdisc.List, now qdisc.Time) bool {
	q.lose(p, why, to)
	return q.credit(q.queueOf(p), uint64(p.Len), now)
}

// lose drops a packet in flight that no device has.
func (q *Queue) lose(p *qdisc.Packet, why qdisc.Reason, to *qdisc.List) {
	q.land(q.queueOf(p), p)
	p.Reason = why
	to.Push(p)
}
