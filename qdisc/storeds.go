package qdisc

import "encoding/binary"

// StoreDS writes p.DSField (DSCP, RFC 2474, and ECN, RFC 3168) back into the
// IPv4 or IPv6 header in p's bytes b, where ParseIP or ParseEthernet found it:
// at p.NetOff. It brings the checksum of an IPv4 header up to date, in time that
// does not depend on the options; a wrong checksum stays wrong. It returns
// false, and changes nothing, if p is not IP (p.Proto is 0) or b holds no whole
// IP header there: 20 or 40 bytes, an IPv4 header length of 5 words or more.
func StoreDS(p *Packet, b []byte) bool {
	if p.Proto == 0 || int(p.NetOff) > len(b) {
		return false
	}
	hdr, ds := b[p.NetOff:], p.DSField
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
