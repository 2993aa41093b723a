package priq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

// BenchmarkPRIQ: one operation is one Dequeue and one Enqueue. The pfifo
// beside it is what the figures are to be compared with.
func BenchmarkPRIQ(b *testing.B) {
	for _, k := range []struct {
		name    string
		classes int // 0: no priq, a FIFO alone
		filled  []uint32
	}{
		{"pfifo", 0, []uint32{1}},
		{"priq3", 3, []uint32{1, 2, 3}},
		{"priq16", 16, []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		{"priq16-low", 16, []uint32{1}},
	} {
		b.Run("kind="+k.name+"/op=enqdeq", func(b *testing.B) {
			var q qdisc.Qdisc = newFIFO(b, 100000)
			if k.classes > 0 {
				q = filled(b, priq.Config{Limit: new(100000)}, k.classes)
			}
			w := workload.Classful{Classes: k.filled}
			w.Setup(q)
			b.ReportAllocs()
			b.ResetTimer()
			w.Run(b.N)
			require.Zero(b, w.Nulls)
		})
	}
}

func BenchmarkVerbs(b *testing.B) { workload.Verbs(b, filled(b, priq.Config{Default: 1}, 3)) }
