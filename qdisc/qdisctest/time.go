package qdisctest

import (
	"fmt"
	"math"

	"github.com/netsched/netsched/qdisc"
)

// readyAt empties the queue by following ReadyAt, from many fills.
func (s *suite) readyAt() error {
	return s.each(func(b *bench) error {
		b.ReadyAt(b.now)
		for n := range 60 {
			b.fill(n)
			if b.rng.IntN(2) == 0 {
				b.Peek(b.now)
			}
			b.drain()
			b.ReadyAt(b.now)
			b.ReadyAt(qdisc.Never)
			b.now += qdisc.Time(b.rng.Int64N(1e8))
		}
		if b.Sent() == 0 && b.err == nil {
			return fmt.Errorf("no packet ever came out")
		}
		return nil
	})
}

// clock passes times that are out of order or out of range.
func (s *suite) clock() error {
	odd := []qdisc.Time{math.MinInt64, -1, 0, 1, 1e9, 1 << 62, qdisc.MaxTime - 1, qdisc.MaxTime, qdisc.Blocked, qdisc.Never}
	return s.each(func(b *bench) error {
		for _, far := range odd {
			for range 20 {
				b.fill(10)
				now := far
				if b.rng.IntN(2) == 0 {
					now = odd[b.rng.IntN(len(odd))]
				}
				p := b.Packet()
				b.s.packet(b.rng, p, b.q)
				b.Enqueue(p, now)
				b.Peek(now)
				b.ReadyAt(now)
				for range 5 {
					b.Dequeue(odd[b.rng.IntN(len(odd))])
				}
			}
			b.Reset(1e9)
			b.now = 1e9
			b.fill(5)
			b.drain()
			if b.Held() > 0 {
				return fmt.Errorf("after Reset to 1 s the queue does not empty: %d packets are left", b.Held())
			}
		}
		return nil
	})
}
