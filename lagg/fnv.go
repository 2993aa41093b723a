package lagg

import "encoding/binary"

// Lengths of headers in bytes, EtherTypes and IP protocol numbers.
const (
	etherLen = 14
	vlanLen  = 4
	ipv4Len  = 20
	ipv6Len  = 40

	typeIPv4 = 0x0800
	typeVLAN = 0x8100 // 802.1Q
	typeIPv6 = 0x86DD
	typeSTag = 0x88A8 // 802.1ad, before the tag of 802.1Q

	maxTags = 2

	protoTCP  = 6
	protoUDP  = 17
	protoSCTP = 132
)

// fnvPrime is of FNV-1 for 32 bits (Fowler, Noll and Vo): each byte multiplies the hash by
// the prime and is then XORed into it.
const fnvPrime = 0x01000193

func fnv16(h uint32, v uint16) uint32 {
	h = h*fnvPrime ^ uint32(v>>8)
	return h*fnvPrime ^ uint32(v&0xFF)
}

func fnv32(h uint32, v uint32) uint32 {
	h = h*fnvPrime ^ v>>24
	h = h*fnvPrime ^ v>>16&0xFF
	h = h*fnvPrime ^ v>>8&0xFF
	return h*fnvPrime ^ v&0xFF
}

func fnv64(h uint32, v uint64) uint32 {
	return fnv32(fnv32(h, uint32(v>>32)), uint32(v))
}

// ports4 returns the 4 bytes of both ports behind an IPv4 header. A fragment
// has none, so that all of a packet takes one way, unless fragments is set.
func ports4(ip []byte, fragments bool) (ports uint32, ok bool) {
	const moreOrOffset = 0x3FFF
	n := int(ip[0]&15) * 4
	if !hasPorts(ip[9]) || n < ipv4Len || len(ip) < n+4 ||
		!fragments && binary.BigEndian.Uint16(ip[6:])&moreOrOffset != 0 {
		return 0, false
	}
	return binary.BigEndian.Uint32(ip[n:]), true
}

func hasPorts(proto uint8) bool { return proto == protoTCP || proto == protoUDP || proto == protoSCTP }
