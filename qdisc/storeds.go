package qdisc

import "encoding/binary"

// StoreDS writes a DS field (DSCP, RFC 2474, and ECN, RFC 3168), such as a
// discipline left in Packet.DSField, into the IPv4 or IPv6 header that hdr
// begins with, at Packet.NetOff of the packet's bytes. It brings the checksum
// of an IPv4 header up to date, in time that does not depend on the options; a
// wrong checksum stays wrong. It returns false, and changes nothing, if hdr
// does not begin with a whole IP header: 20 or 40 bytes, an IPv4 header length
// of 5 words or more.
func StoreDS(hdr []byte, ds uint8) bool {
	switch {
	case len(hdr) >= minIPv4 && hdr[0]>>4 == 4 && hdr[0]&15 >= minIPv4/4:
		if hdr[1] != ds {
			storeIPv4DS(hdr[:minIPv4], ds)
		}
		return true
	case len(hdr) >= minIPv6 && hdr[0]>>4 == 6:
		hdr[0] = 6<<4 | ds>>4
		hdr[1] = ds<<4 | hdr[1]&15
		return true
	}
	return false
}

// storeIPv4DS updates the checksum by equation 3 of RFC 1624, in ones'
// complement arithmetic:
//
//	HC' = ~(~HC + ~m + m')
//
// m being the word that changes. Like a computation from scratch, and unlike
// the older equation, it never gives 0xffff: the sum is 0 only if every term
// is, and m' has the version in it.
func storeIPv4DS(h []byte, ds uint8) {
	m := binary.BigEndian.Uint16(h)
	h[1] = ds
	sum := uint32(^binary.BigEndian.Uint16(h[10:])) + uint32(^m) + uint32(binary.BigEndian.Uint16(h))
	sum = sum>>16 + sum&0xffff
	sum = sum>>16 + sum&0xffff
	binary.BigEndian.PutUint16(h[10:], ^uint16(sum))
}
