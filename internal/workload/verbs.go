package workload

import (
	"testing"

	"github.com/netsched/netsched/qdisc"
)

// batch is how many calls of a verb one operation makes: the verbs take a few
// nanoseconds, of which a benchmark loop would be a large part.
const batch = 64

// Verbs runs benchmarks of the two hot verbs that move no packet, on a
// discipline that holds some.
func Verbs(b *testing.B, q qdisc.Qdisc) {
	w := Classful{Classes: []uint32{1}}
	w.Setup(q)
	b.Run("op=peek/batch=64", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range batch {
				q.Peek(w.now)
			}
		}
	})
	b.Run("op=readyat/batch=64", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range batch {
				q.ReadyAt(w.now)
			}
		}
	})
}
