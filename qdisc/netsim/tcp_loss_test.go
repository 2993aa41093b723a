package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestTCPLostAgain: a retransmission that is lost too is noticed as soon as
// something sent later arrives; nobody waits for the timeout.
func TestTCPLostAgain(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	var sent []qdisc.Time
	way := &filter{d.Sim, func(p *Packet) Receiver {
		if p.TCP.Bytes > 0 && p.TCP.Seq == 100*1448 {
			sent = append(sent, d.Now())
			if len(sent) <= 3 {
				return nil
			}
		}
		return d.forward
	}}
	c := d.connect(t, TCPConfig{Forward: way, Bytes: 1000 * 1448})
	c.Start(0)
	d.Run(seconds(10))
	s := c.Stats()
	assert.EqualValues(t, 1000*1448, s.Acked)
	assert.EqualValues(t, 3, s.Retransmitted)
	assert.EqualValues(t, 1, s.Recoveries)
	assert.Zero(t, s.Timeouts)
	require.Len(t, sent, 4)
	for i := range 3 {
		gap := sent[i+1].Sub(sent[i])
		assert.Greater(t, gap, 50*msec)
		assert.Less(t, gap, 200*msec, "less than a timeout")
	}
}

// TestTCPBlocks: with three gaps every acknowledgement reports all three blocks,
// the one that has just grown first (RFC 2018, section 4).
func TestTCPBlocks(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	seen := map[uint64]bool{}
	forward := &filter{d.Sim, func(p *Packet) Receiver {
		n := p.TCP.Seq / 1448
		if (n == 100 || n == 110 || n == 120) && !seen[n] {
			seen[n] = true
			return nil
		}
		return d.forward
	}}
	var c *TCP
	three := 0
	reverse := &filter{d.Sim, func(p *Packet) Receiver {
		held := c.rcv.beyond.list
		assert.Len(t, held, int(p.TCP.Blocks))
		if len(held) == 3 {
			assert.Equal(t, []Block{held[2], held[1], held[0]}, p.TCP.SACK[:3])
			three++
		}
		return d.reverse
	}}
	c = d.connect(t, TCPConfig{Forward: forward, Reverse: reverse, Bytes: 500 * 1448})
	c.Start(0)
	d.Run(seconds(5))
	require.EqualValues(t, 500*1448, c.Stats().Acked)
	require.EqualValues(t, 3, c.Stats().Retransmitted)
	require.Greater(t, three, 5)
}

// TestTCPEcho: an acknowledgement echoes the timestamp of the segment that it
// waited longest for, and of the last one in order while there is a gap (RFC
// 7323, section 4.3).
func TestTCPEcho(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	stamps := map[uint64]qdisc.Time{} // by first byte
	forward := &filter{d.Sim, func(p *Packet) Receiver {
		_, again := stamps[p.TCP.Seq]
		if p.TCP.Bytes > 0 && p.TCP.Seq == 101*1448 && !again {
			stamps[p.TCP.Seq] = 0
			return nil
		}
		if p.TCP.Bytes > 0 {
			stamps[p.TCP.Seq] = p.TCP.TSVal
		}
		return d.forward
	}}
	inGap, before := 0, uint64(0)
	reverse := &filter{d.Sim, func(p *Packet) Receiver {
		seg := &p.TCP
		switch {
		case seg.Ack == 0:
		case seg.Blocks > 0:
			inGap++
			assert.Equal(t, stamps[100*1448], seg.TSEcr)
		case seg.Ack > before:
			assert.Equal(t, stamps[before], seg.TSEcr, "acknowledgement of %d", seg.Ack)
		}
		before = max(before, seg.Ack)
		return d.reverse
	}}
	c := d.connect(t, TCPConfig{Forward: forward, Reverse: reverse, Window: 40 * 1448, Bytes: 300 * 1448})
	c.Start(0)
	d.Run(seconds(5))
	require.EqualValues(t, 300*1448, c.Stats().Acked)
	require.Greater(t, inGap, 10)
}

// TestScoreboardLoss: three blocks show a loss, be they ever so small, or more
// than two segments in fewer (RFC 6675, section 4).
func TestScoreboardLoss(t *testing.T) {
	newBoard := func() *scoreboard {
		b := &scoreboard{mss: 100}
		for i := range uint64(20) {
			b.send(10*i, 10, 0)
		}
		return b
	}
	var d delivery
	b := newBoard()
	b.sack(Block{10, 20}, &d, 1, 0)
	b.sack(Block{30, 40}, &d, 1, 0)
	require.False(t, b.detect(3, 0))
	b.sack(Block{50, 60}, &d, 1, 0)
	require.True(t, b.detect(3, 0))
	n, ok := b.nextLost()
	require.True(t, ok)
	require.Zero(t, n, "the segments between the blocks are not lost yet")
	require.EqualValues(t, 200-30-10, b.pipe)
	require.EqualValues(t, 30, d.delivered)

	b = newBoard()
	b.mss = 10
	b.sack(Block{100, 120}, &d, 1, 0)
	require.False(t, b.detect(3, 0))
	b.sack(Block{120, 130}, &d, 1, 0)
	require.True(t, b.detect(3, 0))
	require.EqualValues(t, 70, b.pipe, "all before them")
	require.False(t, b.detect(3, 0))
}

// TestScoreboardNewest: a retransmission acknowledged faster than the path
// allows tells nothing about what was sent after its original (RFC 8985, section
// 6.2, step 2).
func TestScoreboardNewest(t *testing.T) {
	b := &scoreboard{mss: 10}
	for i := range uint64(10) {
		b.send(10*i, 10, qdisc.Time(i))
	}
	b.loseAll()
	b.resend(0, 1000)
	b.resend(1, 1000)
	var d delivery
	b.ack(10, &d, 1050, 100*time.Nanosecond, 1000)
	require.Zero(t, b.newest)
	b.ack(20, &d, 1100, 100*time.Nanosecond, 1000)
	require.EqualValues(t, 1000, b.newest)
	require.EqualValues(t, 20, b.newestEnd)
	b.resend(2, 2000)
	b.ack(30, &d, 2200, 100*time.Nanosecond, 2)
	require.EqualValues(t, 1000, b.newest, "the echo is the original's")
}
