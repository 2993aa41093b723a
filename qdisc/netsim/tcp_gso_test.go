package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// gsoRun runs a flow for 20 seconds and returns its share of the line and
// counters.
func gsoRun(t *testing.T, cfg TCPConfig) (float64, TCPStats) {
	t.Helper()
	rate, rtt := 50*qdisc.Mbit, 40*msec
	limit := int64(bdp(rate, rtt) * fullPacket)
	q, err := fifo.New(fifo.Config{LimitBytes: &limit})
	require.NoError(t, err)
	d := newDumbbellOf(t, 1, LinkConfig{Rate: rate, Delay: rtt / 2, Qdisc: q}, LinkConfig{Delay: rtt / 2})
	c := d.connect(t, cfg)
	c.Start(0)
	d.Run(seconds(2))
	since, now := d.run(c, seconds(22))
	return float64(now.Goodput(since)) / float64(rate) * fullPacket / 1448, now
}

// TestTCPGSO: super-packets and receive offload change the number of packets and
// acknowledgements, hardly the rate.
func TestTCPGSO(t *testing.T) {
	for _, cc := range []Congestion{Reno, CUBIC} {
		plain, one := gsoRun(t, TCPConfig{Congestion: cc})
		gso, many := gsoRun(t, TCPConfig{Congestion: cc, GSO: 16})
		both, few := gsoRun(t, TCPConfig{Congestion: cc, GSO: 16, Coalesce: msec / 2})
		paced, spread := gsoRun(t, TCPConfig{Congestion: cc, GSO: 16, Coalesce: msec / 2, Pacing: true})
		t.Logf("%v: share %.3f, %.3f with GSO, %.3f with receive offload, %.3f paced", cc, plain, gso, both, paced)
		for _, share := range []float64{gso, both, paced} {
			assert.InEpsilon(t, plain, share, 0.03, cc)
		}
		assert.Equal(t, one.Segments, one.Packets)
		assert.Less(t, few.Packets, few.Segments/4)
		assert.Less(t, few.Acks, one.Acks/4)
		assert.Less(t, few.Runs, few.Arrived/4)
		assert.LessOrEqual(t, many.Packets, many.Segments)
		assert.Less(t, spread.Packets, spread.Segments)
		assert.Zero(t, few.Spurious)
	}
}

// TestTCPGSOPacket: a super-packet is charged for all its headers, and its
// segments are what a split makes of it.
func TestTCPGSOPacket(t *testing.T) {
	d := newDumbbell(t, 1, 0, 20*msec, 1000)
	var supers, singles []Packet
	split := &filter{d.Sim, nil}
	split.pass = func(p *Packet) Receiver {
		if p.Segs < 2 {
			singles = append(singles, *p)
			return d.forward
		}
		supers = append(supers, *p)
		var segs qdisc.List
		d.SplitTCP(&p.Packet, &segs)
		for q := segs.Pop(); q != nil; q = segs.Pop() {
			c := qdisc.Value[*Packet](q)
			singles = append(singles, *c)
			d.forward.Receive(c)
		}
		return discarded{}
	}
	c := d.connect(t, TCPConfig{Forward: split, GSO: 44, ECN: true, Bytes: 100*1448 + 7})
	c.Start(0)
	d.Run(seconds(5))
	s := c.Stats()
	require.EqualValues(t, 100*1448+7, s.Delivered)
	require.Zero(t, s.Spurious+s.Retransmitted+s.Reordered)
	require.EqualValues(t, 101, s.Segments)
	require.EqualValues(t, 101, s.Arrived)
	require.Len(t, singles, 102, "and the SYN")
	require.Zero(t, d.Alive())
	for _, p := range supers {
		assert.EqualValues(t, uint32(p.Segs)*fullPacket, p.Len)
		assert.EqualValues(t, 1448, p.SegSize)
		assert.LessOrEqual(t, p.Len, uint32(maxGSO))
		assert.EqualValues(t, qdisc.ECT0, p.ECN())
	}
	assert.EqualValues(t, 10, supers[0].Segs, "the initial window")
	next := uint64(0)
	for _, p := range singles[1:] {
		assert.Equal(t, next, p.TCP.Seq)
		assert.Zero(t, p.Segs)
		assert.EqualValues(t, p.TCP.Bytes+tcpHeader, p.Len)
		next += uint64(p.TCP.Bytes)
	}
	// A single packet stays whole, which an empty list says.
	p := d.Alloc()
	var segs qdisc.List
	d.SplitTCP(&p.Packet, &segs)
	require.True(t, segs.Empty())
	d.Free(p)
}

// discarded takes the place of a packet that was split and is freed already.
type discarded struct{}

func (discarded) Receive(*Packet) {}

// TestTCPPacing: packets leave evenly over a round trip, at twice the rate of
// the window in slow start and 1.2 times after.
func TestTCPPacing(t *testing.T) {
	for _, slow := range []bool{true, false} {
		d := newDumbbell(t, 1, 0, 100*msec, 1000)
		var sent []qdisc.Time
		way := &filter{d.Sim, func(p *Packet) Receiver {
			if p.TCP.Bytes > 0 {
				sent = append(sent, d.Now())
			}
			return d.forward
		}}
		c := d.connect(t, TCPConfig{Forward: way, Pacing: true, Congestion: Reno, InitialWindow: 50})
		factor := 2.0
		if !slow {
			factor = 1.2
			c.snd.win.ssthresh = c.snd.win.cwnd
		}
		c.Start(0)
		d.Run(seconds(0.199))
		require.Len(t, sent, 50)
		gap := time.Duration(100e6 / (50 * factor))
		for i := 1; i < len(sent); i++ {
			assert.InDelta(t, float64(gap), float64(sent[i]-sent[i-1]), 2)
		}
	}
}
