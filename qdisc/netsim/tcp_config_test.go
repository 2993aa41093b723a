package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

func TestTCPConfig(t *testing.T) {
	s := New(1)
	_, err := NewTCP(s, TCPConfig{})
	qtest.ConfigErrors(t, err, "Forward = ", "Reverse = ")
	_, err = NewTCP(s, TCPConfig{
		Forward: s.Discard(), Reverse: s.Discard(), Congestion: 7, MSS: -1, InitialWindow: 1 << 20, GSO: 1001, DupThresh: -3,
		AckEvery: 1001, CoalesceSegs: -1, MinRTO: -time.Second, AckDelay: time.Hour, Coalesce: -1, Window: 10,
	})
	qtest.ConfigErrors(t, err, "Congestion = 7", "MSS = -1", "InitialWindow = 1048576", "GSO = 1001", "DupThresh = -3",
		"AckEvery = 1001", "CoalesceSegs = -1", "MinRTO = -1s", "AckDelay = 1h0m0s", "Coalesce = -1ns", "Window = 10")

	c, err := NewTCP(s, TCPConfig{Forward: s.Discard(), Reverse: s.Discard(), GSO: 1000, Packet: qdisc.Packet{Flow: 5, DSField: 0xb9}})
	require.NoError(t, err)
	cfg := c.Config()
	assert.Equal(t, 1448, cfg.MSS)
	assert.Equal(t, 10, cfg.InitialWindow)
	assert.Equal(t, 3, cfg.DupThresh)
	assert.Equal(t, 43, cfg.GSO, "64 KiB")
	assert.EqualValues(t, 5, cfg.Packet.Flow)
	assert.EqualValues(t, 0xb8, cfg.Packet.DSField)
	assert.NotZero(t, cfg.Packet.SrcHost)
	assert.NotEqual(t, cfg.Packet.SrcHost, cfg.Packet.DstHost)
	assert.Equal(t, "cubic", cfg.Congestion.String())
	assert.Equal(t, "reno", Reno.String())
	assert.Equal(t, "unknown", Congestion(9).String())
	c.Start(0)
	s.Run(seconds(1000))
	assert.Zero(t, s.Alive())
	assert.Zero(t, c.Stats().Acked)
}

// TestTCPPackets: packets look like the template, and the acknowledgements like
// answers.
func TestTCPPackets(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 20*msec, 5)
	look := qdisc.Packet{Flow: 1, SrcHost: 2, DstHost: 3, Class: 4, Priority: 5, Mark: 6, TxQueue: 7}
	seq, ackSeq := uint64(0), uint64(0)
	longest := uint32(0)
	forward := &filter{d.Sim, func(p *Packet) Receiver {
		require.Equal(t, []uint32{1, 2, 3, 4, 5, 6, 7}, []uint32{p.Flow, p.SrcHost, p.DstHost, p.Class, p.Priority, p.Mark, uint32(p.TxQueue)})
		require.EqualValues(t, p.TCP.Bytes+66, p.Len)
		require.EqualValues(t, []any{uint16(14), uint16(66), uint8(6)}, []any{p.NetOff, p.HdrLen, p.Proto})
		require.Equal(t, seq, p.Seq)
		require.Equal(t, d.Now(), p.Sent)
		seq++
		return d.forward
	}}
	reverse := &filter{d.Sim, func(p *Packet) Receiver {
		require.Equal(t, []uint32{^uint32(1), 3, 2, 4, 5, 6, 7}, []uint32{p.Flow, p.SrcHost, p.DstHost, p.Class, p.Priority, p.Mark, uint32(p.TxQueue)})
		require.Equal(t, ackSeq, p.Seq)
		ackSeq++
		want := uint32(66)
		if p.TCP.Blocks > 0 {
			want += 4 + 8*uint32(p.TCP.Blocks)
		}
		require.Equal(t, want, p.Len)
		for _, b := range p.TCP.SACK[:p.TCP.Blocks] {
			require.Greater(t, b.Start, p.TCP.Ack)
			require.NotZero(t, b.Len())
		}
		longest = max(longest, p.Len)
		return d.reverse
	}}
	c := d.connect(t, TCPConfig{Forward: forward, Reverse: reverse, Packet: look, Bytes: 1_000_000})
	c.Start(0)
	d.Run(seconds(20))
	require.EqualValues(t, 1_000_000, c.Stats().Delivered)
	require.EqualValues(t, 66+4+24, longest, "three blocks at most")
}
