package qdisctest

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// misuse offers what every build must refuse by a panic, and checks that
// nothing changed by it.
func (s *suite) misuse() error {
	return s.each(func(b *bench) error {
		b.fill(3)
		if err := panics("nil", func() { b.q.Enqueue(nil, b.now) }); err != nil {
			return fmt.Errorf("Enqueue(nil): %w", err)
		}
		twice := func(what string, p *qdisc.Packet) error {
			if err := panics("already", func() { b.q.Enqueue(p, b.now) }); err != nil {
				return fmt.Errorf("Enqueue of a packet %s: %w", what, err)
			}
			return b.Check()
		}
		if len(b.held) > 0 {
			if err := twice("that it holds", &b.held[0].Packet); err != nil {
				return err
			}
		}
		var other qdisc.List
		p := b.Packet()
		other.Push(p)
		if err := twice("in a list", p); err != nil {
			return err
		}
		if p := b.Peek(b.now); p != nil {
			if err := twice("that Peek showed", p); err != nil {
				return err
			}
		}
		b.drain()
		return nil
	})
}

// panics checks that f panics with a text of its own that holds the word.
func panics(word string, f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
			err = fmt.Errorf("no panic")
		case runtime.Error:
			err = fmt.Errorf("panics in the runtime (%v) instead of with a clear message", r)
		default:
			if text := fmt.Sprint(r); !strings.Contains(text, word) {
				err = fmt.Errorf("the panic's text %q does not say %q", text, word)
			}
		}
	}()
	f()
	return nil
}

// peek asks again and again, with arrivals between.
func (s *suite) peek() error {
	return s.each(func(b *bench) error {
		for range 300 {
			b.fill(1 + b.rng.IntN(12))
			first := b.Peek(b.now)
			for range b.rng.IntN(4) {
				b.Peek(b.now)
			}
			if first != nil && b.Kind() == Parking {
				for range b.rng.IntN(40) {
					b.arrive()
				}
				b.now += qdisc.Time(b.rng.Int64N(1e7))
				b.Peek(b.now)
			}
			b.Dequeue(b.now)
			b.now += qdisc.Time(b.rng.Int64N(1e6))
			if b.rng.IntN(20) == 0 {
				b.drain()
			}
		}
		if b.Kind() == Unknown && b.err == nil {
			return fmt.Errorf("Peek never gave a packet in 300 attempts")
		}
		b.drain()
		return nil
	})
}

// lengths offers the shortest and the longest packets.
func (s *suite) lengths() error {
	return s.each(func(b *bench) error {
		for _, n := range []uint32{0, 1, qdisc.MaxLen, qdisc.MaxLen + 1, math.MaxUint32} {
			for range 5 {
				b.fill(b.rng.IntN(3))
				p := b.Packet()
				s.packet(b.rng, p, b.q)
				p.Len = n
				b.Enqueue(p, b.now)
				b.Peek(b.now)
				b.Dequeue(b.now)
			}
			// A shaper may need longer than the clock runs for 1<<30 bytes.
			b.drain()
			b.now = 1e9
			b.Reset(b.now)
		}
		return nil
	})
}

// reset throws away all, with a parked packet and without, and starts again,
// perhaps at an earlier time, as a new discipline would.
func (s *suite) reset() error {
	return s.each(func(b *bench) error {
		fresh := s.bench(false).spend(1e9)
		for _, at := range []qdisc.Time{5e9, 1e9, 0, -7, 1e9} {
			b.fill(20)
			if b.rng.IntN(2) == 0 {
				b.Peek(b.now)
			}
			b.Reset(at)
			b.Dequeue(at)
			b.Peek(at)
			b.ReadyAt(at)
			sent := b.Sent()
			if d := b.spend(max(0, at)); d > 4*fresh+1e9 {
				return fmt.Errorf("after Reset to %v, 200 packets take %v; a new one takes %v", at, d, fresh)
			}
			if b.Sent() == sent && b.err == nil {
				return fmt.Errorf("after Reset to %v no packet comes out", at)
			}
		}
		return nil
	})
}

// spend lets 200 packets through and returns how long that takes.
func (b *bench) spend(at qdisc.Time) qdisc.Time {
	b.now = at
	for range 20 {
		b.fill(10)
		b.drain()
	}
	return b.now - at
}

// cuts lowers limits with packets held, parked or not.
func (s *suite) cuts() error {
	return s.each(func(b *bench) error {
		for _, peek := range []bool{false, true} {
			b.fill(40)
			if peek {
				b.Peek(b.now)
			}
			b.Do("Cut", b.now, func() {
				if err := s.cut(b.q, b.now); err != nil {
					b.fail("the change was refused: %v", err)
				}
			})
			for range 20 {
				b.arrive()
			}
			if peek {
				b.Dequeue(b.now)
			}
			b.drain()
		}
		return nil
	})
}
