package txq

import (
	"fmt"
	"testing"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// BenchmarkTxq: one operation is one packet sent and received.
func BenchmarkTxq(b *testing.B) {
	for _, batch := range []int{1, 32, 128} {
		b.Run(fmt.Sprintf("op=sendrecv/batch=%d", batch), func(b *testing.B) {
			q := newQueue(b, Config{Qdisc: newFIFO(b, 1000)})
			ps := packets(batch, 1000)
			dst := make([]*qdisc.Packet, batch)
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; n += batch {
				q.Send(ps)
				q.Recv(dst)
			}
		})
		// The same discipline without a queue around it.
		b.Run(fmt.Sprintf("op=enqdeq/batch=%d", batch), func(b *testing.B) {
			var f qdisc.Qdisc = newFIFO(b, 1000)
			ps := packets(batch, 1000)
			dst := make([]*qdisc.Packet, batch)
			b.ResetTimer()
			for n := 0; n < b.N; n += batch {
				qdisc.EnqueueBatch(f, ps, qdisc.Time(n))
				qdisc.DequeueBatch(f, dst, qdisc.Time(n), 1<<40)
			}
		})
	}
}

// BenchmarkShaped reports the share of a rate that a bucket of one packet
// reaches with real timers. One operation is one packet.
func BenchmarkShaped(b *testing.B) {
	for name, clock := range clocks() {
		for _, catchup := range []time.Duration{0, DefaultCatchup} {
			b.Run(fmt.Sprintf("clock=%s/catchup=%v/rate=100Mbit/size=1500", name, catchup), func(b *testing.B) {
				q := newQueue(b, Config{Qdisc: newTBF(b, 100*qdisc.Mbit), Clock: clock, Catchup: &catchup})
				defer q.Close()
				q.Send(packets(200, 1500))
				dst := make([]*qdisc.Packet, 32)
				b.ResetTimer()
				sent := 0
				for sent < b.N {
					n, _ := q.Recv(dst)
					q.Send(dst[:n])
					sent += n
				}
				b.ReportMetric(100*float64(sent)*1500*8/100e6/b.Elapsed().Seconds(), "%rate")
				b.ReportMetric(float64(q.Stats().LateMax), "latemax-ns")
			})
		}
	}
}
