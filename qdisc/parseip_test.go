package qdisc_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

var testKey = qdisc.NewHashKey(rand.NewPCG(1, 20))

// flow4 and flow6 are the hashes that a packet should have, with or without
// ports.
func flow4(proto uint8, port bool) uint32 { return flowOf(proto, src4, dst4, port) }
func flow6(proto uint8, port bool) uint32 { return flowOf(proto, src6, dst6, port) }

func flowOf(proto uint8, src, dst netip.Addr, port bool) uint32 {
	s, d := netip.AddrPortFrom(src, 0), netip.AddrPortFrom(dst, 0)
	if port {
		s, d = netip.AddrPortFrom(src, srcPort), netip.AddrPortFrom(dst, dstPort)
	}
	return testKey.Flow(proto, s, d)
}

// parseCase is a packet, and what ParseIP should find in it.
type parseCase struct {
	name   string
	b      []byte
	hdrLen int
	proto  uint8
	flow   uint32
}

const fragments = 44

// cases4 begin at an IPv4 header.
func cases4() []parseCase {
	whole := ip4(17, 5, udp(), data)
	return []parseCase{
		{"udp", whole, 28, 17, flow4(17, true)},
		{"no data", ip4(17, 5, udp()), 28, 17, flow4(17, true)},
		{"options, udp", ip4(17, 15, udp(), data), 68, 17, flow4(17, true)},
		{"tcp", ip4(6, 5, tcp(5, 5), data), 40, 6, flow4(6, true)},
		{"tcp with options", ip4(6, 5, tcp(15, 15), data), 80, 6, flow4(6, true)},
		{"tcp with a header length of 0", ip4(6, 5, tcp(5, 0), data), 40, 6, flow4(6, true)},
		{"tcp with a header length past the packet", ip4(6, 5, tcp(5, 15)), 40, 6, flow4(6, true)},
		{"udp-lite", ip4(136, 5, udp(), data), 28, 136, flow4(136, true)},
		{"dccp", ip4(33, 5, dccp(7, 7), data), 48, 33, flow4(33, true)},
		{"dccp with a header length of 0", ip4(33, 5, dccp(3, 0), data), 32, 33, flow4(33, true)},
		{"sctp", ip4(132, 5, ports(12), data), 32, 132, flow4(132, true)},
		{"esp", ip4(50, 5, ports(8), data), 28, 50, flow4(50, true)},
		{"icmp", ip4(1, 5, ports(8), data), 28, 1, flow4(1, false)},
		{"igmp with router alert", ip4(2, 6, ports(8)), 24, 2, flow4(2, false)},
		{"gre", ip4(47, 5, ports(8), data), 20, 47, flow4(47, false)},
		{"protocol 0", ip4(0, 5, ports(8), data), 20, 255, flow4(255, false)},
		{"ah, tcp", ip4(51, 5, ah(6, 4), tcp(5, 5), data), 64, 6, flow4(6, true)},
		{"ah past the packet", ip4(51, 5, ah(6, 4)[:20]), 40, 255, flow4(255, false)},
		{"ah, fragment header", ip4(51, 5, ah(44, 4), frag6(17, 1), udp()), 52, 17, flow4(17, false)},
		{"do not fragment", put16(whole, 6, 0x4000), 28, 17, flow4(17, true)},
		{"reserved flag", put16(whole, 6, 0x8000), 28, 17, flow4(17, true)},
		{"first fragment", put16(whole, 6, 0x2000), 20, 17, flow4(17, false)},
		{"middle fragment", put16(whole, 6, 0x2001), 20, 17, flow4(17, false)},
		{"last fragment", put16(whole, 6, 0x1000), 20, 17, flow4(17, false)},
		{"fragment with ah", put16(ip4(51, 5, ah(6, 4), data), 6, 0x2000), 20, 51, flow4(51, false)},
		{"total length 0", put16(whole, 2, 0), 28, 17, flow4(17, true)},
		{"total length below the header", put16(whole, 2, 19), 28, 17, flow4(17, true)},
		{"total length below the options", put16(ip4(17, 6, udp()), 2, 23), 32, 17, flow4(17, true)},
		{"total length above the packet", put16(whole, 2, 65535), 28, 17, flow4(17, true)},
		{"padding for ports", put16(whole, 2, 20), 20, 17, flow4(17, false)},
		{"padding for a port", put16(whole, 2, 23), 23, 17, flow4(17, false)},
		{"padding after the ports", put16(whole, 2, 24), 24, 17, flow4(17, true)},
	}
}

