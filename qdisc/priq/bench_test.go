package priq_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
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
			var q qdisc.Qdisc = qtest.FIFO(100000)
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

// BenchmarkALTQ: the workloads on which ALTQ's priq was measured.
func BenchmarkALTQ(b *testing.B) {
	for _, load := range []string{"backlogged", "sparse"} {
		for _, classes := range []int{0, 2, 16} { // 0: a FIFO alone
			kind := "priq"
			if classes == 0 {
				kind = "pfifo"
			}
			b.Run(fmt.Sprintf("kind=%s/op=enqdeq/load=%s/classes=%d", kind, load, classes), func(b *testing.B) {
				w := workload.ALTQ{Classes: []uint32{1}, Sparse: load == "sparse", Drops: new(qdisc.List)}
				var q qdisc.Qdisc = filled(b, priq.Config{Default: 1, Drops: w.Drops}, classes)
				if classes == 0 {
					var err error
					q, err = fifo.New(fifo.Config{Limit: new(50), Drops: w.Drops})
					require.NoError(b, err)
				}
				for class := uint32(2); int(class) <= classes; class++ {
					w.Classes = append(w.Classes, class)
				}
				w.Setup(q)
				b.ReportAllocs()
				b.ResetTimer()
				w.Run(b.N)
			})
		}
	}
}

func BenchmarkVerbs(b *testing.B) { workload.Verbs(b, filled(b, priq.Config{Default: 1}, 3)) }
