package lagg

import "encoding/binary"

// bond hashes a frame as the formulas of xmit_hash_policy in the Linux bonding
// documentation say, with numbers as on the wire (first byte highest). The
// kernel's hashes of 32-bit numbers depend on its byte order. tags is how many
// VLAN tags to look for.
func (h *Hasher) bond(frame []byte, tags int) uint32 {
	kind, rest := binary.BigEndian.Uint16(frame[12:]), frame[etherLen:]
	for ; tags > 0 && (kind == typeVLAN || kind == typeSTag) && len(rest) >= vlanLen; tags-- {
		kind, rest = binary.BigEndian.Uint16(rest[2:]), rest[vlanLen:]
	}
	layer2 := uint32(frame[11]^frame[5]) ^ uint32(kind)
	if h.Policy == BondLayer2 {
		return layer2
	}
	var addresses, ports uint32
	switch {
	case kind == typeIPv4 && len(rest) >= ipv4Len:
		addresses = binary.BigEndian.Uint32(rest[12:]) ^ binary.BigEndian.Uint32(rest[16:])
		ports, _ = ports4(rest, false)
	case kind == typeIPv6 && len(rest) >= ipv6Len:
		for i := 8; i < ipv6Len; i += 4 {
			addresses ^= binary.BigEndian.Uint32(rest[i:])
		}
		if hasPorts(rest[6]) && len(rest) >= ipv6Len+4 {
			ports = binary.BigEndian.Uint32(rest[ipv6Len:])
		}
	default:
		return layer2
	}
	if h.Policy == BondLayer23 {
		return fold(layer2 ^ addresses)
	}
	return fold(ports^addresses) >> 1 // the lowest bit of a source port is often 0
}

// fold brings all 32 bits to bear on the lowest 8.
func fold(h uint32) uint32 {
	h ^= h >> 16
	return h ^ h>>8
}