// cases6 begin at an IPv6 header.
func cases6() []parseCase {
	whole := ip6(17, udp(), data)
	jumbo := []byte{17, 0, 0xc2, 4, 0, 1, 0, 0}
	zeroes := func(n int, last uint8) []byte {
		b := slices.Repeat(ext(60, 0), n)
		b[len(b)-8] = last
		return b
	}
	return []parseCase{
		{"udp", whole, 48, 17, flow6(17, true)},
		{"tcp", ip6(6, tcp(5, 5), data), 60, 6, flow6(6, true)},
		{"tcp with options", ip6(6, tcp(8, 8), data), 72, 6, flow6(6, true)},
		{"sctp", ip6(132, ports(12), data), 52, 132, flow6(132, true)},
		{"esp", ip6(50, ports(8), data), 48, 50, flow6(50, true)},
		{"icmpv6", ip6(58, ports(8), data), 48, 58, flow6(58, false)},
		{"no next header", ip6(59, data), 40, 59, flow6(59, false)},
		{"ipv6 in ipv6", ip6(41, whole), 40, 41, flow6(41, false)},
		{"hop-by-hop", ip6(0, ext(17, 0), udp(), data), 56, 17, flow6(17, true)},
		{"hop-by-hop, icmpv6", ip6(0, ext(58, 0), ports(8)), 56, 58, flow6(58, false)},
		{"routing", ip6(43, ext(6, 2), tcp(5, 5), data), 84, 6, flow6(6, true)},
		{"destination", ip6(60, ext(132, 1), ports(12), data), 68, 132, flow6(132, true)},
		{"ah", ip6(51, ah(17, 4), udp(), data), 72, 17, flow6(17, true)},
		{"all in order", ip6(0, ext(60, 0), ext(43, 0), ext(44, 1), frag6(51, 0), ah(60, 4), ext(17, 0), udp(), data),
			40 + 8 + 8 + 16 + 8 + 24 + 8 + 8, 17, flow6(17, true)},
		{"longest", ip6(0, ext(43, 255), ext(60, 255), ext(17, 255), udp()), 40 + 3*2048 + 8, 17, flow6(17, true)},
		{"whole with a fragment header", ip6(44, frag6(17, 0), udp(), data), 56, 17, flow6(17, true)},
		{"the same with reserved bits", ip6(44, frag6(17, 6), udp(), data), 56, 17, flow6(17, true)},
		{"first fragment", ip6(44, frag6(17, 1), udp(), data), 48, 17, flow6(fragments, false)},
		{"middle fragment", ip6(44, frag6(17, 0x100|1), udp(), data), 48, 17, flow6(fragments, false)},
		{"last fragment", ip6(44, frag6(17, 8), udp(), data), 48, 17, flow6(fragments, false)},
		{"fragment that names another header", ip6(44, frag6(60, 0xfff8), ext(17, 0), udp()), 48, 60, flow6(fragments, false)},
		{"fragment that names 0", ip6(44, frag6(0, 9), ext(17, 0), udp()), 48, 255, flow6(fragments, false)},
		{"fragment deep in the chain", ip6(0, ext(60, 3), ext(43, 1), ext(44, 0), frag6(6, 8), tcp(5, 5)),
			40 + 32 + 16 + 8 + 8, 6, flow6(fragments, false)},
		{"zero lengths", ip6(60, zeroes(8, 17), udp()), 40 + 64 + 8, 17, flow6(17, true)},
		{"too many", ip6(60, zeroes(9, 17), udp()), 40 + 64, 255, flow6(255, false)},
		{"zero lengths without end", ip6(60, zeroes(100, 60)), 40 + 64, 255, flow6(255, false)},
		{"ah of length 0", ip6(51, ah(17, 0), udp()), 56, 17, flow6(17, true)},
		{"the chain ends at the end", ip6(0, ext(60, 0)), 48, 255, flow6(255, false)},
		{"nothing after the chain", ip6(0, ext(17, 0)), 48, 17, flow6(17, false)},
		{"header past the packet", ip6(0, ext(17, 1)[:15]), 55, 255, flow6(255, false)},
		{"jumbogram", put16(ip6(0, jumbo, udp(), data), 4, 0), 56, 17, flow6(17, true)},
		{"payload above the packet", put16(whole, 4, 65535), 48, 17, flow6(17, true)},
		{"padding for ports", put16(whole, 4, 3), 43, 17, flow6(17, false)},
		{"padding after the ports", put16(whole, 4, 4), 44, 17, flow6(17, true)},
		{"padding for a chain", put16(ip6(0, ext(17, 0), udp()), 4, 7), 47, 255, flow6(255, false)},
	}
}

// parse runs ParseIP in packets with nothing and with everything set, from a
// slice that ends where its memory does and from one within other bytes.
func parse(t testing.TB, b []byte, off int) (facts, bool) {
	return parseWith(t, b, func(p *qdisc.Packet, b []byte) bool { return qdisc.ParseIP(p, b, off, testKey) })
}

