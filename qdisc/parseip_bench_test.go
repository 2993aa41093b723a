package qdisc_test

import (
	"encoding/binary"
	"testing"

	"github.com/netsched/netsched/qdisc"
)

// batch makes 64 packets of as many flows. The last 4 bytes of the source
// address stand at srcEnd-4.
func batch(b []byte, srcEnd int) (list [64][]byte) {
	for i := range list {
		list[i] = append([]byte(nil), b...)
		binary.BigEndian.PutUint32(list[i][srcEnd-4:], uint32(i)*0x01010101)
	}
	return list
}

// BenchmarkParseIP: one operation is one packet.
func BenchmarkParseIP(b *testing.B) {
	for _, c := range []struct {
		name   string
		b      []byte
		srcEnd int
		key    *qdisc.HashKey
	}{
		{"proto=ipv4/next=udp", ip4(17, 5, udp(), data), 16, testKey},
		{"proto=ipv4/next=tcp", ip4(6, 5, tcp(8, 8), data), 16, testKey},
		{"proto=ipv4/next=udp/key=none", ip4(17, 5, udp(), data), 16, nil},
		{"proto=ipv6/next=udp", ip6(17, udp(), data), 24, testKey},
		{"proto=ipv6/next=tcp", ip6(6, tcp(8, 8), data), 24, testKey},
		{"proto=ipv6/next=hopopts,dstopts,udp", ip6(0, ext(60, 0), ext(17, 1), udp(), data), 24, testKey},
	} {
		b.Run("op=parse/"+c.name, func(b *testing.B) {
			packets := batch(c.b, c.srcEnd)
			var p qdisc.Packet
			b.ReportAllocs()
			for i := range b.N {
				qdisc.ParseIP(&p, packets[i%64], 0, c.key)
			}
		})
	}
}

func BenchmarkParseEthernet(b *testing.B) {
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"proto=ipv4/next=udp", ethernet(u16(0x0800), ip4(17, 5, udp(), data))},
		{"proto=ipv4/tag=802.1Q/next=udp", ethernet(u16(0x8100, 1, 0x0800), ip4(17, 5, udp(), data))},
		{"proto=ipv6/next=udp", ethernet(u16(0x86dd), ip6(17, udp(), data))},
		{"proto=arp", ethernet(u16(0x0806), data)},
	} {
		b.Run("op=parse/"+c.name, func(b *testing.B) {
			packets := batch(c.b, 12)
			var p qdisc.Packet
			b.ReportAllocs()
			for i := range b.N {
				qdisc.ParseEthernet(&p, packets[i%64], testKey)
			}
		})
	}
}

func BenchmarkStoreDS(b *testing.B) {
	for _, c := range []struct {
		name   string
		b      []byte
		srcEnd int
	}{{"ipv4", ip4(17, 5, udp(), data), 16}, {"ipv6", ip6(17, udp(), data), 24}} {
		b.Run("op=store/proto="+c.name, func(b *testing.B) {
			packets := batch(c.b, c.srcEnd)
			p := qdisc.Packet{Proto: 17}
			b.ReportAllocs()
			for i := range b.N {
				p.DSField = uint8(i >> 6)
				qdisc.StoreDS(&p, packets[i%64])
			}
		})
	}
}
