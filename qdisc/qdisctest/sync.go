package qdisctest

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// sync calls a child directly, uses the root before it knows, and syncs.
func (s *suite) sync() error {
	return s.each(func(b *bench) error {
		for _, class := range []uint32{0, 1 << 31, math.MaxUint32} {
			b.Do("Sync", b.now, func() { b.q.(qdisc.Parent).Sync(class, b.now) })
		}
		for range s.steps / 4 {
			if b.err != nil {
				break
			}
			for range b.rng.IntN(8) {
				b.random(6)
			}
			nodes := Nodes(nil, b.q)
			if len(nodes) == 1 {
				continue
			}
			node := nodes[1+b.rng.IntN(len(nodes)-1)]
			b.touch(node)
			for range b.rng.IntN(3) {
				b.early()
			}
			b.Do("Sync", b.now, func() { Sync(b.q, node, b.now) })
		}
		b.drain()
		return nil
	})
}

// touch makes a call on a node below the root.
func (b *bench) touch(node qdisc.Qdisc) {
	switch n := b.rng.IntN(16); {
	case n == 0:
		b.direct("Reset child", node, func() { node.Reset(b.now) })
	case n < 3:
		b.direct("Peek child", node, func() { node.Peek(b.now) })
	case n < 9:
		b.DequeueFrom(node, b.now)
	default:
		p := b.Packet()
		b.s.packet(b.rng, p, b.q)
		b.EnqueueTo(node, p, b.now)
	}
}

func (b *bench) direct(what string, node qdisc.Qdisc, f func()) {
	b.begin(what, node, b.now)
	f()
	b.collect()
	b.compare()
}

// early uses the root before Sync: it may not know yet what can leave, and
// nothing else may be wrong.
func (b *bench) early() {
	switch b.rng.IntN(4) {
	case 0:
		b.arrive()
	case 1:
		b.Peek(b.now)
	case 2:
		b.ReadyAt(b.now)
	default:
		b.Dequeue(b.now)
	}
}