func parseFrame(t testing.TB, b []byte) (facts, bool) {
	return parseWith(t, b, func(p *qdisc.Packet, b []byte) bool { return qdisc.ParseEthernet(p, b, testKey) })
}

func parseWith(t testing.TB, b []byte, f func(*qdisc.Packet, []byte) bool) (facts, bool) {
	t.Helper()
	var p qdisc.Packet
	ok := f(&p, slices.Clip(slices.Clone(b)))
	got := factsOf(&p)
	for _, filler := range []byte{0, 0xff} {
		in := append(slices.Clone(b), slices.Repeat([]byte{filler}, 100)...)[:len(b)]
		q := qdisc.Packet{Len: 9, Class: 8, Priority: 7, Mark: 6, TxQueue: 5, Segs: 4, SegSize: 3, Truesize: 2, Stamp: 1, Reason: qdisc.HeadDrop,
			Flow: 1, SrcHost: 2, DstHost: 3, NetOff: 4, HdrLen: 5, Proto: 6, DSField: 7, Payload: &p}
		others := q
		if again := f(&q, in); again != ok || factsOf(&q) != got {
			t.Fatalf("%v %+v in other surroundings, %v %+v before", again, factsOf(&q), ok, got)
		}
		others.NetOff, others.HdrLen, others.Proto, others.DSField = q.NetOff, q.HdrLen, q.Proto, q.DSField
		others.Flow, others.SrcHost, others.DstHost = q.Flow, q.SrcHost, q.DstHost
		if others != q {
			t.Fatalf("%+v: other fields were changed", q)
		}
	}
	return got, ok
}

func TestParseIP(t *testing.T) {
	check := func(kind string, cases []parseCase, src, dst netip.Addr) {
		for _, c := range cases {
			for _, off := range []int{0, 1, 14, 300} {
				b := append(slices.Repeat([]byte{0x55}, off), c.b...)
				got, ok := parse(t, b, off)
				assert.True(t, ok, "%s, %s", kind, c.name)
				assert.Equal(t, facts{uint16(off), uint16(off + c.hdrLen), c.proto, testDS, c.flow, testKey.Host(src), testKey.Host(dst)},
					got, "%s, %s at %d", kind, c.name, off)
			}
		}
	}
	check("IPv4", cases4(), src4, dst4)
	check("IPv6", cases6(), src6, dst6)
}

// TestParseIPTruncated cuts every packet at every length. With all headers
// there nothing changes; with the IP header there the hosts are known still.
func TestParseIPTruncated(t *testing.T) {
	check := func(c parseCase, fixed int) {
		full, _ := parse(t, c.b, 0)
		for n := range len(c.b) {
			got, ok := parse(t, c.b[:n], 0)
			require.Equal(t, n >= fixed, ok, "%s cut to %d", c.name, n)
			switch {
			case n >= int(full.HdrLen):
				require.Equal(t, full, got, "%s cut to %d", c.name, n)
			case ok:
				want := full
				want.HdrLen = uint16(n)
				want.Proto, want.Flow = got.Proto, got.Flow
				require.Equal(t, want, got, "%s cut to %d", c.name, n)
				require.Contains(t, []uint8{full.Proto, 255}, got.Proto, "%s cut to %d", c.name, n)
			default:
				require.Equal(t, facts{}, got, "%s cut to %d", c.name, n)
			}
		}
	}
	for _, c := range cases4() {
		check(c, 20)
	}
	for _, c := range cases6() {
		check(c, 40)
	}
}

// TestParseIPCutPorts: the flow is known as soon as the ports are.
func TestParseIPCutPorts(t *testing.T) {
	b := ip4(6, 5, tcp(8, 8), data)
	for n := 20; n < len(b); n++ {
		got, _ := parse(t, b[:n], 0)
		require.Equal(t, flow4(6, n >= 24), got.Flow, "cut to %d", n)
		require.EqualValues(t, min(n, 52), got.HdrLen)
	}
}

