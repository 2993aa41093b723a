package netsim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// steady is a world of flows of every kind that has come to rest.
func steady(t testing.TB, loss float64) *dumbbell {
	d := newDumbbellOf(t, 1, LinkConfig{Rate: 50 * qdisc.Mbit, Delay: 10 * msec, Loss: loss}, LinkConfig{Rate: 50 * qdisc.Mbit, Delay: 10 * msec})
	way := marker(d, 100)
	for i := range 8 {
		c := d.connect(t, TCPConfig{
			Forward: way, Congestion: Congestion(i % 2), ECN: i&2 != 0, Pacing: i&4 != 0, GSO: i, HyStart: i&1 != 0,
			Coalesce: time.Duration(i&1) * msec / 10,
		})
		c.Start(seconds(float64(i) / 10))
	}
	d.Run(seconds(20))
	return d
}

func TestTCPAllocs(t *testing.T) {
	for _, loss := range []float64{0, 0.01} {
		d := steady(t, loss)
		before := d.forward.Stats().Transmitted
		require.Zero(t, qdisctest.Mallocs(func() { d.Run(d.Now() + seconds(2)) }), "loss %g", loss)
		require.Greater(t, d.forward.Stats().Transmitted, before+2000)
	}
}

// BenchmarkTCP: one operation is a segment delivered and what belongs to it, an
// acknowledgement for every other one included.
func BenchmarkTCP(b *testing.B) {
	for _, cc := range []Congestion{Reno, CUBIC} {
		for _, window := range []int{40, 10_000} {
			b.Run(fmt.Sprintf("op=segment/cc=%v/window=%d", cc, window), func(b *testing.B) {
				rate := qdisc.Rate(window * fullPacket * 8 * 10)
				d := newDumbbell(b, 1, rate, 100*msec, window/4)
				c := d.connect(b, TCPConfig{Congestion: cc})
				c.Start(0)
				d.Run(seconds(20))
				b.ReportAllocs()
				b.ResetTimer()
				for until := c.rcv.nxt + uint64(b.N)*1448; c.rcv.nxt < until; {
					d.Run(d.Now() + qdisc.Time(10*msec))
				}
			})
		}
	}
}
