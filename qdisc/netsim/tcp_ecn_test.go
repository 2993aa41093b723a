package netsim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// marker marks packets that find more than so many in the queue.
func marker(d *dumbbell, most int) *filter {
	return &filter{d.Sim, func(p *Packet) Receiver {
		if d.forward.Qdisc().Len() >= most && p.ECN() != qdisc.NotECT {
			p.DSField |= qdisc.CE
		}
		return d.forward
	}}
}

// TestTCPECN: a queue that marks loses nothing, and stays short.
func TestTCPECN(t *testing.T) {
	rate, rtt := 10*qdisc.Mbit, 50*msec
	for _, cc := range []Congestion{Reno, CUBIC} {
		d := newDumbbell(t, 1, rate, rtt, 1000)
		way := marker(d, 3*bdp(rate, rtt)/2)
		var flows []*TCP
		for range 2 {
			c := d.connect(t, TCPConfig{Forward: way, Congestion: cc, ECN: true})
			c.Start(0)
			flows = append(flows, c)
		}
		d.Run(seconds(5))
		var rates []float64
		for _, c := range flows {
			since := c.Stats()
			rates = append(rates, -float64(since.Delivered))
		}
		d.Run(seconds(125))
		total := 0.0
		for i, c := range flows {
			now := c.Stats()
			assert.Zero(t, now.Retransmitted, cc)
			assert.Greater(t, now.ECNReductions, uint64(10), cc)
			assert.Greater(t, now.Marked, now.ECNReductions, cc)
			rates[i] = (rates[i] + float64(now.Delivered)) * 8 / 120
			total += rates[i] * fullPacket / 1448
		}
		t.Logf("%v: %.0f bit/s, reductions %d and %d", cc, rates, flows[0].Stats().ECNReductions, flows[1].Stats().ECNReductions)
		assert.Zero(t, d.forward.Stats().Dropped, cc)
		assert.GreaterOrEqual(t, total, 0.95*float64(rate), cc)
		assert.GreaterOrEqual(t, Jain(rates...), 0.98, cc)
	}
}

// TestTCPECNBits follows the bits of one mark: ECE on every acknowledgement
// until CWR comes, one reduction, and no mark asked for where it is forbidden.
func TestTCPECNBits(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	var packets, echoes, replies, marked int
	forward := &filter{d.Sim, func(p *Packet) Receiver {
		if p.TCP.Bytes == 0 {
			assert.Equal(t, uint8(0x28), p.DSField, "the handshake is not ECN capable")
			return d.forward
		}
		require.Equal(t, uint8(0x28)|qdisc.ECT0, p.DSField)
		if packets++; packets == 15 || packets == 16 {
			p.DSField |= qdisc.CE
			marked++
		}
		if p.TCP.Flags&CWR != 0 {
			replies++
		}
		return d.forward
	}}
	reverse := &filter{d.Sim, func(p *Packet) Receiver {
		require.Equal(t, uint8(0x28), p.DSField, "acknowledgements are not ECN capable (RFC 3168, section 6.1.4)")
		if p.TCP.Flags&ECE != 0 {
			echoes++
		}
		return d.reverse
	}}
	c := d.connect(t, TCPConfig{Forward: forward, Reverse: reverse, ECN: true, Bytes: 200 * 1448, Packet: qdisc.Packet{DSField: 0x28 | 1}})
	c.Start(0)
	d.Run(seconds(10))
	s := c.Stats()
	assert.EqualValues(t, 200*1448, s.Acked)
	assert.EqualValues(t, 1, s.ECNReductions)
	assert.EqualValues(t, 2, s.Marked)
	assert.Equal(t, 1, replies)
	assert.Greater(t, echoes, 2)
	assert.Less(t, echoes, 100)

	d = newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	c = d.connect(t, TCPConfig{Forward: marker(d, 0), Bytes: 200 * 1448})
	c.Start(0)
	d.Run(seconds(10))
	assert.Zero(t, c.Stats().Marked, "without ECN there is nothing to mark")
	assert.Zero(t, c.Stats().ECNReductions)
}

// TestTCPECNOnce: a queue that marks everything until the answer comes gets one
// reduction, though the last acknowledgement of the round still says ECE.
func TestTCPECNOnce(t *testing.T) {
	d := newDumbbell(t, 1, 10*qdisc.Mbit, 50*msec, 1000)
	packets, answered := 0, false
	forward := &filter{d.Sim, func(p *Packet) Receiver {
		packets++
		answered = answered || p.TCP.Flags&CWR != 0
		if packets > 50 && !answered {
			p.DSField |= qdisc.CE
		}
		return d.forward
	}}
	c := d.connect(t, TCPConfig{Forward: forward, ECN: true, Bytes: 1000 * 1448})
	c.Start(0)
	d.Run(seconds(10))
	s := c.Stats()
	assert.EqualValues(t, 1000*1448, s.Acked)
	assert.Greater(t, s.Marked, uint64(20))
	assert.EqualValues(t, 1, s.ECNReductions)
}
