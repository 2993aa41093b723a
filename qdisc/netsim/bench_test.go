package netsim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// chain builds links in a row and returns the first.
func chain(t testing.TB, s *netsim.Sim, hops int, to netsim.Receiver) netsim.Receiver {
	for range hops {
		l, err := netsim.NewLink(s, netsim.LinkConfig{Rate: qdisc.Gbit, Delay: time.Millisecond, To: to})
		require.NoError(t, err)
		to = l
	}
	return to
}

// BenchmarkHops: one operation is one packet over one link: a FIFO, the line,
// a delay. Each of many sources has a path of its own.
func BenchmarkHops(b *testing.B) {
	for _, sources := range []int{1, 16, 256} {
		for _, load := range []qdisc.Rate{500 * qdisc.Mbit, 990 * qdisc.Mbit} {
			const hops = 4
			b.Run(fmt.Sprintf("op=hop/sources=%d/load=%dmbit/hops=%d/size=1500", sources, load/qdisc.Mbit, hops), func(b *testing.B) {
				s := netsim.New(1)
				for i := range sources {
					_, err := netsim.NewSource(s, netsim.SourceConfig{
						Via: chain(b, s, hops, s.Discard()), Pattern: netsim.Poisson{Rate: load}, Packet: qdisc.Packet{Flow: uint32(i)},
					})
					require.NoError(b, err)
				}
				perPacket := qdisc.Time(1500 * 8e9 / load)
				s.Run(s.Now() + 500*perPacket) // until the flights are full
				b.ReportAllocs()
				b.ResetTimer()
				s.Run(s.Now() + max(1, qdisc.Time(b.N/(sources*hops)))*perPacket)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mhop/s")
			})
		}
	}
}

// BenchmarkTimer: one operation is one timer that fires and is set again, a
// random time ahead.
func BenchmarkTimer(b *testing.B) {
	for _, timers := range []int{2, 100, 10000} {
		b.Run(fmt.Sprintf("op=fire/timers=%d", timers), func(b *testing.B) {
			s := netsim.New(1)
			n := 0
			for range timers {
				var t *netsim.Timer
				t = s.NewTimer(func() {
					if n++; n < b.N {
						t.Set(s.Now() + qdisc.Time(s.Rand().Uint64()>>40))
					}
				})
				t.Set(0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			s.Run(qdisc.MaxTime)
		})
	}
}
