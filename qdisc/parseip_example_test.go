package qdisc_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"

	"github.com/netsched/netsched/qdisc"
)

// A program that has a packet's bytes, here from a TUN device, fills the facts
// from them; the length is its own to say.
func ExampleParseIP() {
	key := qdisc.NewHashKey(nil) // one for each tree of disciplines
	bytes := []byte{
		0x45, 0xb8, 0x00, 0x20, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x4d, 0x60, 192, 0, 2, 7, 198, 51, 100, 200,
		0x13, 0xc4, 0x13, 0xc4, 0x00, 0x0c, 0x00, 0x00, 'd', 'a', 't', 'a',
	}

	p := &qdisc.Packet{Len: uint32(len(bytes)), Payload: &bytes}
	ok := qdisc.ParseIP(p, bytes, 0, key)
	fmt.Println("IP:", ok)
	fmt.Println("protocol", p.Proto, "DSCP", p.DSField>>2, "headers", p.HdrLen, "of", p.Len, "bytes")

	src, dst := netip.MustParseAddrPort("192.0.2.7:5060"), netip.MustParseAddrPort("198.51.100.200:5060")
	fmt.Println("the flow's hash:", p.Flow == key.Flow(17, src, dst))
	// Output:
	// IP: true
	// protocol 17 DSCP 46 headers 28 of 32 bytes
	// the flow's hash: true
}

// Frames may carry a VLAN tag.
func ExampleParseEthernet() {
	frame := []byte{
		0x06, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0x02, 0x11, 0x22, 0x33, 0x44, 0x55, 0x81, 0x00, 0x00, 0x05, 0x08, 0x00,
		0x45, 0x00, 0x00, 0x1c, 0x00, 0x00, 0x40, 0x00, 0x40, 0x01, 0x4e, 0x2c, 192, 0, 2, 7, 198, 51, 100, 200,
		0x08, 0x00, 0xf7, 0xff, 0x00, 0x00, 0x00, 0x00,
	}
	p := &qdisc.Packet{Len: uint32(len(frame))}
	fmt.Println(qdisc.ParseEthernet(p, frame, qdisc.NewHashKey(nil)))
	fmt.Println("network header at", p.NetOff, "protocol", p.Proto, "all headers", p.HdrLen)
	// Output:
	// true
	// network header at 18 protocol 1 all headers 46
}

// A source for the key makes runs repeat.
func ExampleNewHashKey() {
	host := netip.MustParseAddr("2001:db8::1")
	a, b := qdisc.NewHashKey(rand.NewPCG(1, 2)), qdisc.NewHashKey(rand.NewPCG(1, 2))
	fmt.Println(a.Host(host) == b.Host(host))
	fmt.Println(a.Host(host) == qdisc.NewHashKey(nil).Host(host))
	// Output:
	// true
	// false
}

// A discipline that marks a packet instead of dropping it sets CE in DSField.
// Whoever sends the packet puts that into the header.
func ExampleStoreDS() {
	header := []byte{
		0x45, 0x01, 0x00, 0x1c, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x4e, 0x1b, 192, 0, 2, 7, 198, 51, 100, 200,
	}
	p := new(qdisc.Packet)
	qdisc.ParseIP(p, header, 0, nil) // no discipline here reads hashes
	p.MarkCE()
	fmt.Println(qdisc.StoreDS(p, header))
	fmt.Printf("DS field %#02x, checksum %#04x\n", header[1], uint16(header[10])<<8|uint16(header[11]))
	// Output:
	// true
	// DS field 0x03, checksum 0x4e19
}
