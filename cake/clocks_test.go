package cake

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestChangeOfBandwidth: what the line was asked to wait for takes as long as
// at the new rate. Linux finishes at the old one.
func TestChangeOfBandwidth(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Bandwidth: 80 * qdisc.Kbit, Compat: compat}) // 100 ms a packet
		crowd(t, c, 20, s)
		require.NotNil(t, c.Dequeue(s))
		cfg := c.Config()
		cfg.Bandwidth = 8 * qdisc.Mbit
		require.NoError(t, c.Change(cfg, s))
		require.Nil(t, c.Dequeue(s))
		if compat == qdisc.Linux {
			assert.Equal(t, s+100*ms, c.ReadyAt(s))
			continue
		}
		assert.Equal(t, s+ms, c.ReadyAt(s))
		assert.Equal(t, 8*qdisc.Mbit, c.Stats().Capacity)

		cfg.Bandwidth = 0
		require.NoError(t, c.Change(cfg, s))
		require.NotNil(t, c.Dequeue(s))
		cfg.Bandwidth = 8 * qdisc.Mbit
		require.NoError(t, c.Change(cfg, 5*s))
		require.NotNil(t, c.Dequeue(5*s))
		assert.Nil(t, c.Dequeue(5*s), "the time without a rate is not made up for")
	}
}

// TestChangeToMoreTins: a tin that was not in use has no time to catch up on.
func TestChangeToMoreTins(t *testing.T) {
	c := mustNew(t, Config{Bandwidth: 16 * qdisc.Mbit, Diffserv: BestEffort, RTT: 100 * time.Second})
	const now = 1000 * s
	for i := range 2000 {
		ds := []uint8{0, 46 << 2}[i%2]
		require.Equal(t, qdisc.Queued, c.Enqueue(&qdisc.Packet{Len: 1000, Flow: uint32(i % 2), DSField: ds, Proto: 17}, now))
	}
	cfg := c.Config()
	cfg.Diffserv = Diffserv3
	require.NoError(t, c.Change(cfg, now))
	sent := map[uint8]float64{}
	for at := qdisc.Time(now); at < now+s/4; at = c.ReadyAt(at) {
		if p := c.Dequeue(at); p != nil {
			sent[p.DSField>>2]++
		}
	}
	assert.InEpsilon(t, 500*3/4, sent[0], 0.05)
	assert.InEpsilon(t, 500/4, sent[46], 0.05)
}

// TestTinsClockFollows: a tin is ahead by what it was, in bytes at its own rate.
func TestTinsClockFollows(t *testing.T) {
	c := mustNew(t, Config{Bandwidth: 16 * qdisc.Mbit})
	c.Enqueue(&qdisc.Packet{Len: 1000, DSField: 8 << 2, Proto: 17}, s)
	require.NotNil(t, c.Dequeue(s))
	bulk := &c.tins[1].clock
	require.Equal(t, s+8*ms, bulk.next, "at 1 Mbit/s")
	cfg := c.Config()
	cfg.Diffserv = Diffserv8
	require.NoError(t, c.Change(cfg, s))
	assert.InDelta(t, float64(s+ms*8/14), float64(bulk.next), 2, "at 14 Mbit/s")
	cfg.Bandwidth *= 2
	require.NoError(t, c.Change(cfg, s))
	assert.InDelta(t, float64(s+ms*4/14), float64(bulk.next), 2)
	cfg.Bandwidth = 0
	require.NoError(t, c.Change(cfg, s))
	assert.Equal(t, s, bulk.next)
}

