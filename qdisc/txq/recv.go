package txq

import "github.com/netsched/netsched/qdisc"

// Recv waits until at least one packet may leave, takes as many as may leave
// now and dst holds, and returns their number. The packets are the caller's.
// With an empty dst it returns 0 at once. After Close it returns 0 and
// ErrClosed.
//
// A queue is meant for one consumer at a time. More get each packet once too,
// but not in order with each other.
func (q *Queue) Recv(dst []*qdisc.Packet) (int, error) {
	return q.recv(dst, false)
}

// recv is Recv; push counts the packets as in flight.
func (q *Queue) recv(dst []*qdisc.Packet, push bool) (int, error) {
	if len(dst) == 0 {
		return 0, nil
	}
	slept := false
	for {
		n, until, b, err := q.take(dst, slept, push)
		q.handBack(b)
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
func (q *Queue) take(dst []*qdisc.Packet, slept, push bool) (n int, until qdisc.Time, b *bag, err error) {
	q.mu.Lock()
	defer q.unlock()
	now := q.clock.Now()
	if slept {
		q.rise(now)
	}
	for !q.closed {
		n = q.dequeue(dst, now)
		if push {
			for _, p := range dst[:n] {
				q.flight.add(p)
			}
		}
		b = q.dropped()
		if n > 0 {
			q.stats.Recvs++
		}
		if n > 0 || b != nil {
			return n, 0, b, nil
		}
		if !q.occupied {
			q.occupied, q.asleep, q.until = true, true, q.due
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
		}
	}
}

// Two guards against a discipline that does not keep its promise about
// ReadyAt. So many steps of the held-back clock without a packet end the
// catching up; and one that has nothing now, but says it has, is asked again
// after a while rather than in a busy loop.
const (
	maxSteps = 256
	recheck  = DefaultCatchup
)

// dequeue takes packets until dst is full or nothing may leave by now, and
// notes when the next one may.
func (q *Queue) dequeue(dst []*qdisc.Packet, now qdisc.Time) int {
	n := 0
	for n < len(dst) && !q.unsent.Empty() {
		dst[n] = q.unsent.Pop()
		q.flight.sub(dst[n])
		n++
	}
	at := q.moment(now)
	for steps := 0; n < len(dst); {
		if p := q.root.Dequeue(at); p != nil {
			dst[n] = p
			n++
			steps = 0
			continue
		}
		next := q.root.ReadyAt(at)
		if next <= at || next > now {
			break
		}
		if at = next; steps == maxSteps {
			at = now
		}
		steps++
	}
	q.due = q.root.ReadyAt(at)
	if n == 0 && q.due <= now {
		q.due = now.Add(recheck)
	}
	return n
}

// moment returns the time for the discipline to act on when it is now: that
// of the departure that is due, but at most catchup ago.
func (q *Queue) moment(now qdisc.Time) qdisc.Time {
	if q.due >= now {
		return now
	}
	return max(q.due, now.Add(-q.catchup))
}
