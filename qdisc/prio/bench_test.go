package prio_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// BenchmarkPrio: one operation is one Dequeue and one Enqueue. The pfifo
// beside it is what the figures are to be compared with.
func BenchmarkPrio(b *testing.B) {
	for _, k := range []struct {
		name   string
		bands  int // 0: no prio, a FIFO alone
		filled []uint32
	}{
		{"pfifo", 0, []uint32{1}},
		{"prio3", 3, classes(1, 3)},
		{"prio16", 16, classes(1, 16)},
		{"prio16-low", 16, classes(16, 16)},
	} {
		b.Run("kind="+k.name+"/op=enqdeq", func(b *testing.B) {
			var q qdisc.Qdisc = qtest.FIFO(100000)
			if k.bands > 0 {
				p, err := prio.New(prio.Config{Bands: k.bands, Limit: new(100000)})
				require.NoError(b, err)
				q = p
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

func classes(from, to uint32) (list []uint32) {
	for c := from; c <= to; c++ {
		list = append(list, c)
	}
	return list
}

func BenchmarkVerbs(b *testing.B) {
	q, err := prio.New(prio.Config{})
	require.NoError(b, err)
	workload.Verbs(b, q)
}
