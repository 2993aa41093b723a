package fifo_test

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// BenchmarkFIFO: one operation is one Enqueue and one Dequeue.
func BenchmarkFIFO(b *testing.B) {
	kinds := []struct {
		name string
		cfg  fifo.Config
	}{
		{"pfifo", fifo.Config{Limit: new(20000)}},
		{"bfifo", fifo.Config{LimitBytes: new(int64(1e8))}},
		{"headdrop", fifo.Config{Limit: new(20000), HeadDrop: true}},
	}
	for _, k := range kinds {
		for _, flows := range []int{1, 64, 1024, 10000} {
			for _, depth := range []int{0, 1000} {
				b.Run(fmt.Sprintf("kind=%s/op=enqdeq/flows=%d/depth=%d/size=1000", k.name, flows, depth), func(b *testing.B) {
					var drops qdisc.List
					cfg := k.cfg
					cfg.Drops = &drops
					q := newFIFO(b, cfg)
					w := workload.AQM{Flows: flows, Backlog: depth}
					w.Setup(q, &drops)
					b.ReportAllocs()
					b.ResetTimer()
					w.Run(b.N)
				})
			}
		}
	}
}

func BenchmarkVerbs(b *testing.B) {
	q, err := fifo.New(fifo.Config{})
	if err != nil {
		b.Fatal(err)
	}
	workload.Verbs(b, q)
}
