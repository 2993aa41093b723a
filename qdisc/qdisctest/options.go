package qdisctest

import (
	"math/rand/v2"

	"github.com/netsched/netsched/qdisc"
)

// Option tells the tests something about the discipline.
type Option func(*options)

type options struct {
	fill      func(*rand.Rand, *qdisc.Packet)
	classes   []uint32
	longest   uint32
	kind      Kind
	cut       func(q qdisc.Qdisc, now qdisc.Time) error
	wake      func(q qdisc.Qdisc, now qdisc.Time)
	late      bool
	conserves bool
	seed      uint64
	steps     int
}

// Fill has f write the fields of each random packet, after the tests wrote
// theirs. It must leave Payload alone and must not ask for segments.
func Fill(f func(r *rand.Rand, p *qdisc.Packet)) Option { return func(o *options) { o.fill = f } }

// Classes gives the class numbers to use; the default is what Children names.
func Classes(classes ...uint32) Option { return func(o *options) { o.classes = classes } }

// Longest gives the length in bytes of the longest random packet; the default
// is 1514.
func Longest(n uint32) Option { return func(o *options) { o.longest = n } }

// Peeks demands one kind of Peek; the default is that it keeps to one.
func Peeks(k Kind) Option { return func(o *options) { o.kind = k } }

// Cut gives a change of configuration that lowers limits. It is made while
// packets are held and must return no error.
func Cut(f func(q qdisc.Qdisc, now qdisc.Time) error) Option {
	return func(o *options) { o.cut = f }
}

// Wakes gives the way to wake what is Blocked. Every [Chaos] is woken anyway.
func Wakes(f func(q qdisc.Qdisc, now qdisc.Time)) Option { return func(o *options) { o.wake = f } }

// AllowLate accepts a ReadyAt later than the true time, for disciplines that
// reproduce a reference's late wake-ups.
func AllowLate() Option { return func(o *options) { o.late = true } }

// WorkConserving demands that a parent never holds back what a child would
// give.
func WorkConserving() Option { return func(o *options) { o.conserves = true } }

// Seed starts the random numbers elsewhere; the default is 1.
func Seed(seed uint64) Option { return func(o *options) { o.seed = seed } }

// Steps sets how many calls each random test makes; the default is 20000.
func Steps(n int) Option { return func(o *options) { o.steps = n } }

func gather(opts []Option) options {
	o := options{longest: 1514, seed: 1, steps: 20000}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// packet writes the fields of a random packet.
func (o *options) packet(r *rand.Rand, p *qdisc.Packet, q qdisc.Qdisc) {
	p.Len = r.Uint32N(o.longest + 1)
	switch r.Uint32N(32) {
	case 0:
		p.Len = 0
	case 1:
		p.Len = o.longest
	}
	p.Truesize = p.Len + 256
	p.Priority = r.Uint32N(16)
	p.Flow = r.Uint32N(8) * 0x20001001
	p.SrcHost, p.DstHost = p.Flow>>30, p.Flow>>29
	p.Mark = r.Uint32N(4)
	p.NetOff, p.Proto = 14, 17
	p.DSField = uint8(r.Uint32())
	switch n := r.IntN(len(o.classes) + 1); {
	case n < len(o.classes):
		p.Class = o.classes[n]
	case r.Uint32N(4) == 0:
		p.Class = r.Uint32() // most likely no class
	}
	if r.Uint32N(64) == 0 {
		// Nothing that a caller writes may cause a panic.
		p.Priority, p.Mark, p.TxQueue, p.NetOff, p.HdrLen = r.Uint32(), r.Uint32(), uint16(r.Uint32()), uint16(r.Uint32()), uint16(r.Uint32())
		p.Proto, p.Truesize = uint8(r.Uint32()), r.Uint32()
	}
	if o.fill != nil {
		o.fill(r, p)
	}
}
