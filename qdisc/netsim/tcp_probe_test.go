package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// losing runs a transfer of so many segments over a path of 100 ms on which the
// first copies of those numbered in lost, from 0, are lost, and returns when it
// was done.
func losing(t *testing.T, segments uint64, cfg TCPConfig, lost ...uint64) (time.Duration, TCPStats) {
	t.Helper()
	d := newDumbbell(t, 1, 100*qdisc.Mbit, 100*msec, 1000)
	seen := map[uint64]bool{}
	cfg.Forward = &filter{d.Sim, func(p *Packet) Receiver {
		for _, n := range lost {
			if p.TCP.Bytes > 0 && p.TCP.Seq == n*1448 && !seen[n] {
				seen[n] = true
				return nil
			}
		}
		return d.forward
	}}
	var done time.Duration
	cfg.Bytes, cfg.OnDone = segments*1448, func(now qdisc.Time) { done = now.Sub(0) }
	c := d.connect(t, cfg)
	c.Start(0)
	d.Run(seconds(20))
	require.NotZero(t, done)
	require.Zero(t, d.Alive())
	return done, c.Stats()
}

// TestTCPTailLoss: what is lost at the end of a transfer is found by a probe, two
// round trips after the last segment, and reduces the window; without it all waits
// for the timeout.
func TestTCPTailLoss(t *testing.T) {
	for _, lost := range [][]uint64{{9}, {8, 9}, {5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		at, s := losing(t, 10, TCPConfig{}, lost...)
		t.Logf("%d lost: done after %v", len(lost), at)
		assert.EqualValues(t, 1, s.Probes, lost)
		assert.EqualValues(t, len(lost), s.Retransmitted, lost)
		assert.EqualValues(t, 1, s.Recoveries, lost)
		assert.Less(t, s.Ssthresh, uint64(noThreshold), lost)
		assert.Zero(t, s.Timeouts, lost)
		assert.Zero(t, s.Spurious, lost)
		late, s := losing(t, 10, TCPConfig{NoProbe: true, MinRTO: time.Second}, lost...)
		assert.Less(t, at+400*msec, late, lost)
		assert.EqualValues(t, 1, s.Timeouts, lost)
		assert.Zero(t, s.Probes, lost)
	}
	// Of a single segment the acknowledgement may be held back: 300 ms for that
	// and two round trips do not come before the timeout, of which the probe takes
	// the place.
	at, s := losing(t, 1, TCPConfig{}, 0)
	assert.InDelta(t, 0.1+0.3+0.1, at.Seconds(), 0.05)
	assert.EqualValues(t, 1, s.Probes)
	assert.Zero(t, s.Timeouts)
}

// TestTCPProbeNewData: with data to send the probe is new data, though the window
// be full.
func TestTCPProbeNewData(t *testing.T) {
	_, s := losing(t, 100, TCPConfig{}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	assert.EqualValues(t, 1, s.Probes)
	assert.EqualValues(t, 10, s.Retransmitted)
	assert.Zero(t, s.Spurious)
	assert.Zero(t, s.Timeouts)
}

// TestTCPSmallFlight: where fewer segments follow a lost one than the threshold
// asks for, it is given up a quarter of a round trip after the last of them.
func TestTCPSmallFlight(t *testing.T) {
	for _, after := range []uint64{1, 2} {
		at, s := losing(t, 11+after, TCPConfig{}, 10)
		assert.EqualValues(t, 1, s.Retransmitted, after)
		assert.EqualValues(t, 1, s.Recoveries, after)
		assert.Zero(t, s.Timeouts+s.Probes+s.Spurious, after)
		assert.InDelta(t, 0.3+0.025+0.1, at.Seconds(), 0.005, "handshake, two flights, patience, the segment again")
		_, s = losing(t, 11+after, TCPConfig{NoProbe: true}, 10)
		assert.EqualValues(t, 1, s.Timeouts, after)
	}
}

// TestTCPPatience: after reductions without a cause, or with a threshold above the
// usual one, a segment that was overtaken has more time.
func TestTCPPatience(t *testing.T) {
	d := newDumbbell(t, 1, 0, 0, 10)
	snd := &d.connect(t, TCPConfig{}).snd
	snd.rtt.sample(100 * msec)
	assert.Equal(t, 25*msec, snd.patience())
	snd.tcp.stats.Undone = 2
	assert.Equal(t, 75*msec, snd.patience())
	snd.tcp.stats.Undone = 1 << 40
	assert.Equal(t, 100*msec, snd.patience())
	snd.tcp.stats.Undone, snd.tcp.cfg.DupThresh = 0, 4
	assert.Equal(t, 100*msec, snd.patience())
	snd.rtt = roundTrip{}
	snd.rtt.sample(1)
	assert.Equal(t, probeTicks, snd.patience())
}

// TestTCPProbeForNothing: when the segment was only late, the probe's echo tells,
// and the window stays.
func TestTCPProbeForNothing(t *testing.T) {
	d := newDumbbell(t, 1, 100*qdisc.Mbit, 100*msec, 1000)
	c := d.connect(t, TCPConfig{OnDemand: true, Bytes: 50 * 1448})
	c.Start(0)
	d.Run(seconds(5))
	before := c.Stats()
	require.Zero(t, before.Probes)
	d.forward.SetDelay(280 * msec)
	c.Write(4 * 1448)
	d.Run(seconds(10))
	s := c.Stats()
	assert.EqualValues(t, 1, s.Probes)
	assert.EqualValues(t, 1, s.Spurious)
	assert.Zero(t, s.Timeouts+s.Recoveries)
	assert.EqualValues(t, uint64(noThreshold), s.Ssthresh)
	assert.Zero(t, c.snd.probe.end)
	assert.Zero(t, d.Alive())
}

// TestTCPProbeUnanswered: after a probe that nothing answers comes the timeout, and
// no second probe.
func TestTCPProbeUnanswered(t *testing.T) {
	d := newDumbbell(t, 1, 0, 100*msec, 1000)
	var sent []float64
	dead := false
	way := &filter{d.Sim, func(p *Packet) Receiver {
		if dead {
			sent = append(sent, d.Now().Sub(0).Seconds())
			return nil
		}
		return d.forward
	}}
	c := d.connect(t, TCPConfig{Forward: way, OnDemand: true, MinRTO: time.Second})
	c.Start(0)
	d.Run(seconds(1))
	dead = true
	c.Write(2 * 1448)
	d.Run(seconds(5))
	require.Len(t, sent, 5)
	for i, want := range []float64{1, 1, 1.202, 1.202 + 1.1, 1.202 + 3.3} {
		assert.InDelta(t, want, sent[i], 1e-6, i)
	}
	assert.EqualValues(t, 1, c.Stats().Probes)
	assert.EqualValues(t, 2, c.Stats().Timeouts)
	dead = false
	d.Run(seconds(20))
	assert.EqualValues(t, 2*1448, c.Stats().Acked)
}

// TestTCPProbeAtOnce: a probe that is answered before it is sent, so to speak, over
// a path that takes no time.
func TestTCPProbeAtOnce(t *testing.T) {
	s := New(1)
	lost := false
	way := &filter{s, func(p *Packet) Receiver {
		if p.TCP.Seq == 9*1448 && !lost {
			lost = true
			return nil
		}
		return p.To
	}}
	c, err := NewTCP(s, TCPConfig{Forward: way, Reverse: Endpoint, Bytes: 10 * 1448, AckEvery: 1})
	require.NoError(t, err)
	c.Start(0)
	s.Run(seconds(60))
	assert.EqualValues(t, 10*1448, c.Stats().Acked)
	assert.EqualValues(t, 1, c.Stats().Probes)
	assert.Zero(t, c.Stats().Timeouts)
	assert.Equal(t, qdisc.Never, s.Next())
}
