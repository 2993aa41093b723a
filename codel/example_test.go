package codel_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// A data path of IPv4 and IPv6 packets: their headers tell the flows apart, and
// a mark that FQ makes goes back into the header.
func ExampleFQ() {
	type packet struct {
		qdisc.Packet
		buf []byte // from the IP header on
	}
	// Secret, so that no sender can choose whose queue it shares: give nil.
	key := qdisc.NewHashKey(rand.NewPCG(1, 2))
	q, err := codel.NewFQ(codel.FQConfig{})
	if err != nil {
		panic(err)
	}

	now := qdisc.Time(0)
	for _, buf := range [][]byte{udp(1), udp(1), udp(1), udp(2)} {
		p := &packet{buf: buf}
		p.Payload = p
		p.Len = uint32(len(buf)) // the caller's to say
		qdisc.ParseIP(&p.Packet, buf, 0, key)
		q.Enqueue(&p.Packet, now)
	}
	for out := q.Dequeue(now); out != nil; out = q.Dequeue(now) {
		p := qdisc.Value[*packet](out)
		qdisc.StoreDS(out, p.buf)
		fmt.Println("port", p.buf[23])
	}
	// Output:
	// port 1
	// port 1
	// port 2
	// port 1
}

// udp returns a packet of 1000 bytes to a port.
func udp(port byte) []byte {
	b := make([]byte, 1000)
	copy(b, []byte{0x45, 0x02, 0x03, 0xe8, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 198, 51, 100, 1})
	b[23] = port
	return b
}
