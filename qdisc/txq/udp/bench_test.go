package udp

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/txq"
)

// BenchmarkWrite sends over the loopback interface to a socket that nobody
// reads. One operation is one packet.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		for _, size := range []int{100, 1400} {
			key := fmt.Sprintf("batch=%d/size=%d", n, size)
			b.Run("op=write/dev=one-by-one/"+key, func(b *testing.B) {
				write(b, txq.NewUDPDevice(dial(b, listen(b, false)), payload, nil), n, size)
				b.ReportMetric(1, "calls/op")
			})
			b.Run("op=write/dev=none/"+key, func(b *testing.B) {
				d := newDevice(b, dial(b, listen(b, false)), Config{})
				write(b, d, n, size)
				reportCalls(b, d)
			})
			for _, method := range methods()[1:] {
				b.Run(fmt.Sprintf("op=write/dev=%v/%s", method, key), func(b *testing.B) {
					d := newDevice(b, dial(b, listen(b, false)), Config{Done: func(int, int64) {}, Completion: method})
					write(b, d, n, size)
					reportCalls(b, d)
				})
			}
		}
	}
}

// write writes b.N packets, n at a time.
func write(b *testing.B, d txq.Device, n, size int) {
	data := make([]byte, size)
	ps := make([]*qdisc.Packet, n)
	for i := range ps {
		ps[i] = &qdisc.Packet{Payload: &data, Len: uint32(size)}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for sent := 0; sent < b.N; {
		took, err := d.Write(ps)
		if err != nil {
			b.Fatal(err)
		}
		sent += took
	}
	b.StopTimer()
}
