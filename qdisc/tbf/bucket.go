package tbf

import (
	"math"
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// unitsPerByte is the cost of a byte in units of 1e-9 bit.
const unitsPerByte = 8_000_000_000

// maxWire is the largest framed length, in bytes, whose cost fits an int64:
// 1.15e9, above MaxLen.
const maxWire = math.MaxInt64 / unitsPerByte

// bucket is a token bucket. Its unit is 1e-9 bit, or in Linux's arithmetic 1 ns
// of transmission time.
type bucket struct {
	gain   uint64 // units earned in a nanosecond
	mult   uint64 // a byte costs mult >> shift units; 0: the bucket is not in use
	shift  uint8
	depth  int64 // most that it holds
	most   int64 // most that a packet waits for, whatever it costs
	tokens int64 // as of the last departure; negative: owed
}

// newBucket returns a full bucket that holds the cost of wire bytes.
func newBucket(r qdisc.Rate, wire uint64, compat qdisc.Compat) bucket {
	b := bucket{gain: uint64(r), mult: unitsPerByte}
	if compat == qdisc.Linux {
		b.gain = 1
		b.mult, b.shift = linuxScale(bytesPerSecond(r))
	}
	b.depth = b.cost(wire)
	b.tokens, b.most = b.depth, b.depth
	if compat == qdisc.Linux { // oversize head
		b.most = math.MaxInt64
	}
	return b
}

// bytesPerSecond is the rate that Linux keeps: whole bytes a second.
func bytesPerSecond(r qdisc.Rate) uint64 { return uint64(r) / 8 }

// linuxScale returns Linux's factors for 1e9/rate, a byte's transmission time
// in nanoseconds, with rate in bytes/s: mult has 32 bits, less only above
// 64 Gbit/s.
func linuxScale(rate uint64) (mult uint64, shift uint8) {
	factor := uint64(1e9)
	for {
		mult = uint64(uint32(factor / rate))
		if mult>>31 != 0 || factor>>63 != 0 {
			return mult, shift
		}
		factor <<= 1
		shift++
	}
}

// cost returns what a packet of wire bytes takes.
func (b *bucket) cost(wire uint64) int64 { return int64(wire * b.mult >> (b.shift & 63)) }

// after returns what the bucket holds elapsed ns after the last departure.
func (b *bucket) after(elapsed uint64) int64 {
	// The room may exceed an int64 when tokens are owed, but not a uint64.
	hi, lo := bits.Mul64(elapsed, b.gain)
	if hi != 0 || lo >= uint64(b.depth-b.tokens) {
		return b.depth
	}
	return b.tokens + int64(lo)
}

// surplus returns what a bucket that after found full earned beyond its depth
// since the waiting packet of that cost could leave, if that was within this
// nanosecond. On a finer clock the packet had left then, and the bucket had
// gone on filling; but never to more than full again.
//
//go:noinline
func (b *bucket) surplus(elapsed uint64, cost int64) int64 {
	hi, lo := bits.Mul64(elapsed, b.gain)
	over, borrow := bits.Sub64(lo, uint64(b.depth-b.tokens), 0)
	unused := uint64(b.depth - min(cost, b.most))
	if hi != borrow || over >= b.gain-unused {
		return 0
	}
	return int64(min(over, uint64(cost)))
}

// brims tells whether a full bucket that pays need may have a surplus.
func (b *bucket) brims(tokens, need int64) bool {
	return tokens == b.depth && uint64(tokens-need) < b.gain
}

// wait returns the nanoseconds, rounded up, until the bucket that holds tokens
// lets a packet of wire bytes go; 0 if it does already.
func (b *bucket) wait(tokens int64, wire uint64) uint64 {
	need := min(b.cost(wire), b.most)
	if tokens >= need {
		return 0
	}
	// A division, but only for a packet held back, and it makes the wake-up
	// exact, which saves whole calls.
	lack := uint64(need - tokens)
	ns := lack / b.gain
	if ns*b.gain != lack {
		ns++
	}
	return ns
}

// framing turns a packet's length into the bytes that the line carries.
type framing struct {
	overhead, mpu uint64
	atm           bool
}

// The ATM cell: 53 bytes, 48 of them payload.
const cellSize, cellPayload = 53, 48

// wire returns the framed length of n bytes, at most maxWire.
func (f *framing) wire(n uint32) uint64 {
	w := max(uint64(n)+f.overhead, f.mpu)
	if f.atm {
		w = (w + cellPayload - 1) / cellPayload * cellSize
	}
	return min(w, maxWire)
}
