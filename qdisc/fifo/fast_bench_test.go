package fifo_test

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// BenchmarkFast: one operation is one Enqueue and one Dequeue. All packets go
// to one band, and to the last only after a look at those before it. A FIFO is
// there to compare with.
func BenchmarkFast(b *testing.B) {
	band := func(n uint8) (priomap *[16]uint8) {
		priomap = new([16]uint8)
		for i := range priomap {
			priomap[i] = n
		}
		return priomap
	}
	kinds := []struct {
		name string
		mk   func(drops *qdisc.List) qdisc.Qdisc
	}{
		{"pfifo", func(drops *qdisc.List) qdisc.Qdisc {
			return newFIFO(b, fifo.Config{Limit: new(20000), Drops: drops})
		}},
		{"band0", func(drops *qdisc.List) qdisc.Qdisc {
			return newFast(b, fifo.FastConfig{Limit: new(20000), Priomap: band(0), Drops: drops})
		}},
		{"band1", func(drops *qdisc.List) qdisc.Qdisc {
			return newFast(b, fifo.FastConfig{Limit: new(20000), Drops: drops})
		}},
		{"band2", func(drops *qdisc.List) qdisc.Qdisc {
			return newFast(b, fifo.FastConfig{Limit: new(20000), Priomap: band(2), Drops: drops})
		}},
		{"ds", func(drops *qdisc.List) qdisc.Qdisc {
			return newFast(b, fifo.FastConfig{Limit: new(20000), ByDS: true, Drops: drops})
		}},
	}
	for _, depth := range []int{0, 1000} {
		for _, k := range kinds {
			b.Run(fmt.Sprintf("kind=%s/op=enqdeq/flows=1024/depth=%d/size=1000", k.name, depth), func(b *testing.B) {
				var drops qdisc.List
				q := k.mk(&drops)
				w := workload.AQM{Flows: 1024, Backlog: depth}
				w.Setup(q, &drops)
				b.ReportAllocs()
				b.ResetTimer()
				w.Run(b.N)
			})
		}
	}
}

func BenchmarkFastVerbs(b *testing.B) { workload.Verbs(b, newFast(b, fifo.FastConfig{})) }
