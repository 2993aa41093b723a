package cake_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// BenchmarkCake: one operation is one Enqueue and one Dequeue. kind=pfifo is the
// yardstick.
func BenchmarkCake(b *testing.B) {
	besteffort := cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}
	shaped := cake.Config{Bandwidth: 100 * qdisc.Gbit}
	kinds := []struct {
		name string
		make func(drops *qdisc.List) (qdisc.Qdisc, error)
	}{
		{"pfifo", func(drops *qdisc.List) (qdisc.Qdisc, error) {
			return fifo.New(fifo.Config{Limit: new(20000), Drops: drops})
		}},
		{"besteffort-flows", builder(besteffort)},
		{"diffserv3-triple", builder(cake.Config{})},
		{"100gbit-ds3-triple", builder(shaped)},
		{"diffserv3-triple-linux", builder(cake.Config{Compat: qdisc.Linux})},
	}
	for _, depth := range []int{0, 1000} {
		for _, flows := range []int{1, 64, 1024, 10000} {
			for _, k := range kinds {
				b.Run(fmt.Sprintf("kind=%s/op=enqdeq/flows=%d/depth=%d/size=1000", k.name, flows, depth), func(b *testing.B) {
					var drops qdisc.List
					q, err := k.make(&drops)
					require.NoError(b, err)
					w := workload.AQM{Flows: flows, Backlog: depth}
					w.Setup(q, &drops)
					w.Run(100_000)
					b.ReportAllocs()
					b.ResetTimer()
					w.Run(b.N)
				})
			}
		}
	}
}

func builder(cfg cake.Config) func(*qdisc.List) (qdisc.Qdisc, error) {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		cfg.Drops, cfg.Rand = drops, rand.NewPCG(1, 1)
		return cake.New(cfg)
	}
}

// BenchmarkVerbs: Peek parks once and then looks; ReadyAt looks.
func BenchmarkVerbs(b *testing.B) {
	q, err := cake.New(cake.Config{})
	require.NoError(b, err)
	workload.Verbs(b, q)
}
