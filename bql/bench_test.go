package bql_test

import (
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// sink keeps the compiler from leaving out what nobody reads.
var sink int64

// rounds is the workload: objects times Queued and Available, then one
// Completed, with 1 ms passing every tick rounds.
func rounds(l *bql.Limiter, n, objects, tick int) {
	now, left, space := qdisc.Time(1e9), tick, int64(0)
	for range n {
		if left--; left == 0 {
			now, left = now+1e6, tick
		}
		for range objects {
			l.Queued(1514)
			space += l.Available()
		}
		l.Completed(uint64(objects)*1514, now)
	}
	sink = space
}

// BenchmarkLimiter: one operation is one round.
func BenchmarkLimiter(b *testing.B) {
	workloads := []struct {
		op            string
		objects, tick int
	}{
		{"queued+available+completed", 1, 1000},
		{"8x(queued+available)+completed", 8, 250},
	}
	for _, w := range workloads {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			b.Run("op="+w.op+"/compat="+compat.String(), func(b *testing.B) {
				l := mustNew(b, bql.Config{Compat: compat})
				b.ReportAllocs()
				b.ResetTimer()
				rounds(l, b.N, w.objects, w.tick)
			})
		}
	}
}
