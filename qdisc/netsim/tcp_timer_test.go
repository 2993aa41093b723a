package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestTCPTimeouts: a SYN, and later data, that meet a dead line are sent again
// after a second and 200 ms above the round trip, twice as long each time.
func TestTCPTimeouts(t *testing.T) {
	d := newDumbbell(t, 1, 0, 100*msec, 1000)
	dead := true
	var sent []float64
	way := &filter{d.Sim, func(p *Packet) Receiver {
		if dead {
			sent = append(sent, d.Now().Sub(0).Seconds())
			return nil
		}
		return d.forward
	}}
	c := d.connect(t, TCPConfig{Forward: way, OnDemand: true, NoProbe: true})
	c.Start(0)
	d.Run(seconds(8))
	require.Equal(t, []float64{0, 1, 3, 7}, sent)
	dead = false
	d.Run(seconds(20))
	require.Equal(t, open, c.snd.state)
	assert.Equal(t, 100*msec, c.Stats().SRTT)

	sent, dead = nil, true
	c.Write(1000)
	d.Run(seconds(30))
	require.Len(t, sent, 6)
	rto := 0.3 // 100 ms, and 200 ms above 4 times the variance of 50
	for i, at := range sent {
		assert.InDelta(t, 20+rto*(float64(int(1)<<i)-1), at, 1e-6)
	}
	assert.EqualValues(t, 1448, c.Stats().Cwnd)
	dead = false
	d.Run(seconds(60))
	assert.EqualValues(t, 1000, c.Stats().Acked)
	assert.EqualValues(t, 4+6, c.Stats().Timeouts)
	assert.Less(t, c.Stats().RTO, time.Second, "an acknowledgement ends the backing off")
}

// TestRoundTrip follows RFC 6298, section 2, and the bounds.
func TestRoundTrip(t *testing.T) {
	r := roundTrip{margin: 200 * msec}
	assert.Equal(t, time.Second, r.timeout())
	r.sample(100 * msec)
	assert.Equal(t, 300*msec, r.timeout())
	r.sample(500 * msec)
	assert.Equal(t, 150*msec, r.smoothed)
	assert.Equal(t, 137500*time.Microsecond, r.variance)
	assert.Equal(t, 700*msec, r.timeout())
	assert.Equal(t, 100*msec, r.least)
	r.backoff = 3
	assert.Equal(t, 5600*msec, r.timeout())
	r.backoff = 1000
	assert.Equal(t, maxRTO, r.timeout())
	r = roundTrip{margin: time.Second}
	r.sample(0)
	assert.GreaterOrEqual(t, r.timeout(), time.Second)
}

// TestTCPDelayedAck: two segments are acknowledged at once, one after 40 ms.
func TestTCPDelayedAck(t *testing.T) {
	for _, m := range []struct {
		every int
		delay time.Duration
		acks  uint64
		last  time.Duration
	}{
		{0, 0, 6, 40 * msec},
		{1, 0, 11, 0},
		{4, 100 * msec, 3, 100 * msec},
	} {
		d := newDumbbell(t, 1, 0, 20*msec, 1000)
		var done qdisc.Time
		c := d.connect(t, TCPConfig{
			AckEvery: m.every, AckDelay: m.delay, InitialWindow: 11, Bytes: 11 * 1448, NoProbe: true,
			OnDone: func(now qdisc.Time) { done = now },
		})
		c.Start(0)
		d.Run(seconds(1))
		assert.Equal(t, m.acks+1, c.Stats().Acks, "and that of the SYN")
		assert.Equal(t, qdisc.Time(40*msec+m.last), done)
	}
}

// TestTCPOnDemand: small writes travel together, and a window grown long ago is
// not trusted.
func TestTCPOnDemand(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 20*msec, 1000)
	done := 0
	c := d.connect(t, TCPConfig{OnDemand: true, OnDone: func(qdisc.Time) { done++ }})
	c.Write(1)
	c.Start(0)
	d.Run(seconds(1))
	require.Equal(t, 1, done)
	for range 100 {
		c.Write(30)
	}
	d.Run(seconds(2))
	require.Equal(t, 2, done)
	s := c.Stats()
	assert.EqualValues(t, 3001, s.Delivered)
	assert.EqualValues(t, 1+1+2+1, s.Segments, "1 byte; 30; two full ones; the rest")

	c.Write(1_000_000)
	d.Run(seconds(4))
	require.Equal(t, 3, done)
	require.Greater(t, c.Stats().Cwnd, uint64(100*1448))
	d.Run(seconds(20))
	c.Write(100_000)
	assert.EqualValues(t, 10*1448, c.Stats().InFlight, "again an initial window")
	c.StopAt(seconds(20))
	d.Run(seconds(30))
	assert.Equal(t, 4, done)
	assert.EqualValues(t, 1_003_001+10*1448, c.Stats().Delivered)
	c.Write(1000)
	d.Run(seconds(31))
	assert.EqualValues(t, 1_003_001+10*1448, c.Stats().Delivered, "it was stopped")
}

// TestTCPStartStop: nothing is sent before the one time and nothing new after
// the other.
func TestTCPStartStop(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 20*msec, 100)
	var done qdisc.Time
	c := d.connect(t, TCPConfig{OnDone: func(now qdisc.Time) { done = now }})
	c.Start(seconds(2))
	c.StopAt(seconds(5))
	d.Run(seconds(2) - 1)
	require.Zero(t, d.forward.Stats().Received)
	d.Run(seconds(5))
	require.Zero(t, done)
	sent := c.Stats()
	c.Start(seconds(5))
	d.Run(seconds(20))
	s := c.Stats()
	assert.InDelta(t, 5.1, done.Sub(0).Seconds(), 0.1)
	assert.Equal(t, s.Delivered, s.Acked)
	assert.Equal(t, sent.Segments-sent.Retransmitted, s.Segments-s.Retransmitted)
	assert.Zero(t, d.Alive())
	assert.EqualValues(t, 0, s.Goodput(s))
	assert.InEpsilon(t, 9.5e6*3/20, float64(s.Goodput(TCPStats{})), 0.1)
}
