package netsim

import (
	"math/rand/v2"

	"github.com/netsched/netsched/qdisc"
)

// Sim is a simulated world: one clock, one queue of events, one source of
// random numbers and one pool of packets. It is not safe for concurrent use,
// and everything made with it belongs to it alone.
type Sim struct {
	now     qdisc.Time
	events  eventHeap
	order   uint64 // of the latest Set
	running bool

	rng *rand.Rand
	log func(Event)

	pool  []*Packet // free ones
	alive int       // packets out of the pool
}

// New returns a world at time 0. The same seed and the same calls give the same
// run, on every platform.
func New(seed uint64) *Sim {
	return &Sim{rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// Now returns the time.
func (s *Sim) Now() qdisc.Time { return s.now }

// Rand returns the world's source of random numbers. Take Uint64, Float64,
// ExpFloat64 and NormFloat64 if runs are to be the same on 32-bit machines:
// IntN and its like are not.
func (s *Sim) Rand() *rand.Rand { return s.rng }

// Run fires the timers that are due up to and including until, in order, and
// leaves the clock there. It must not be called from an event: there it does
// nothing. A time that is past does nothing either.
func (s *Sim) Run(until qdisc.Time) {
	until = min(until, qdisc.MaxTime)
	if s.running || until < s.now {
		return
	}
	s.running = true
	for h := &s.events; len(h.list) > 0 && h.list[0].at <= until; h.close() {
		t := h.open()
		s.now = h.list[0].at
		t.fire()
	}
	s.now = until
	s.running = false
}

// Next returns when the earliest timer is due, Never if none is set.
func (s *Sim) Next() qdisc.Time { return s.events.earliest() }

// At has f called at a time, now if it is past. It makes a timer each time:
// good for the turns of a script, not for what happens at every packet.
func (s *Sim) At(at qdisc.Time, f func()) { s.NewTimer(f).Set(at) }
