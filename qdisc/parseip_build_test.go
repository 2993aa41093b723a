package qdisc_test

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// Packets made by hand. Every host and port is the same; what differs is what
// the headers look like.
const (
	srcPort, dstPort = 0x1234, 0xabcd
	testDS           = 0xb9 // EF, ECT(1)
)

var (
	src4 = netip.MustParseAddr("192.0.2.7")
	dst4 = netip.MustParseAddr("198.51.100.200")
	src6 = netip.MustParseAddr("2001:db8:1:2:3:4:5:6")
	dst6 = netip.MustParseAddr("2001:db8:a:b:c:d:e:f")

	srcMAC = []byte{0x02, 0x11, 0x22, 0x33, 0x44, 0x55}
	dstMAC = []byte{0x06, 0xaa, 0xbb, 0xcc, 0xdd, 0xee}
)

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

// ip4 is an IPv4 packet with a header of words words and a right checksum.
func ip4(proto uint8, words int, parts ...[]byte) []byte {
	b := make([]byte, 4*words)
	for i := 20; i < len(b); i++ {
		b[i] = 1 // no operation
	}
	payload := join(parts...)
	b[0], b[1], b[8], b[9] = 4<<4|uint8(words), testDS, 64, proto
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)+len(payload)))
	copy(b[12:], src4.AsSlice())
	copy(b[16:], dst4.AsSlice())
	binary.BigEndian.PutUint16(b[10:], checksum4(b))
	return append(b, payload...)
}

// checksum4 is what the header's checksum should be, from scratch.
func checksum4(b []byte) uint16 {
	sum := uint32(0)
	for i := range 2 * int(b[0]&15) {
		if i != 5 {
			sum += uint32(binary.BigEndian.Uint16(b[2*i:]))
		}
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// put16 changes a 16-bit field, such as a length.
func put16(b []byte, at int, v uint16) []byte {
	b = slices.Clone(b)
	binary.BigEndian.PutUint16(b[at:], v)
	return b
}

// ip6 is an IPv6 packet with a flow label.
func ip6(next uint8, parts ...[]byte) []byte {
	payload := join(parts...)
	b := make([]byte, 40)
	binary.BigEndian.PutUint32(b, 6<<28|testDS<<20|0xc0ffe)
	binary.BigEndian.PutUint16(b[4:], uint16(len(payload)))
	b[6], b[7] = next, 64
	copy(b[8:], src6.AsSlice())
	copy(b[24:], dst6.AsSlice())
	return append(b, payload...)
}

// ext is an extension header of 8*(units+1) bytes, full of bytes that would
// make ports.
func ext(next uint8, units int) []byte {
	b := slices.Repeat([]byte{0xee}, 8*(units+1))
	b[0], b[1] = next, uint8(units)
	return b
}

// frag6 is a Fragment header; word is the offset, reserved bits and M flag.
func frag6(next uint8, word uint16) []byte {
	return put16([]byte{next, 0xee, 0, 0, 1, 2, 3, 4}, 2, word)
}

// ah is an authentication header of 4*(words+2) bytes.
func ah(next uint8, words int) []byte {
	b := slices.Repeat([]byte{0xdd}, 4*(words+2))
	b[0], b[1] = next, uint8(words)
	return b
}

// ports begins a transport header of n bytes.
func ports(n int) []byte {
	b := make([]byte, n)
	binary.BigEndian.PutUint16(b, srcPort)
	binary.BigEndian.PutUint16(b[2:], dstPort)
	return b
}

func udp() []byte { return ports(8) }

// tcp has a header of 4*words bytes and says that it has said.
func tcp(words, said int) []byte {
	b := ports(4 * words)
	b[12] = uint8(said)<<4 | 0xf
	return b
}

func dccp(words, said int) []byte {
	b := ports(4 * words)
	b[4] = uint8(said)
	return b
}

var data = slices.Repeat([]byte{0xd0}, 30)

func ethernet(parts ...[]byte) []byte {
	return join(dstMAC, srcMAC, join(parts...))
}

func u16(v ...uint16) (b []byte) {
	for _, w := range v {
		b = binary.BigEndian.AppendUint16(b, w)
	}
	return b
}

// facts are what ParseIP fills.
type facts struct {
	NetOff, HdrLen         uint16
	Proto, DSField         uint8
	Flow, SrcHost, DstHost uint32
}

func factsOf(p *qdisc.Packet) facts {
	return facts{p.NetOff, p.HdrLen, p.Proto, p.DSField, p.Flow, p.SrcHost, p.DstHost}
}
