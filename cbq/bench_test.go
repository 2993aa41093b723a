package cbq_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// BenchmarkCBQ: ALTQ's workloads. The pfifo beside it is what the figures are
// to be compared with.
func BenchmarkCBQ(b *testing.B) {
	for _, load := range []string{"backlogged", "sparse"} {
		b.Run("kind=pfifo/op=enqdeq/load="+load, func(b *testing.B) {
			var drops qdisc.List
			q, err := fifo.New(fifo.Config{Limit: new(50), Drops: &drops})
			require.NoError(b, err)
			run(b, q, workload.ALTQ{Classes: []uint32{1}, Sparse: load == "sparse", Drops: &drops})
		})
		for _, borrow := range []bool{true, false} {
			for _, n := range []int{2, 16, 254, 10000} {
				b.Run(fmt.Sprintf("kind=cbq/op=enqdeq/load=%s/borrow=%v/classes=%d", load, borrow, n), func(b *testing.B) {
					q, w := flat(b, n, borrow)
					w.Sparse = load == "sparse"
					run(b, q, w)
				})
			}
		}
	}
}

// BenchmarkClasses: a class changes among many, the first a lender of its own.
func BenchmarkClasses(b *testing.B) {
	for _, n := range []int{100, 10000, 100000} {
		b.Run(fmt.Sprintf("kind=cbq/op=change/classes=%d", n), func(b *testing.B) {
			q, _ := flat(b, n, true)
			require.NoError(b, q.AddClass(uint32(n+1), cbq.ClassConfig{Parent: 1, Rate: 1}, 0))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				require.NoError(b, q.ChangeClass(2, cbq.ClassConfig{Rate: qdisc.Mbit, Priority: 1 + i%8}, 0))
			}
		})
	}
}

// BenchmarkFarWeights: nobody but the class of the least weight sends, in long
// packets, beside many of the largest.
func BenchmarkFarWeights(b *testing.B) {
	const n = 100_000
	q, _ := flat(b, n, true)
	require.NoError(b, q.AddClass(n+1, cbq.ClassConfig{Rate: 1, Weight: 1}, 0))
	require.NoError(b, q.AddClass(n+2, cbq.ClassConfig{Rate: 1, Weight: 1<<50 - 1}, 0))
	p := packet(n+1, 65000)
	for b.Loop() {
		q.Enqueue(p, 0)
		q.Dequeue(0)
	}
}

// flat makes n equal classes that share 1 Gbit/s.
func flat(t require.TestingT, n int, borrow bool) (*cbq.CBQ, workload.ALTQ) {
	w := workload.ALTQ{Drops: new(qdisc.List)}
	q, err := cbq.New(cbq.Config{Bandwidth: qdisc.Gbit, AvgPacket: 1500, Default: 1, Limit: new(50), Drops: w.Drops})
	require.NoError(t, err)
	for i := range uint32(n) {
		rate := qdisc.Rate(1_000_000/n) * qdisc.Kbit
		require.NoError(t, q.AddClass(i+1, cbq.PFClass{Bandwidth: rate, Borrow: borrow}.Config(qdisc.Gbit, 1500), 0))
		w.Classes = append(w.Classes, i+1)
	}
	return q, w
}

func run(b *testing.B, q qdisc.Qdisc, w workload.ALTQ) {
	w.Setup(q)
	b.ReportAllocs()
	b.ResetTimer()
	w.Run(b.N)
}
