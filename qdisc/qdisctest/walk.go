package qdisctest

import "github.com/netsched/netsched/qdisc"

// random makes calls of all kinds, in phases that fill and phases that drain.
func (s *suite) random() error {
	return s.each(func(b *bench) error {
		for left := s.steps; left > 0 && b.err == nil; {
			n := min(left, 1+b.rng.IntN(300))
			left -= n
			arrivals := 1 + b.rng.IntN(9)
			for range n {
				b.random(arrivals)
			}
		}
		b.drain()
		return nil
	})
}

// random makes one call; about arrivals of 10 are arrivals.
func (b *bench) random(arrivals int) {
	now := b.tick()
	switch n := b.rng.IntN(400); {
	case n == 0:
		b.now = qdisc.Time(b.rng.Int64N(2e9))
		b.Reset(b.now)
	case n == 1 && b.s.cut != nil:
		b.Do("Cut", b.now, func() {
			if err := b.s.cut(b.q, b.now); err != nil {
				b.fail("the change was refused: %v", err)
			}
		})
	case n < 4:
		b.Do("Wake", b.now, func() { b.wake(b.now) })
	case n < 8:
		b.drain()
	case n < 40:
		b.Peek(now)
	case n < 60:
		b.ReadyAt(now)
	case b.rng.IntN(10) < arrivals:
		p := b.Packet()
		b.s.packet(b.rng, p, b.q)
		b.Enqueue(p, now)
	default:
		b.Dequeue(now)
	}
}

// tick moves the clock and returns the time for the next call, which is
// sometimes behind it.
func (b *bench) tick() qdisc.Time {
	switch n := b.rng.IntN(64); {
	case n == 0:
		return b.now - qdisc.Time(b.rng.Int64N(2e9)) // perhaps negative
	case n == 1:
		b.now += qdisc.Time(b.rng.Int64N(5e9))
	case n < 16:
		if t := b.q.ReadyAt(b.now); t < qdisc.MaxTime {
			b.now = max(b.now, t-qdisc.Time(b.rng.Int64N(2)))
		}
	case n < 40:
		b.now += qdisc.Time(b.rng.Int64N(1 << (4 + b.rng.IntN(18))))
	}
	return b.now
}
