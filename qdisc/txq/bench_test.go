package txq

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// BenchmarkTxq: one operation is one packet sent and received.
func BenchmarkTxq(b *testing.B) {
	for _, batch := range []int{1, 32, 128} {
		b.Run(fmt.Sprintf("op=sendrecv/batch=%d", batch), func(b *testing.B) {
			q := newQueue(b, Config{Qdisc: qtest.FIFO(1000)})
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
			var f qdisc.Qdisc = qtest.FIFO(1000)
			ps := packets(batch, 1000)
			dst := make([]*qdisc.Packet, batch)
			b.ResetTimer()
			for n := 0; n < b.N; n += batch {
				qdisc.EnqueueBatch(f, ps, qdisc.Time(n))
				qdisc.DequeueBatch(f, dst, qdisc.Time(n), 1<<40)
			}
		})
	}
	// One goroutine does all: Send, Run, the limiters, the device and its
	// reports, Free.
	for _, queues := range []int{1, 4} {
		b.Run(fmt.Sprintf("op=memdevice/queues=%d/batch=64", queues), func(b *testing.B) {
			q, feed := circuit(b, queues)
			feed.left = b.N
			b.ReportAllocs()
			b.ResetTimer()
			if err := q.Run(feed); !errors.Is(err, ErrClosed) {
				b.Fatal(err)
			}
			b.ReportMetric(float64(q.Stats().SentPackets)/b.Elapsed().Seconds()/1e6, "Mpps")
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

// circuit returns a queue in front of a limited multiqueue device that sends in
// no time, and the device, which sends back what comes back 64 at a time.
func circuit(t testing.TB, queues int) (*Queue, *feed) {
	var back qdisc.List
	q := newQueue(t, Config{
		Qdisc: newMultiq(t, queues), Queues: queues, Limit: new(bql.Config), Batch: 64,
		Free: func(ps *qdisc.List) { back.Append(ps) },
	})
	f := &feed{MemDevice: newMem(t, MemConfig{Queues: queues}), back: &back, ps: make([]*qdisc.Packet, 0, 256)}
	if err := q.Send(to(packets(128, 1000), order16(queues)...)); err != nil {
		t.Fatal(err)
	}
	return q, f
}

func order16(n int) (queues []uint16) {
	for i := range n {
		queues = append(queues, uint16(i))
	}
	return queues
}

// feed is a MemDevice that keeps its queue full until so many packets have gone.
type feed struct {
	*MemDevice
	back *qdisc.List
	ps   []*qdisc.Packet
	left int
}

func (f *feed) Write(ps []*qdisc.Packet) (int, error) {
	f.ps = f.ps[:0]
	for p := f.back.Pop(); p != nil; p = f.back.Pop() {
		f.ps = append(f.ps, p)
	}
	f.q.Send(f.ps)
	if f.left -= len(ps); f.left <= 0 {
		f.q.Close()
		defer f.Close()
	}
	return f.MemDevice.Write(ps)
}
