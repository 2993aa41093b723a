package bql

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Limiter is a byte queue limiter, made by New; the zero value is none. It is
// not safe for concurrent use.
//
// Its counters are words that wrap, compared by the sign of their difference.
// Linux's are 32 bits wide; they live in the upper half of the same words, so
// that carries and signs fall where they do in 32 bits and the algorithm need
// not know.
type Limiter struct {
	queued     uint64 // all bytes queued so far
	completed  uint64 // all bytes completed so far
	adjusted   uint64 // limit + completed: where queued may go
	lastObject uint64 // size of the object queued last
	shift      uint8  // how far the counters are shifted up: Exact 0, Linux 32

	limit    uint64
	min, max uint64

	// As they were after the completion before.
	prevOver   uint64 // bytes over the limit
	prevQueued uint64
	prevLast   uint64 // lastObject

	lowest     uint64 // the least slack since slackStart; all ones: none seen
	slackStart int64  // ticks: Exact ns, Linux jiffies
	hold       int64  // ticks

	latest     qdisc.Time
	waitFrom   qdisc.Time    // when the wait for a completion began; Never: none that is known
	stallAfter time.Duration // a wait this long is a stall

	stallCnt uint64
	stallMax time.Duration
	stats    Stats
	cfg      Config
}

// Queued counts an object of n bytes as handed to the device and returns the
// space left, as Available does: if it is negative, hand over no more.
func (l *Limiter) Queued(n uint32) int64 {
	v := uint64(n) << (l.shift & 63)
	l.lastObject = v
	l.queued += v
	return l.Available()
}

// Available returns the bytes that the limit leaves. One more object may be
// handed to the device while it is 0 or more.
func (l *Limiter) Available() int64 {
	return int64(l.adjusted-l.queued) >> (l.shift & 63)
}

// Completed takes the device's report that n more bytes are done and adapts
// the limit. What n exceeds the bytes in flight by is ignored and counted; with
// nothing in flight the whole call is. A report of 0 bytes with nothing
// claimed too much is a report as any other.
func (l *Limiter) Completed(n uint64, now qdisc.Time) {
	now = l.clock(now)
	inFlight := l.queued - l.completed
	if n > inFlight>>(l.shift&63) {
		if n = l.excess(n); n == 0 {
			return
		}
	}
	done := l.completed + n<<(l.shift&63)
	left := l.queued - done
	if n != 0 {
		l.endWait(now)
		if left != 0 {
			l.waitFrom = now
		}
	}

	limit := l.limit
	over := above(inFlight, limit)
	caughtUp := int64(done-l.prevQueued) >= 0 // all that was queued at the last report is done
	switch {
	case over != 0 && left == 0, l.prevOver != 0 && caughtUp:
		// Starved: the driver had stopped at the limit and the device ran dry.
		limit += above(done, l.prevQueued) + l.prevOver
		l.restart(now)
	case left != 0 && l.prevQueued != l.completed && !caughtUp:
		// Busy all the time since the last report.
		l.lowest = min(l.lowest, l.slack(limit, done))
		if l.ticks(now)-l.slackStart > l.hold {
			limit = above(limit, l.lowest)
			l.restart(now)
		}
	}
	limit = min(max(limit, l.min), l.max)
	if limit != l.limit {
		l.limit, over = limit, 0
	}
	l.adjusted = limit + done
	l.prevOver, l.prevQueued, l.prevLast = over, l.queued, l.lastObject
	l.completed = done
}

// slack is what the limit held in excess of need: what remains of it after
// twice the bytes just done, or the part of the last object that
// was within the limit, if that is more.
func (l *Limiter) slack(limit, done uint64) uint64 {
	slack := above(limit+l.prevOver, 2*(done-l.completed))
	if l.prevOver != 0 {
		slack = max(slack, above(l.prevLast, l.prevOver))
	}
	return slack
}

// restart begins a new hold time.
func (l *Limiter) restart(now qdisc.Time) {
	l.slackStart, l.lowest = l.ticks(now), l.none()
}

// Reset forgets what is in flight and begins at now, which may be earlier than
// the times seen before, with the limit at LimitMin. Counts of stalls and of
// excess are kept.
func (l *Limiter) Reset(now qdisc.Time) {
	l.endWait(l.clock(now))
	l.latest = max(0, min(now, qdisc.MaxTime))
	l.limit = l.min
	l.queued, l.completed, l.lastObject = 0, 0, 0
	l.prevOver, l.prevQueued, l.prevLast = 0, 0, 0
	l.restart(l.latest)
	if l.cfg.Compat == qdisc.Exact { // else stale space
		l.adjusted = l.limit
	}
}

// above is a - b where a is ahead of b, else 0. It does not branch: which one
// is ahead follows no pattern.
func above(a, b uint64) uint64 {
	d := a - b
	return d &^ uint64(int64(d)>>63)
}

// none is the slack before any is seen: the largest number of the width.
func (l *Limiter) none() uint64 { return ^uint64(0) << (l.shift & 63) }

// scale turns bytes, not negative, into a counter.
func (l *Limiter) scale(bytes int64) uint64 { return uint64(bytes) << (l.shift & 63) }

// bytes turns a counter into bytes.
func (l *Limiter) bytes(counter uint64) uint64 { return counter >> (l.shift & 63) }

// ticks turns an instant, not negative, into that of the clock in use.
func (l *Limiter) ticks(t qdisc.Time) int64 {
	if l.shift != 0 {
		return int64(t) / int64(jiffy)
	}
	return int64(t)
}

// clock returns the time to act on: now, but never earlier than before.
func (l *Limiter) clock(now qdisc.Time) qdisc.Time {
	l.latest = max(l.latest, min(now, qdisc.MaxTime))
	return l.latest
}
