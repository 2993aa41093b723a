package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// unequal sends packets by turns over two paths of different delay.
func unequal(t *testing.T, cfg TCPConfig) (*dumbbell, TCPStats) {
	t.Helper()
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 20*msec, 1000)
	slow, err := NewLink(d.Sim, LinkConfig{Rate: 10 * qdisc.Mbit, Delay: 22 * msec})
	require.NoError(t, err)
	n := 0
	cfg.Forward = &filter{d.Sim, func(p *Packet) Receiver {
		if n++; n%2 == 0 {
			return slow
		}
		return d.forward
	}}
	cfg.Bytes, cfg.Window = 10_000_000, 200*1448
	var done qdisc.Time
	cfg.OnDone = func(now qdisc.Time) { done = now }
	delivered := uint64(0)
	cfg.OnDeliver = func(_ qdisc.Time, bytes uint64) { delivered += bytes }
	c := d.connect(t, cfg)
	c.Start(0)
	d.Run(seconds(120))
	require.NotZero(t, done)
	require.Equal(t, cfg.Bytes, delivered)
	s := c.Stats()
	s.At = done
	require.Equal(t, cfg.Bytes, s.Acked)
	require.Equal(t, s.Retransmitted, s.Spurious+d.forward.Stats().Dropped+slow.Stats().Dropped, "nothing else is lost")
	return d, s
}

// TestTCPReordering: over unequal paths segments are sent again for nothing, and
// the data arrive in order all the same. More patience helps.
func TestTCPReordering(t *testing.T) {
	_, strict := unequal(t, TCPConfig{NoUndo: true})
	_, undone := unequal(t, TCPConfig{})
	_, patient := unequal(t, TCPConfig{DupThresh: 100})
	t.Logf("kept %v with %d spurious, undone %v with %d, patient %v", strict.At, strict.Spurious, undone.At, undone.Spurious, patient.At)
	assert.Greater(t, strict.Spurious, uint64(50))
	assert.Greater(t, strict.Reordered, uint64(1000))
	assert.Zero(t, strict.Undone)
	assert.Greater(t, undone.Undone, uint64(10))
	assert.Zero(t, patient.Spurious)
	assert.Less(t, 2*patient.At, strict.At)
	assert.Less(t, undone.At, strict.At)
}

// TestTCPSpuriousTimeout: when the path stalls, the timeout sends a segment for
// nothing; the next acknowledgement shows it and the window is restored.
func TestTCPSpuriousTimeout(t *testing.T) {
	for _, keep := range []bool{false, true} {
		d := newDumbbell(t, 1, 100*qdisc.Mbit, 50*msec, 1000)
		c := d.connect(t, TCPConfig{Congestion: Reno, NoUndo: keep, Window: 50 * 1448})
		c.Start(0)
		d.Run(seconds(2))
		before := c.Stats()
		d.forward.SetDelay(time.Second)
		d.Run(seconds(2.1))
		d.forward.SetDelay(25 * msec)
		d.Run(seconds(10))
		after := c.Stats()
		assert.EqualValues(t, 0, before.Timeouts)
		assert.Greater(t, after.Timeouts, uint64(0))
		if keep {
			assert.Zero(t, after.Undone)
			assert.Less(t, after.Ssthresh, before.Cwnd)
		} else {
			assert.EqualValues(t, 1, after.Undone)
			assert.GreaterOrEqual(t, after.Cwnd, before.Cwnd)
			assert.Equal(t, before.Ssthresh, after.Ssthresh)
			assert.LessOrEqual(t, after.Retransmitted, after.Timeouts+after.Probes)
		}
	}
}
