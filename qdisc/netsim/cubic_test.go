package netsim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// windowAt is an entry of a window's trace.
type windowAt struct {
	at   qdisc.Time
	cwnd float64 // segments
}

// traceAfterLoss runs a flow with a window of 400 segments on a wide path,
// loses one packet after a second, and returns the window before that and its
// trace after the recovery.
func traceAfterLoss(t *testing.T, cc Congestion, until qdisc.Time) (before float64, trace []windowAt) {
	t.Helper()
	d := newDumbbellOf(t, 1, LinkConfig{Rate: 10 * qdisc.Gbit, Delay: 50 * msec}, LinkConfig{Delay: 50 * msec})
	lost := false
	var c *TCP
	way := &filter{d.Sim, func(p *Packet) Receiver {
		if !lost && d.Now() > seconds(1) {
			lost = true
			return nil
		}
		return d.forward
	}}
	c = d.connect(t, TCPConfig{
		Forward: way, Congestion: cc, InitialWindow: 400, AckEvery: 1,
		OnCwnd: func(now qdisc.Time, cwnd uint64) {
			require.Equal(t, uint64(c.snd.win.cwnd), cwnd)
			switch {
			case c.Stats().Recoveries == 0:
				before = c.snd.win.cwnd / 1448
			case c.snd.state == open:
				trace = append(trace, windowAt{now, c.snd.win.cwnd / 1448})
			}
		},
	})
	c.snd.win.ssthresh = c.snd.win.cwnd // congestion avoidance from the start
	c.Start(0)
	d.Run(until)
	require.EqualValues(t, 1, c.Stats().Recoveries)
	require.EqualValues(t, 1, c.Stats().Retransmitted)
	return before, trace
}

// TestCUBICCurve: after a loss the window follows W_cubic(t) of RFC 9438,
// figure 1, through the plateau at the old window and beyond.
func TestCUBICCurve(t *testing.T) {
	before, trace := traceAfterLoss(t, CUBIC, seconds(14))
	epoch := trace[0].at
	require.InDelta(t, before*0.7, trace[0].cwnd, 0.01, "the multiplicative decrease")
	k := math.Cbrt(before * 0.3 / 0.4)
	curve := func(t float64) float64 { return 0.4*math.Pow(max(t, 0)-k, 3) + before }
	const rtt = 0.1
	checked := 0
	for _, w := range trace[1:] {
		// In every round trip the window heads for where the curve will be one
		// later, and acknowledgements come in clumps (RFC 9438, section 4.2).
		x := w.at.Sub(epoch).Seconds()
		require.GreaterOrEqual(t, w.cwnd, curve(x-rtt)-1, "%.3f s after the loss", x)
		require.LessOrEqual(t, w.cwnd, curve(x+rtt)+1, "%.3f s after the loss", x)
		if x > 1 {
			require.InEpsilon(t, curve(x), w.cwnd, 0.01, "%.3f s after the loss", x)
		}
		checked++
	}
	last := trace[len(trace)-1]
	t.Logf("window %.0f, K = %.2f s, %d points up to %.0f", before, k, checked, last.cwnd)
	require.Greater(t, last.at.Sub(epoch).Seconds(), k+2, "the convex region is seen too")
	require.Greater(t, checked, 1000)
}

// TestRenoLine: after a loss the window is half, and grows by a segment a round
// trip.
func TestRenoLine(t *testing.T) {
	before, trace := traceAfterLoss(t, Reno, seconds(14))
	require.InDelta(t, before/2, trace[0].cwnd, 0.01)
	for _, w := range trace {
		assert.InDelta(t, before/2+w.at.Sub(trace[0].at).Seconds()/0.1, w.cwnd, 2)
	}
}

// TestCUBICRenoFriendly: where Reno would be faster, the window is what RFC
// 9438, section 4.3, estimates of it: alpha segments a round trip up to the
// window before the loss, then one.
func TestCUBICRenoFriendly(t *testing.T) {
	var c cubic
	w := window{cwnd: 20 * 1448, mss: 1448}
	w.ssthresh = c.reduce(&w)
	w.cwnd = w.ssthresh
	require.InDelta(t, 14*1448, w.cwnd, 1)
	rtt, now := 10*msec, seconds(1)
	rounds := 0
	for ; w.cwnd < 20*1448; rounds++ {
		c.grow(&w, w.cwnd, now, rtt)
		now = now.Add(rtt)
	}
	assert.InDelta(t, 6/(3*0.3/1.7), rounds, 1)
	from := w.cwnd
	for range 5 {
		c.grow(&w, w.cwnd, now, rtt)
		now = now.Add(rtt)
	}
	assert.InDelta(t, 5*1448, w.cwnd-from, 1)
}

// TestCUBICFastConvergence: a flow that has not come back to its window aims
// lower (RFC 9438, section 4.7); one whose reduction is undone forgets it.
func TestCUBICFastConvergence(t *testing.T) {
	var c cubic
	w := window{cwnd: 100, mss: 1}
	require.InDelta(t, 70, c.reduce(&w), 1e-9)
	require.InDelta(t, 100, c.wMax, 1e-9)
	w.cwnd = 80
	require.InDelta(t, 56, c.reduce(&w), 1e-9)
	require.InDelta(t, 68, c.wMax, 1e-9)
	c.undo()
	require.InDelta(t, 100, c.wMax, 1e-9)

	c.timeout()
	c.grow(&w, 1, seconds(1), msec)
	require.Zero(t, c.k, "after a timeout there is no window to return to (section 4.8)")
	require.InDelta(t, 80, c.wMax, 1e-9)
	c.pause(seconds(3).Sub(0))
	require.Equal(t, seconds(4), c.epoch, "unused time does not count (section 4.2)")
}
