package qdisc

import (
	"math"
	"time"
)

// Time is an instant in nanoseconds on one monotonic clock of the caller's
// choice: a wall clock's monotonic reading, a simulator's virtual time, a
// packet trace. Instants run from 0 to MaxTime; a discipline takes a negative
// one as 0 and a later one as MaxTime.
type Time int64

// Three values at the end of the range carry meaning.
const (
	// Never is ReadyAt's answer when nothing is held.
	Never Time = math.MaxInt64
	// Blocked is ReadyAt's answer when packets are held and only an outside
	// event (a hardware queue that is woken, say) can free one.
	Blocked = Never - 1
	// MaxTime is the last instant, 292 years after 0.
	MaxTime = Blocked - 1
)

// Add returns t+d, held within 0..MaxTime. Never and Blocked stay themselves.
func (t Time) Add(d time.Duration) Time {
	if t > MaxTime {
		return t
	}
	u := t + Time(d)
	switch {
	case d >= 0 && (u < t || u > MaxTime):
		return MaxTime
	case d < 0 && (u > t || u < 0):
		return 0
	}
	return max(0, u)
}

// Sub returns t-u, held within the range of a Duration.
func (t Time) Sub(u Time) time.Duration {
	d := t - u
	switch {
	case t >= u && d < 0:
		return math.MaxInt64
	case t < u && d > 0:
		return math.MinInt64
	}
	return time.Duration(d)
}

// String prints the instant as a duration since 0.
func (t Time) String() string {
	switch t {
	case Never:
		return "never"
	case Blocked:
		return "blocked"
	}
	return time.Duration(t).String()
}
