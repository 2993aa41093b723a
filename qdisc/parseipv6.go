package qdisc

import "encoding/binary"

const (
	minIPv6 = 40 // bytes of an IPv6 header

	// maxExtensions bounds the walk over extension headers. RFC 8200 section
	// 4.1 expects 6 at most, Destination Options being the only one twice.
	maxExtensions = 8
)

// parseIPv6 reads an IPv6 header (RFC 8200) at b[off], 0 <= off <= 65535.
func parseIPv6(p *Packet, b []byte, off int, key *HashKey) bool {
	if len(b)-off < minIPv6 || b[off]>>4 != 6 {
		notIP(p, off)
		return false
	}
	h := b[off : off+minIPv6]
	// What follows the packet is padding of the link. A jumbogram (RFC 2675)
	// says 0.
	if payload := int(binary.BigEndian.Uint16(h[4:])); payload != 0 && payload < len(b)-off-minIPv6 {
		b = b[:off+minIPv6+payload]
	}
	proto, end, fragment := skipExtensions(b, off+minIPv6, h[6])
	hashed, ports := proto, uint32(0)
	if fragment {
		hashed = protoFragment
	} else {
		end, ports = transport(b, end, proto)
	}
	isIP(p, b, off, end, proto, uint8(binary.BigEndian.Uint16(h)>>4))
	key.hash(p, words6(h[8:]), words6(h[24:]), restOf(hashed, ports))
	return true
}

// skipExtensions walks the extension headers from the one of number next at
// b[at]. It returns the number of the header after them and where that begins;
// or what a Fragment header names, if the packet is a fragment; or
// protoUnknown if the chain is cut off or too long. Every header is of 8 bytes
// or more, so the walk advances whatever the lengths say.
func skipExtensions(b []byte, at int, next uint8) (proto uint8, end int, fragment bool) {
	for n := 0; isExtension(next); n++ {
		if n == maxExtensions {
			return protoUnknown, at, false
		}
		if len(b)-at < 8 {
			return protoUnknown, len(b), false
		}
		h := b[at : at+8]
		size := 8 * (int(h[1]) + 1)
		switch next {
		case protoFragment:
			size = 8
			if binary.BigEndian.Uint16(h[2:])&^6 != 0 { // but for the two reserved bits
				return h[0], at + size, true
			}
		case protoAH: // counts in words, less two (RFC 4302 section 2.2)
			size = 4 * (int(h[1]) + 2)
		}
		if size > len(b)-at {
			return protoUnknown, len(b), false
		}
		next = h[0]
		at += size
	}
	return next, at, false
}

func isExtension(proto uint8) bool {
	switch proto {
	case protoHopByHop, protoRouting, protoFragment, protoAH, protoDestOptions:
		return true
	}
	return false
}
