package qdisc

import "encoding/binary"

const (
	minIPv4      = 20     // bytes of an IPv4 header without options
	moreOrOffset = 0x3fff // of the flags and fragment offset: set in fragments
)

// parseIPv4 reads an IPv4 header (RFC 791) at b[off], 0 <= off <= 65535.
func parseIPv4(p *Packet, b []byte, off int, key *HashKey) bool {
	if len(b)-off < minIPv4 || b[off]>>4 != 4 {
		notIP(p, off)
		return false
	}
	h := b[off : off+minIPv4]
	src, dst := words4(binary.BigEndian.Uint32(h[12:])), words4(binary.BigEndian.Uint32(h[16:]))
	size := 4 * int(h[0]&15)
	if size < minIPv4 {
		notIP(p, off)
		key.hash(p, src, dst, 0)
		return false
	}
	// What follows the packet is padding of the link. A super-packet may be
	// too long for the field, which is then 0.
	if total := int(binary.BigEndian.Uint16(h[2:])); total >= size && total < len(b)-off {
		b = b[:off+total]
	}
	proto, end, ports := h[9], off+size, uint32(0)
	if binary.BigEndian.Uint16(h[6:])&moreOrOffset == 0 {
		fragment := false
		if proto == protoAH {
			proto, end, fragment = skipExtensions(b, end, proto)
		}
		if !fragment {
			end, ports = transport(b, end, proto)
		}
	}
	isIP(p, b, off, end, proto, h[1])
	key.hash(p, src, dst, restOf(p.Proto, ports))
	return true
}
