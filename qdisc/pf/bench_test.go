package pf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// BenchmarkRegulator: one operation is one Dequeue and one Enqueue at 10 Gbit/s,
// behind a bucket that never runs dry, and behind one that does after each packet.
func BenchmarkRegulator(b *testing.B) {
	for _, k := range []struct {
		name string
		rate qdisc.Rate // 0: no regulator, a FIFO alone
	}{{"pfifo", 0}, {"full", 20 * qdisc.Gbit}, {"dry", qdisc.Gbit}} {
		b.Run("kind="+k.name+"/op=enqdeq", func(b *testing.B) {
			var q qdisc.Qdisc = qtest.FIFO(100_000)
			if k.rate > 0 {
				q = newRegulator(b, pf.RegulatorConfig{Rate: k.rate, Burst: 1, Child: q})
			}
			w := workload.Classful{Classes: []uint32{1}}
			w.Setup(q)
			b.ReportAllocs()
			b.ResetTimer()
			w.Run(b.N)
		})
	}
}

// BenchmarkParse reads a file of 100 queues.
func BenchmarkParse(b *testing.B) {
	text := strings.Builder{}
	text.WriteString("altq on em0 bandwidth 1Gb hfsc queue { q0")
	var lines strings.Builder
	lines.WriteString("queue q0 bandwidth 1% hfsc(default)\n")
	for i := 1; i < 100; i++ {
		name := " q" + string(rune('0'+i/10)) + string(rune('0'+i%10))
		text.WriteString(name)
		lines.WriteString("queue" + name + " bandwidth 1% hfsc(realtime (2Mb 10 500Kb))\n")
	}
	text.WriteString(" }\n" + lines.String())
	b.ReportAllocs()
	for b.Loop() {
		_, err := pf.Build(text.String(), pf.Options{})
		require.NoError(b, err)
	}
}
