package bql

import (
	"math"
	"time"
)

// Limit returns the present limit in bytes.
func (l *Limiter) Limit() int64 { return int64(l.bytes(l.limit)) }

// LimitMax returns the highest limit in bytes.
func (l *Limiter) LimitMax() int64 { return *l.cfg.LimitMax }

// LimitMin returns the lowest limit in bytes.
func (l *Limiter) LimitMin() int64 { return l.cfg.LimitMin }

// HoldTime returns how long slack is measured before the limit shrinks.
func (l *Limiter) HoldTime() time.Duration { return l.cfg.HoldTime }

// Inflight returns the bytes queued and not completed, 0 or more.
func (l *Limiter) Inflight() int64 { return int64(l.bytes(l.queued - l.completed)) }

// Stats count what a driver reported wrongly. They only grow, stop at the top
// of their range, and survive Reset.
type Stats struct {
	Excess      uint64 // calls of Completed with more than was in flight
	ExcessBytes uint64 // bytes that they claimed too much
}

// ReadStats returns the counters.
func (l *Limiter) ReadStats() Stats { return l.stats }

// excess counts a report of n bytes, which is more than is in flight, and
// returns what is.
//
//go:noinline
func (l *Limiter) excess(n uint64) uint64 {
	held := l.bytes(l.queued - l.completed)
	l.stats.Excess++
	l.stats.ExcessBytes += min(n-held, math.MaxUint64-l.stats.ExcessBytes)
	return held
}

// State is everything that a limiter's next answers depend on, under
// Linux's names, for diagnosis. All but SlackStart are bytes. With Compat the
// counters are those of Linux, 32 bits wide.
type State struct {
	Limit         uint64
	Available     int64  // AdjLimit - NumQueued
	NumQueued     uint64 // bytes queued since Reset
	NumCompleted  uint64 // bytes completed since Reset
	AdjLimit      uint64 // Limit + NumCompleted at the last completion
	LastObjCnt    uint64 // the object queued last
	PrevOvlimit   uint64 // bytes over the limit at the last completion
	PrevNumQueued uint64 // NumQueued at the last completion
	PrevLastObj   uint64 // LastObjCnt at the last completion
	LowestSlack   uint64 // least slack since SlackStart; all ones: none seen
	SlackStart    int64  // start of the hold time: ns, with Compat ms
}

// State returns a copy of the present state.
func (l *Limiter) State() State {
	return State{
		Limit:         l.bytes(l.limit),
		Available:     l.Available(),
		NumQueued:     l.bytes(l.queued),
		NumCompleted:  l.bytes(l.completed),
		AdjLimit:      l.bytes(l.adjusted),
		LastObjCnt:    l.bytes(l.lastObject),
		PrevOvlimit:   l.bytes(l.prevOver),
		PrevNumQueued: l.bytes(l.prevQueued),
		PrevLastObj:   l.bytes(l.prevLast),
		LowestSlack:   l.bytes(l.lowest),
		SlackStart:    l.slackStart,
	}
}
