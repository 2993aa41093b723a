package qdisctest

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/netsched/netsched/qdisc"
)

// TestQdisc tests the discipline or tree that build makes: empty, with the
// given drop list, which may be nil. It is called anew for each part:
//
//	Random   calls of all kinds beside a Ledger, with a drop list and without
//	Misuse   a nil packet and one that is already somewhere panic
//	Peek     the two kinds
//	ReadyAt  following it empties the queue; Blocked; Never
//	Clock    times that step back, are negative or at the end of time
//	Lengths  packets of 0 and 1<<30 bytes and longer
//	Reset    everything is lost, and the clock may go back
//	Cut      lower limits while packets are held (with option Cut)
//	Sync     children called directly (if it is a qdisc.Parent)
//	Allocs   no allocation in 1e5 calls, nor at the limit
func TestQdisc(t *testing.T, build func(drops *qdisc.List) qdisc.Qdisc, opts ...Option) {
	t.Helper()
	s := newSuite(build, opts)
	for _, part := range s.parts() {
		t.Run(part.name, func(t *testing.T) {
			if err := guard(part.run); err != nil {
				t.Errorf("seed %d: %v", s.seed, err)
			}
		})
	}
}

// suite is what the parts share.
type suite struct {
	options
	build func(drops *qdisc.List) qdisc.Qdisc
}

type part struct {
	name string
	run  func() error
}

func newSuite(build func(drops *qdisc.List) qdisc.Qdisc, opts []Option) *suite {
	s := &suite{options: gather(opts), build: build}
	if s.classes == nil {
		if p, ok := build(nil).(qdisc.Parent); ok {
			for class := range p.Children() {
				s.classes = append(s.classes, class)
			}
		}
	}
	return s
}

func (s *suite) parts() []part {
	parts := []part{
		{"Random", s.random},
		{"Misuse", s.misuse},
		{"Peek", s.peek},
		{"ReadyAt", s.readyAt},
		{"Clock", s.clock},
		{"Lengths", s.lengths},
		{"Reset", s.reset},
	}
	if s.cut != nil {
		parts = append(parts, part{"Cut", s.cuts})
	}
	if _, ok := s.build(nil).(qdisc.Parent); ok {
		parts = append(parts, part{"Sync", s.sync})
	}
	return append(parts, part{"Allocs", s.allocs})
}

// bench is one discipline under test, its account and its random numbers.
type bench struct {
	*Ledger
	s   *suite
	q   qdisc.Qdisc
	rng *rand.Rand
	now qdisc.Time
}

func (s *suite) bench(withDrops bool) *bench {
	var drops *qdisc.List
	if withDrops {
		drops = new(qdisc.List)
	}
	q := s.build(drops)
	l := NewLedger(q, drops)
	l.kind, l.AllowLate, l.WorkConserving = s.kind, s.late, s.conserves
	return &bench{Ledger: l, s: s, q: q, rng: rand.New(rand.NewPCG(s.seed, 2)), now: 1e9}
}

// each runs f with a drop list and without.
func (s *suite) each(f func(b *bench) error) error {
	for _, with := range []bool{true, false} {
		b := s.bench(with)
		err := guard(func() error { return f(b) })
		if err != nil {
			b.fail("%v", err)
		}
		if b.err != nil {
			err = b.err
		}
		if err != nil && !with {
			return fmt.Errorf("with a nil drop list: %w", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// guard makes a panic an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// arrive enqueues a random packet.
func (b *bench) arrive() qdisc.Verdict {
	p := b.Packet()
	b.s.packet(b.rng, p, b.q)
	return b.Enqueue(p, b.now)
}

// fill enqueues random packets until n are held. It gives up when 20 in a row
// brought no more than there were before, since a limit may be lower than n.
func (b *bench) fill(n int) {
	most := b.Held()
	for misses := 0; b.Held() < n && misses < 20 && b.err == nil; misses++ {
		b.arrive()
		b.now += qdisc.Time(b.rng.Int64N(1000))
		if b.Held() > most {
			most, misses = b.Held(), -1
		}
	}
}

// drain follows ReadyAt until nothing is held.
func (b *bench) drain() { b.now = b.Drain(b.now, b.wake) }

func (b *bench) wake(now qdisc.Time) {
	Wake(b.q, now)
	if b.s.wake != nil {
		b.s.wake(b.q, now)
	}
}
