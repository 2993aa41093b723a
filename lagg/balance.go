package lagg

import "math/bits"

// golden is 2^32 divided by the golden ratio: the multiplier of Fibonacci
// hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
const golden = 0x9E3779B1

// maxProbes bounds the search for a usable slot. When half of the slots are
// dead it fails once in 2^32 flows.
const maxProbes = 32

// balancer maps a hash to a port.
type balancer struct {
	table  []*Member // who serves each slot; nil: displaced says
	usable []*Member
	slots  uint32 // length of table
	magic  uint64 // 2^64 / slots, rounded up
	shift  uint8  // consistent: 32 - log2(slots), else 0
}

// use sets the table. Of a consistent one the length is a power of two.
func (b *balancer) use(table []*Member, consistent bool) {
	b.table, b.slots, b.shift = table, uint32(len(table)), 0
	if b.slots > 0 {
		b.magic = ^uint64(0)/uint64(b.slots) + 1
	}
	if consistent {
		b.shift = uint8(32 - bits.Len32(b.slots-1))
	}
}

// slot returns h mod slots, by two multiplies (Lemire, Kaser and Kurz, Faster
// Remainder by Direct Computation, 2019), which for 32 bits are exact; or, if
// consistent, the slot of a scattered h.
func (b *balancer) slot(h uint32) uint64 {
	if b.shift != 0 {
		return uint64(h * golden >> (b.shift & 31))
	}
	slot, _ := bits.Mul64(b.magic*uint64(h), uint64(b.slots))
	return slot
}

// choose returns the port for a hash.
func (b *balancer) choose(h uint32) *Member {
	if i := b.slot(h); i < uint64(len(b.table)) {
		if m := b.table[i]; m != nil {
			return m
		}
	}
	return b.displaced(h)
}

// displaced returns the port for a flow whose own is dead: further hashes, each
// of all slots, until one is usable. So no flow moves again, but those of the
// port that comes or goes.
func (b *balancer) displaced(h uint32) *Member {
	if len(b.usable) == 0 {
		return nil
	}
	for range maxProbes {
		h = mix(h + golden)
		if m := b.table[uint64(h)*uint64(b.slots)>>32]; m != nil {
			return m
		}
	}
	return b.usable[uint64(mix(h+golden))*uint64(len(b.usable))>>32]
}

// mix is the finalizer of MurmurHash3, a permutation of 32-bit numbers.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85EBCA6B
	h ^= h >> 13
	h *= 0xC2B2AE35
	return h ^ h>>16
}
