package multiq_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

// BenchmarkMultiq: one operation is one Dequeue and one Enqueue. All hardware
// queues are filled and run, or the odd ones are stopped and empty. The pfifo
// beside it is what the figures are to be compared with.
func BenchmarkMultiq(b *testing.B) {
	b.Run("kind=pfifo/op=enqdeq", func(b *testing.B) {
		run(b, qtest.FIFO(100000), workload.Classful{Classes: []uint32{1}})
	})
	for _, stop := range []bool{false, true} {
		for _, n := range []int{4, 64, 1024, 65536} {
			b.Run(fmt.Sprintf("kind=multiq/queues=%d/halfstopped=%t/op=enqdeq", n, stop), func(b *testing.B) {
				q := newMultiq(b, multiq.Config{Bands: n, Limit: new(1 << 20)})
				var w workload.Classful
				for i := range n {
					if stop && i%2 == 1 {
						q.Stop(i)
					} else {
						w.Classes = append(w.Classes, uint32(i+1))
					}
				}
				run(b, q, w)
			})
		}
	}
}

func run(b *testing.B, q qdisc.Qdisc, w workload.Classful) {
	w.Setup(q)
	b.ReportAllocs()
	b.ResetTimer()
	w.Run(b.N)
	require.Zero(b, w.Nulls)
}

func BenchmarkVerbs(b *testing.B) {
	workload.Verbs(b, newMultiq(b, multiq.Config{Bands: 4}))
}
