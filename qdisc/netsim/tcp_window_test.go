package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestIncrease: slow start ends at the threshold, and the rest of an
// acknowledgement counts as congestion avoidance.
func TestIncrease(t *testing.T) {
	s := newDumbbell(t, 1, 0, 0, 10)
	c := s.connect(t, TCPConfig{Congestion: Reno, MSS: 100})
	snd := &c.snd
	snd.win.ssthresh = 1200
	snd.increase(150, 0)
	assert.InDelta(t, 1150, snd.win.cwnd, 1e-9)
	snd.increase(150, 0)
	assert.InDelta(t, 1200+100*100.0/1200, snd.win.cwnd, 1e-9)
}

// TestWindowUsage: in slow start a window of which more than half was in use may
// grow, later only one that was full within the round.
func TestWindowUsage(t *testing.T) {
	w := window{cwnd: 1000, ssthresh: noThreshold, mss: 100}
	var u windowUsage
	u.note(600, false, 1, 1000)
	assert.True(t, u.limited(&w))
	w.cwnd = 1200
	assert.False(t, u.limited(&w))
	w.ssthresh = 500
	u.note(900, true, 2, 1100)
	assert.True(t, u.limited(&w))
	u.note(100, false, 3, 1200)
	assert.True(t, u.limited(&w), "it was full in this round")
	u.note(100, false, 1100, 1300)
	assert.False(t, u.limited(&w))
}

// TestTCPPace: recovery and a timeout set the window low, which must not slow
// down what is sent again.
func TestTCPPace(t *testing.T) {
	d := newDumbbell(t, 1, 0, 0, 10)
	c := d.connect(t, TCPConfig{MSS: 100, Pacing: true})
	snd := &c.snd
	snd.rtt.sample(100 * msec)
	snd.win.cwnd, snd.una, snd.nxt = 100, 500, 500+5000
	assert.Equal(t, time.Millisecond, snd.gap(100))
}

// TestSplitCWR: of the segments of a super-packet only the first says that the
// window was reduced.
func TestSplitCWR(t *testing.T) {
	s := New(1)
	p := s.Alloc()
	p.Segs, p.SegSize, p.HdrLen, p.Len = 3, 100, tcpHeader, 250+3*tcpHeader
	p.TCP = Segment{Seq: 1000, Bytes: 250, Flags: CWR}
	var segs qdisc.List
	s.SplitTCP(&p.Packet, &segs)
	for i, want := range []Segment{
		{Seq: 1000, Bytes: 100, Flags: CWR}, {Seq: 1100, Bytes: 100}, {Seq: 1200, Bytes: 50},
	} {
		q := segs.Pop()
		require.NotNil(t, q, i)
		c := qdisc.Value[*Packet](q)
		assert.Equal(t, want, c.TCP)
		assert.Equal(t, want.Bytes+tcpHeader, c.Len)
		s.Free(c)
	}
	require.True(t, segs.Empty())
	require.Zero(t, s.Alive())
}
