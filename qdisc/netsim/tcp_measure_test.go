package netsim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestTCPUtilisation: one flow keeps a line busy whose queue holds one
// bandwidth-delay product (G. Appenzeller et al., Sizing Router Buffers, 2004).
func TestTCPUtilisation(t *testing.T) {
	rate, rtt := 10*qdisc.Mbit, 100*msec
	for _, cc := range []Congestion{Reno, CUBIC} {
		d := newDumbbell(t, 1, rate, rtt, bdp(rate, rtt))
		c := d.connect(t, TCPConfig{Congestion: cc})
		c.Start(0)
		d.Run(seconds(10))
		since, now := d.run(c, seconds(70))
		share := float64(now.Goodput(since)) / float64(rate) * fullPacket / 1448
		t.Logf("%v: %.1f %% of the line, %d recoveries", cc, share*100, now.Recoveries-since.Recoveries)
		assert.GreaterOrEqual(t, share, 0.95, cc)
		assert.LessOrEqual(t, share, 1.0001, cc)
		assert.Equal(t, since.Timeouts, now.Timeouts, cc)
		assert.Equal(t, now.Segments-since.Segments, now.Packets-since.Packets, cc)
	}
}

// TestTCPSquareRoot: under random loss a Reno flow gets MSS/RTT sqrt(3/(2bp))
// (M. Mathis et al., The macroscopic behavior of the TCP congestion avoidance
// algorithm, 1997). b, the segments to an acknowledgement, is 1: this Reno
// counts bytes. Losses in one window are one signal, so that of 1 % of packets
// fewer count.
func TestTCPSquareRoot(t *testing.T) {
	const rtt = 0.1
	for _, loss := range []float64{1e-3, 1e-2} {
		for _, every := range []int{1, 2} {
			d := newDumbbellOf(t, 1, LinkConfig{Rate: qdisc.Gbit, Delay: 50 * msec, Loss: loss}, LinkConfig{Delay: 50 * msec})
			c := d.connect(t, TCPConfig{Congestion: Reno, AckEvery: every})
			c.Start(0)
			d.Run(seconds(10))
			since, now := d.run(c, seconds(600))
			signals := float64(now.Recoveries-since.Recoveries) / float64(now.Segments-since.Segments)
			ratio := float64(now.Goodput(since)) / (1448 * 8 / rtt * math.Sqrt(3/(2*loss)))
			t.Logf("loss %g, %.5f signals, an acknowledgement for %d: %v, %.3f of the formula", loss, signals, every, now.Goodput(since), ratio)
			assert.InDelta(t, 1, ratio, 0.15, "loss %g, every %d", loss, every)
			assert.InEpsilon(t, loss, signals, 0.2)
		}
	}
}

// TestTCPFair: of two flows, one that starts late gets its share.
func TestTCPFair(t *testing.T) {
	rate, rtt := 10*qdisc.Mbit, 50*msec
	for _, cc := range []Congestion{Reno, CUBIC} {
		d := newDumbbell(t, 1, rate, rtt, bdp(rate, rtt))
		a, b := d.connect(t, TCPConfig{Congestion: cc}), d.connect(t, TCPConfig{Congestion: cc})
		a.Start(0)
		b.Start(seconds(10))
		d.Run(seconds(40))
		sinceA, sinceB := a.Stats(), b.Stats()
		d.Run(seconds(220))
		ra, rb := a.Stats().Goodput(sinceA), b.Stats().Goodput(sinceB)
		index := Jain(float64(ra), float64(rb))
		t.Logf("%v: %v and %v, index %.4f", cc, ra, rb, index)
		assert.GreaterOrEqual(t, index, 0.98, cc)
		assert.GreaterOrEqual(t, float64(ra+rb)*fullPacket/1448, 0.95*float64(rate), cc)
	}
}

// TestTCPFillsQueues: the delay of a ping beside four flows on a line of 10
// Mbit/s, as measured for 8 seconds with Linux hosts and a real queue of the
// same size.
func TestTCPFillsQueues(t *testing.T) {
	for _, m := range []struct {
		cc      Congestion
		packets int
		want    time.Duration
	}{
		{Reno, 1000, 1007 * msec},
		{Reno, 50, 50 * msec},
		{CUBIC, 50, 56 * msec},
	} {
		d := newDumbbell(t, 1, 10*qdisc.Mbit, 0, m.packets)
		ping, err := NewPing(d.Sim, PingConfig{Forward: d.forward, Reverse: d.reverse, Stop: seconds(8)})
		require.NoError(t, err)
		var rates []float64
		flows := make([]*TCP, 4)
		for i := range flows {
			flows[i] = d.connect(t, TCPConfig{Congestion: m.cc})
			flows[i].Start(seconds(0.001 * float64(i)))
		}
		d.Run(seconds(8))
		for _, c := range flows {
			rates = append(rates, float64(c.Stats().Delivered))
		}
		d.Run(seconds(10))
		mean := ping.RTT.Mean()
		t.Logf("%v, %d packets: ping %v, at most %v, measured %v; fairness %.2f", m.cc, m.packets, mean, ping.RTT.Max(), m.want, Jain(rates...))
		assert.InEpsilon(t, float64(m.want), float64(mean), 0.15, fmt.Sprint(m))
	}
}

// TestTCPReceiveWindow: a window smaller than the path holds limits the rate to
// a window a round trip, and the congestion window does not grow beyond what is
// used.
func TestTCPReceiveWindow(t *testing.T) {
	for _, cc := range []Congestion{Reno, CUBIC} {
		d := newDumbbell(t, 1, 100*qdisc.Mbit, 100*msec, 1000)
		c := d.connect(t, TCPConfig{Congestion: cc, Window: 100 * 1448})
		c.Start(0)
		d.Run(seconds(2))
		since, now := d.run(c, seconds(60))
		assert.InEpsilon(t, 100*1448*8/0.1, float64(now.Goodput(since)), 0.02, cc)
		assert.LessOrEqual(t, now.Cwnd, uint64(201*1448), cc)
		assert.Equal(t, since.Cwnd, now.Cwnd, cc)
		assert.Zero(t, now.Retransmitted, cc)
	}
}
