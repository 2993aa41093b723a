package qdisc

import (
	crand "crypto/rand"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"net/netip"
)

// HashKey is the secret under which [ParseIP] and [ParseEthernet] hash flows
// and hosts. A sender who does not know it cannot choose its bucket in a fair
// queue, nor whose bucket it shares. Make one with NewHashKey for each tree of
// disciplines; the zero value is not to be used, it gives many flows one hash. A
// nil *HashKey makes all hashes 0,
// for disciplines that read none.
//
// All 32 bits of a hash are of equal quality: a bucket may be taken from the
// top ones ((hash*flows)>>32) or the low ones (hash mod 1024).
//
// A key never changes, so any number of goroutines may use it.
type HashKey struct {
	hi, lo uint64 // the halves of an address
	host   [2]uint64
	dst    uint64 // the role of the second address in a flow
	flow   [2]uint64
}

// NewHashKey draws a key from src: the same source, the same hashes, for runs
// that must repeat. A nil src draws a secret from the operating system.
func NewHashKey(src rand.Source) *HashKey {
	draw := func() uint64 {
		if src != nil {
			return src.Uint64()
		}
		var b [8]byte
		crand.Read(b[:]) // never fails
		return binary.NativeEndian.Uint64(b[:])
	}
	return &HashKey{draw(), draw(), [2]uint64{draw(), draw()}, draw(), [2]uint64{draw(), draw()}}
}

// Host returns the hash that ParseIP stores for an address, as source and as
// destination alike: for senders that have addresses and no header. A zone
// does not count, and an IPv4 address has the hash of its IPv4-mapped form
// (RFC 4291 section 2.5.5.2). The hash of an invalid address is 0.
func (k *HashKey) Host(a netip.Addr) uint32 {
	if k == nil || !a.IsValid() {
		return 0
	}
	return k.hostHash(k.fold(wordsOf(a)))
}

// Flow returns the hash that ParseIP stores for the flow from src to dst. The
// ports count for every proto: give 0 for a protocol without ports and for
// fragments. The hash is 0 if an address is invalid.
func (k *HashKey) Flow(proto uint8, src, dst netip.AddrPort) uint32 {
	if k == nil || !src.Addr().IsValid() || !dst.Addr().IsValid() {
		return 0
	}
	rest := restOf(proto, uint32(src.Port())<<16|uint32(dst.Port()))
	return k.flowHash(k.fold(wordsOf(src.Addr())), k.fold(wordsOf(dst.Addr())), rest)
}

// hash fills the three hashes of p from two addresses and what else tells
// flows between them apart.
func (k *HashKey) hash(p *Packet, src, dst words, rest uint64) {
	if k == nil {
		p.Flow, p.SrcHost, p.DstHost = 0, 0, 0
		return
	}
	s, d := k.fold(src), k.fold(dst)
	p.SrcHost, p.DstHost = k.hostHash(s), k.hostHash(d)
	p.Flow = k.flowHash(s, d, rest)
}

// words is an IPv6 address. Others are put under ::/8, which is reserved
// (IANA, IPv6 address space), so that no two honest addresses share words.
type words struct{ hi, lo uint64 }

func words4(a uint32) words      { return words{0, 0xffff<<32 | uint64(a)} }
func wordsMAC(a uint64) words    { return words{0, 1<<63 | a} }
func words6(b []byte) words      { return words{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])} }
func wordsOf(a netip.Addr) words { b := a.As16(); return words6(b[:]) }

// restOf joins the protocol, and both ports in the order of the header.
func restOf(proto uint8, ports uint32) uint64 { return uint64(proto)<<32 | uint64(ports) }

// mix is the step of all hashes: a 128-bit product folded to 64 bits. Without
// one of the factors neither half of the product can be predicted. Two steps
// spread every bit of the input over the whole word.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// fold makes an address unpredictable. The halves have a key each, or swapping
// them would give the same.
func (k *HashKey) fold(a words) uint64 { return mix(a.hi^k.hi, a.lo^k.lo) }

func (k *HashKey) hostHash(a uint64) uint32 {
	return uint32(mix(a^k.host[0], k.host[1]) >> 32)
}

// flowHash depends on the direction, by dst.
func (k *HashKey) flowHash(src, dst, rest uint64) uint32 {
	return uint32(mix(mix(src^rest, dst^k.dst)^k.flow[0], k.flow[1]) >> 32)
}
