package netsim

import "github.com/netsched/netsched/qdisc"

// Timer calls a function at a time. A component makes its timers once and sets
// them as often as it likes; neither setting nor firing allocates.
type Timer struct {
	sim  *Sim
	fire func()
	slot int32 // in the heap, from 1 on; 0: not set
}

// NewTimer returns a timer, not set, that will call fire.
func (s *Sim) NewTimer(fire func()) *Timer { return &Timer{sim: s, fire: fire} }

// Set has the timer fire at a time, now if it is past. Of timers due at the
// same time the one that was set first fires first. A timer that was set before
// is moved. A time beyond qdisc.MaxTime (Blocked, Never) stops it, so that a
// discipline's ReadyAt can be passed as it is. So does any time when MaxTime has
// come: no time passes there, and what is set again and again would go on for ever.
func (t *Timer) Set(at qdisc.Time) {
	s := t.sim
	if at > qdisc.MaxTime || s.now == qdisc.MaxTime {
		t.Stop()
		return
	}
	s.order++
	s.events.set(event{max(at, s.now), s.order, t})
}

// Stop keeps the timer from firing.
func (t *Timer) Stop() {
	if t.slot != 0 {
		t.sim.events.remove(int(t.slot) - 1)
	}
}

// Pending tells whether the timer is set and has not fired.
func (t *Timer) Pending() bool { return t.slot != 0 }
