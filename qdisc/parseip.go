package qdisc

import (
	"encoding/binary"
	"math"
)

// ParseIP fills the facts about p that stand in its headers: NetOff, HdrLen,
// Proto, DSField, Flow, SrcHost and DstHost. The IPv4 or IPv6 header begins at
// b[off]; b need not reach further than the headers, and nothing past its end
// is read. ParseIP sets all seven fields whatever it finds, and no other: Len,
// above all, is the caller's, since b may be a part of the packet or may lack
// what the link adds.
//
// It returns whether b[off:] begins with a whole IP header (20 or 40 bytes, an
// IPv4 header length of 5 words or more), which is when [StoreDS] can write
// there. If not, Proto, DSField and all hashes are 0 and HdrLen is NetOff; but
// the two addresses are hashed where only the header length is wrong. An off
// outside b, or above 65535, counts as the nearest one possible.
//
// HdrLen is the sum of the link's, the network's and the transport's headers,
// at most 65535. A header that b cuts off counts with what is there.
//
// Proto is the protocol above IP and its IPv6 extension headers or AH. It is
// 255, which IANA reserves, where that is unknown: the extension headers are
// cut off or more than 8, or the header says 0. Of an IPv6 fragment it is what
// the Fragment header names.
//
// SrcHost and DstHost hash the addresses of the header, Flow those with Proto
// and, for TCP, UDP, UDP-Lite, DCCP and SCTP, both ports, for ESP the SPI. All
// ICMP between two hosts is one flow, and so is a tunnel. Flow depends on the
// direction.
//
// Fragments are hashed without ports, the first one also: later ones have
// none, and all must share a queue lest they overtake each other. IPv6
// fragments count as protocol 44, because what their headers name may differ
// (RFC 8200 section 4.5). A packet with a Fragment header that is whole all the
// same (RFC 6946) is no fragment.
//
// The IPv6 flow label is not hashed. RFC 6438 recommends it for choosing among
// equal paths, to find flows where ports are hidden. In a fair queue a sender
// would get a queue for each label, and reorder a flow whose label changes.
func ParseIP(p *Packet, b []byte, off int, key *HashKey) bool {
	if off < 0 || off >= len(b) || off > math.MaxUint16 {
		notIP(p, max(0, min(off, len(b), math.MaxUint16)))
		return false
	}
	switch b[off] >> 4 {
	case 4:
		return parseIPv4(p, b, off, key)
	case 6:
		return parseIPv6(p, b, off, key)
	}
	notIP(p, off)
	return false
}

// EtherTypes (IANA, IEEE 802 numbers). What is below minEtherType is a length.
const (
	minEtherType  = 0x0600
	etherTypeIPv4 = 0x0800
	etherTypeVLAN = 0x8100 // 802.1Q
	etherTypeIPv6 = 0x86dd
	etherTypeSTag = 0x88a8 // 802.1ad
)

// ParseEthernet is ParseIP for a frame: b begins at an Ethernet header, which
// may carry one VLAN tag of either kind. A frame that is not IP, or whose IP
// header is cut off or malformed, has Proto and DSField 0 and is hashed by its
// MAC addresses, Flow by the EtherType also. NetOff and HdrLen are then where
// the Ethernet header ends. The VLAN is not hashed. With fewer than 14 bytes
// all seven fields are 0.
//
// For other links and more tags, find the network header and call ParseIP.
func ParseEthernet(p *Packet, b []byte, key *HashKey) bool {
	if len(b) < 14 {
		notIP(p, 0)
		return false
	}
	off, kind := 14, binary.BigEndian.Uint16(b[12:])
	if (kind == etherTypeVLAN || kind == etherTypeSTag) && len(b) >= 18 {
		off, kind = 18, binary.BigEndian.Uint16(b[16:])
	}
	switch {
	case kind == etherTypeIPv4 && parseIPv4(p, b, off, key), kind == etherTypeIPv6 && parseIPv6(p, b, off, key):
		return true
	case kind < minEtherType:
		kind = 0
	}
	notIP(p, off)
	dst, src := binary.BigEndian.Uint64(b)>>16, binary.BigEndian.Uint64(b[4:])&(1<<48-1)
	key.hash(p, wordsMAC(src), wordsMAC(dst), restOf(0, uint32(kind)))
	return false
}

// notIP sets the facts of what is no IP packet at off.
func notIP(p *Packet, off int) {
	p.NetOff, p.HdrLen, p.Proto, p.DSField = uint16(off), uint16(off), 0, 0
	p.Flow, p.SrcHost, p.DstHost = 0, 0, 0
}

// isIP sets the facts of an IP packet but for its hashes. Its headers end at
// end, or where b does.
func isIP(p *Packet, b []byte, off, end int, proto, ds uint8) {
	if proto == 0 {
		proto = protoUnknown
	}
	p.NetOff, p.HdrLen = uint16(off), uint16(min(end, len(b), math.MaxUint16))
	p.Proto, p.DSField = proto, ds
}
