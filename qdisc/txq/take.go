package txq

import "github.com/netsched/netsched/qdisc"

// Two guards against a discipline that does not keep its promise about
// ReadyAt. So many steps of the held-back clock without a packet end the
// catching up; and one that has nothing now, but says it has, is asked again
// after a while rather than in a busy loop.
const (
	maxSteps = 256
	recheck  = DefaultCatchup
)

// dequeue takes packets until dst is full or nothing may leave by now, and
// notes when the next one may. A Run takes what its device has left by itself.
func (q *Queue) dequeue(dst []*qdisc.Packet, now qdisc.Time, r *runner) int {
	n := 0
	if len(q.ready) > 0 {
		n = q.resend(dst, now, r)
	}
	if n == 0 || r == nil {
		n += q.fetch(dst[n:], now, r)
	}
	if r != nil {
		r.events = q.events
	}
	return n
}

// fetch takes packets from the discipline. The limiter hears of each before
// the next is taken, so it is the limiter that says which is next.
func (q *Queue) fetch(dst []*qdisc.Packet, now qdisc.Time, r *runner) int {
	n := 0
	at := q.moment(now)
	for steps := 0; n < len(dst) && !q.barred(); {
		// qdisc.DequeueBatch would be no faster.
		if p := q.root.Dequeue(at); p != nil {
			steps = 0
			h := q.queueOf(p)
			if h.stops != 0 {
				q.hold(h, p)
				continue
			}
			dst[n] = p
			n++
			if r != nil {
				q.launch(h, p)
				h.writing++
			} else {
				h.sent(p)
			}
			if h.limiter != nil {
				q.charge(h, p, now)
			}
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
	switch {
	case n > 0 && q.due == qdisc.Never:
		q.stats.Emptied++
	case n == 0 && len(dst) > 0 && q.due <= now && !q.barred():
		q.due = now.Add(recheck)
	}
	return n
}

// barred tells whether the discipline's packets have to wait whatever they
// are: no hardware queue runs, or stopped ones have as many as may be set
// aside, each of them taken by a discipline that did not know.
func (q *Queue) barred() bool { return q.running == 0 || q.held >= q.batch }

// next returns when a consumer can take something.
func (q *Queue) next() qdisc.Time {
	switch {
	case len(q.ready) > 0:
		return 0
	case q.barred():
		return qdisc.Blocked
	}
	return q.due
}

// moment returns the time for the discipline to act on when it is now: that
// of the departure that is due, but at most catchup ago.
func (q *Queue) moment(now qdisc.Time) qdisc.Time {
	if q.due >= now {
		return now
	}
	return max(q.due, now.Add(-q.catchup))
}

// sent counts a packet that a device or consumer has taken.
func (h *hwQueue) sent(p *qdisc.Packet) {
	h.stats.Packets++
	h.stats.Bytes += uint64(p.Len)
}
