package mq_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
)

// BenchmarkMQ: one operation is one DequeueFrom and one Enqueue, on every
// hardware queue in turn. The verbs without a queue are those of multiq.
func BenchmarkMQ(b *testing.B) {
	for _, n := range []int{4, 64, 1024} {
		b.Run(fmt.Sprintf("queues=%d/op=enqdeq", n), func(b *testing.B) {
			q := newMQ(b, mq.Config{Queues: n})
			slab := make([]qdisc.Packet, 2*n)
			for i := range slab {
				slab[i].Len, slab[i].TxQueue = 1500, uint16(i%n)
				q.Enqueue(&slab[i], 0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			queue, now := 0, qdisc.Time(0)
			for range b.N {
				p := q.DequeueFrom(queue, now)
				if queue++; queue == n {
					queue = 0
				}
				now += 1200
				q.Enqueue(p, now)
			}
			require.Equal(b, len(slab), q.Len())
		})
	}
}

func BenchmarkVerbs(b *testing.B) { workload.Verbs(b, newMQ(b, mq.Config{Queues: 4})) }
