package txq

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Clock tells the time and makes timers. Its methods are called by several
// goroutines at once, and under the queue's lock: they must not call the queue.
type Clock interface {
	// Now returns the time, which must never go back.
	Now() qdisc.Time
	// NewTimer returns a timer of this clock for one consumer.
	NewTimer() Timer
}

// Timer is what a consumer waits on. Wait and Stop are called unlocked, Wake
// also under the queue's lock: it must not call the queue.
type Timer interface {
	// Wait returns when the clock has reached until, or after a Wake; it may
	// return earlier, at the cost of a look at the queue. With qdisc.Blocked
	// or qdisc.Never only a Wake ends it. Only one goroutine waits at a time.
	Wait(until qdisc.Time)
	// Wake ends the Wait in progress or, if there is none, the next one. Any
	// goroutine may call it at any time, even after Stop.
	Wake()
	// Stop is the last Wake, and frees what the timer holds. It is called
	// once, even while a Wait is in progress.
	Stop()
}

// epoch is the time 0 of SystemClock.
var epoch = time.Now()

// SystemClock returns the clock with the most precise timers that the
// platform has: on Linux a timerfd on the runtime's poller, late by tens of
// microseconds; elsewhere RuntimeClock's. All such clocks tell the same time.
func SystemClock() Clock { return systemClock{epoch} }

type systemClock struct{ start time.Time }

func (c systemClock) Now() qdisc.Time { return qdisc.Time(time.Since(c.start)) }
func (c systemClock) NewTimer() Timer { return newSystemTimer(c) }

// RuntimeClock returns a clock, starting at 0, whose timers are the Go
// runtime's: up to a millisecond late in an idle process, and moved by the
// virtual time of a testing/synctest bubble.
func RuntimeClock() Clock { return runtimeClock{systemClock{time.Now()}} }

type runtimeClock struct{ systemClock }

func (c runtimeClock) NewTimer() Timer { return newRuntimeTimer(c.systemClock) }