// TestAutorateMovesClocks: as a change of Bandwidth does. Linux finishes at the
// old rate.
func TestAutorateMovesClocks(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Bandwidth: 80 * qdisc.Kbit, Autorate: true, Diffserv: BestEffort, Compat: compat})
		fresh := func(now qdisc.Time) { c.Enqueue(&qdisc.Packet{Len: 1000, Flow: 1, Proto: 17}, now) }
		fresh(s)
		fresh(s)
		require.NotNil(t, c.Dequeue(s)) // 100 ms
		c.auto.peak = 1_000_000
		was, tin, second := c.line.next, c.tins[0].clock.next, c.failsafe
		c.retune(s)
		rate := c.Config().Bandwidth
		require.Equal(t, 7_500_000*qdisc.BitPerSecond, rate)
		if compat == qdisc.Linux {
			assert.Equal(t, [3]qdisc.Time{was, tin, second}, [3]qdisc.Time{c.line.next, c.tins[0].clock.next, c.failsafe})
			continue
		}
		ahead := qdisc.Time(8e12 / uint64(rate))
		assert.InDelta(t, float64(s+ahead), float64(c.line.next), 2)
		assert.InDelta(t, float64(s+ahead), float64(c.tins[0].clock.next), 2)
		assert.InDelta(t, float64(s+ahead*3/2), float64(c.failsafe), 2)
	}
}

// TestAutorateFromNothing: packets that came while there was no rate leave no
// tin with time to catch up on.
func TestAutorateFromNothing(t *testing.T) {
	c := mustNew(t, Config{Autorate: true, RTT: 100 * time.Second})
	crowd(t, c, 40, s)
	c.auto.peak = 1_000_000
	c.retune(1000 * s)
	for i := range c.n {
		assert.Equal(t, 1000*s, c.tins[i].clock.next)
	}
	assert.Equal(t, [2]qdisc.Time{1000 * s, 1000 * s}, [2]qdisc.Time{c.line.next, c.failsafe})
}

// TestResetBack: a clock that is set back takes along what Linux keeps.
func TestResetBack(t *testing.T) {
	c := mustNew(t, Config{Bandwidth: qdisc.Mbit, Autorate: true, Diffserv: BestEffort, Compat: qdisc.Linux})
	now := 1000 * s
	for range 100 {
		c.Enqueue(&qdisc.Packet{Len: 1000, Flow: 1, Proto: 17}, now)
		c.Dequeue(now)
		now += 8 * ms
	}
	c.auto.since = c.auto.last - s // as if it had counted since then
	before := c.auto
	q := &c.tins[0].queue[1]
	q.dropNext, q.blueTime = c.Latest()+s, c.Latest()-s
	c.Reset(s)
	assert.Equal(t, [2]qdisc.Time{2 * s, 0}, [2]qdisc.Time{q.dropNext, q.blueTime})
	c.Enqueue(&qdisc.Packet{Len: 1000, Flow: 1, Proto: 17}, s)
	assert.Equal(t, s, c.auto.last)
	assert.LessOrEqual(t, c.auto.gap, before.gap+uint64(3*ms), "no gap from a later time")
}

// TestChangeWhileLate: what a late caller may catch up on is neither more bytes
// than the line missed nor more time.
func TestChangeWhileLate(t *testing.T) {
	for _, tt := range []struct{ from, to qdisc.Rate }{
		{64 * qdisc.Kbit, qdisc.Tbit}, {8 * qdisc.Mbit, qdisc.Gbit}, {qdisc.Gbit, 64 * qdisc.Kbit},
	} {
		c := mustNew(t, Config{Bandwidth: tt.from, Diffserv: BestEffort, RTT: 100 * time.Second})
		crowd(t, c, 2000, s)
		require.NotNil(t, c.Dequeue(s))
		now := c.ReadyAt(s) + 10*ms
		cfg := c.Config()
		cfg.Bandwidth = tt.to
		require.NoError(t, c.Change(cfg, now))
		sent := 0
		for c.Dequeue(now) != nil {
			sent++
		}
		most := 1 + int(min(tt.from, tt.to))/100/8/1000
		assert.LessOrEqual(t, sent, most+1, "%+v", tt)
		assert.GreaterOrEqual(t, sent, most, "%+v", tt)
	}
}