func TestParseIPNotIP(t *testing.T) {
	whole := ip4(17, 5, udp(), data)
	for version := range uint8(16) {
		b := slices.Clone(whole)
		b[0] = version<<4 | 5
		got, ok := parse(t, append([]byte("link"), b...), 4)
		switch version {
		case 4:
			assert.True(t, ok)
		case 6: // the same bytes as an IPv6 header: long enough
			assert.True(t, ok)
		default:
			assert.False(t, ok)
			assert.Equal(t, facts{NetOff: 4, HdrLen: 4}, got)
		}
	}
	long := make([]byte, 70000)
	for off, want := range map[int]uint16{-1: 0, math.MinInt: 0, 65536: 65535, 69999: 65535, 70000: 65535, math.MaxInt: 65535} {
		got, ok := parse(t, long, off)
		assert.False(t, ok, "at %d", off)
		assert.Equal(t, facts{NetOff: want, HdrLen: want}, got, "at %d", off)
	}
	copy(long[65536:], whole)
	_, ok := parse(t, long, 65536)
	assert.False(t, ok, "NetOff cannot say so")
	got, ok := parse(t, whole, len(whole)+5)
	assert.False(t, ok)
	assert.Equal(t, facts{NetOff: uint16(len(whole)), HdrLen: uint16(len(whole))}, got)
	copy(long[65535:], whole)
	got, ok = parse(t, long, 65535)
	assert.True(t, ok)
	assert.Equal(t, facts{65535, 65535, 17, testDS, flow4(17, true), testKey.Host(src4), testKey.Host(dst4)}, got, "the length saturates")
}

// TestParseIPShortHeaderLength: an IPv4 header length below 5 words is no
// header, but the addresses count.
func TestParseIPShortHeaderLength(t *testing.T) {
	for words := range uint8(5) {
		b := ip4(17, 5, udp(), data)
		b[0] = 4<<4 | words
		got, ok := parse(t, b, 0)
		assert.False(t, ok)
		assert.Equal(t, facts{Flow: flow4(0, false), SrcHost: testKey.Host(src4), DstHost: testKey.Host(dst4)}, got)
	}
}

// TestParseIPFragmentsAlike: however a datagram is cut, its pieces share a
// flow, whatever the reserved bits, the identification and, in IPv6, the name of
// the next header.
func TestParseIPFragmentsAlike(t *testing.T) {
	flows4, flows6 := map[uint32]bool{}, map[uint32]bool{}
	b4, b6 := ip4(6, 5, tcp(5, 5), data), ip6(0, ext(44, 0), frag6(6, 0), data)
	var p qdisc.Packet
	for word := range 1 << 16 {
		w := uint16(word)
		if w&0x3fff != 0 {
			binary.BigEndian.PutUint16(b4[4:], w*3)
			binary.BigEndian.PutUint16(b4[6:], w)
			require.True(t, qdisc.ParseIP(&p, b4, 0, testKey))
			flows4[p.Flow] = true
		}
		if w&0xfff9 != 0 {
			b6[48] = uint8(w >> 3)
			binary.BigEndian.PutUint16(b6[50:], w)
			binary.BigEndian.PutUint16(b6[54:], w*5)
			require.True(t, qdisc.ParseIP(&p, b6, 0, testKey))
			flows6[p.Flow] = true
		}
	}
	assert.Equal(t, map[uint32]bool{flow4(6, false): true}, flows4)
	assert.Equal(t, map[uint32]bool{flow6(fragments, false): true}, flows6)
}

// TestParseIPFlowLabel: the label does not make a flow.
func TestParseIPFlowLabel(t *testing.T) {
	a, b := ip6(17, udp(), data), ip6(17, udp(), data)
	b[1], b[2], b[3] = b[1]&0xf0|5, 5, 5
	got, _ := parse(t, a, 0)
	again, _ := parse(t, b, 0)
	assert.Equal(t, got, again)
}

func TestParseIPWithoutKey(t *testing.T) {
	p := qdisc.Packet{Flow: 1, SrcHost: 2, DstHost: 3}
	require.True(t, qdisc.ParseIP(&p, ip4(17, 5, udp()), 0, nil))
	assert.Equal(t, facts{HdrLen: 28, Proto: 17, DSField: testDS}, factsOf(&p))
	p = qdisc.Packet{Flow: 1, SrcHost: 2, DstHost: 3}
	require.False(t, qdisc.ParseEthernet(&p, ethernet(u16(0x0806), data), nil))
	assert.Equal(t, facts{NetOff: 14, HdrLen: 14}, factsOf(&p))
}

func TestParseIPAllocations(t *testing.T) {
	var packets [][]byte
	for _, c := range slices.Concat(cases4(), cases6()) {
		packets = append(packets, c.b, c.b[:len(c.b)/2], ethernet(u16(0x8100, 1, 0x0800), c.b), ethernet(u16(0x86dd), c.b))
	}
	var p qdisc.Packet
	src, dst := netip.AddrPortFrom(src4, 1), netip.AddrPortFrom(dst4, 2)
	assert.Zero(t, qdisctest.Mallocs(func() {
		for i := range 100000 {
			b := packets[i%len(packets)]
			qdisc.ParseIP(&p, b, 0, testKey)
			qdisc.ParseEthernet(&p, b, testKey)
			storeDS(b, uint8(i))
			p.SrcHost, p.Flow = testKey.Host(src4), testKey.Flow(17, src, dst)
		}
	}))
}
