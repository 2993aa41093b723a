package bql

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// never is longer than any wait.
const never time.Duration = math.MaxInt64

// QueuedAt is Queued for a limiter with a StallThreshold: it also notes that a
// wait for completions begins now, unless one has begun. With Queued alone a
// wait that begins with nothing in flight is not seen before a first
// completion leaves bytes in flight.
func (l *Limiter) QueuedAt(n uint32, now qdisc.Time) int64 {
	if l.waitFrom == qdisc.Never && n != 0 {
		l.waitFrom = l.clock(now)
	}
	return l.Queued(n)
}

// endWait ends the wait for a completion and counts it if it was a stall.
func (l *Limiter) endWait(now qdisc.Time) {
	// Without a wait the difference is negative.
	if waited := time.Duration(now - l.waitFrom); waited >= l.stallAfter {
		l.stallCnt++
		l.stallMax = max(l.stallMax, waited)
	}
	l.waitFrom = qdisc.Never
}

// StallThrs returns the shortest wait that is a stall, 0 if stalls are not
// looked for.
func (l *Limiter) StallThrs() time.Duration { return l.cfg.StallThreshold }

// StallCnt returns the number of stalls.
func (l *Limiter) StallCnt() uint64 { return l.stallCnt }

// StallMax returns the longest stall since New or ClearStallMax.
func (l *Limiter) StallMax() time.Duration { return l.stallMax }

// ClearStallMax forgets the longest stall.
func (l *Limiter) ClearStallMax() { l.stallMax = 0 }
