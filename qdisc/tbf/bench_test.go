package tbf_test

import (
	"testing"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

// The link of the workload carries 10 Gbit/s.
const line = 10 * qdisc.Gbit

// BenchmarkTBF: one operation is one packet dequeued and enqueued again, with
// the waits for tokens between. kind=pfifo is the yardstick.
func BenchmarkTBF(b *testing.B) {
	limit := new(int64(1e8))
	kinds := []struct {
		name string
		cfg  tbf.Config
	}{
		{"open", tbf.Config{Rate: 10 * line, Burst: 1e6, LimitBytes: limit}},
		{"throttled", tbf.Config{Rate: line / 2, Burst: 3000, LimitBytes: limit}},
		{"peak", tbf.Config{Rate: line / 2, Burst: 30000, PeakRate: line, MTU: 3000, LimitBytes: limit}},
	}
	b.Run("kind=pfifo/op=enqdeq", func(b *testing.B) {
		q, err := fifo.New(fifo.Config{Limit: new(100000)})
		if err != nil {
			b.Fatal(err)
		}
		loop(b, q)
	})
	for _, k := range kinds {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			name := "kind=" + k.name + "/op=enqdeq"
			if compat == qdisc.Linux {
				name += "/compat=linux"
			}
			b.Run(name, func(b *testing.B) {
				cfg := k.cfg
				cfg.Compat = compat
				q, err := tbf.New(cfg)
				if err != nil {
					b.Fatal(err)
				}
				loop(b, q)
			})
		}
	}
}

func loop(b *testing.B, q qdisc.Qdisc) {
	w := workload.Classful{Classes: []uint32{1}}
	w.Setup(q)
	b.ReportAllocs()
	w.Nulls = 0
	b.ResetTimer()
	w.Run(b.N)
	b.ReportMetric(float64(w.Nulls)/float64(b.N), "nulls/op")
}

// BenchmarkVerbs: Peek parks once and then looks; ReadyAt looks.
func BenchmarkVerbs(b *testing.B) {
	q, err := tbf.New(tbf.Config{Rate: qdisc.Gbit, Burst: 3000})
	if err != nil {
		b.Fatal(err)
	}
	workload.Verbs(b, q)
}
