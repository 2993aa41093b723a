package netsim_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
)

func TestMeter(t *testing.T) {
	s := netsim.New(1)
	m := netsim.NewMeter(s)
	m.Record(100 * time.Millisecond)
	link := must(netsim.NewLink(s, netsim.LinkConfig{Delay: 30 * time.Millisecond, To: m}))
	// RFC 4737 section 3: 3 and 4 come late, 5 never.
	for i, seq := range []uint64{0, 1, 2, 6, 3, 7, 4, 8} {
		s.Run(qdisc.Time(i) * 50 * millisecond)
		p := s.Alloc()
		p.Len, p.Seq, p.Sent, p.DSField = 1000, seq, s.Now(), uint8(i) // 3 and 7 are marked
		link.Receive(p)
	}
	s.Run(second)
	require.EqualValues(t, 8, m.Packets)
	require.EqualValues(t, 8000, m.Bytes)
	require.EqualValues(t, 2, m.Reordered)
	require.Equal(t, 0.25, m.ReorderedRatio())
	require.EqualValues(t, 1, m.Missing())
	require.EqualValues(t, 2, m.Marked)
	require.Equal(t, 30*millisecond, m.First)
	require.Equal(t, 380*millisecond, m.Last)
	require.Equal(t, 64000.0, m.Rate(0))
	require.Zero(t, m.Rate(second))
	require.Equal(t, 30*time.Millisecond, m.Delay.Mean())
	w := netsim.Window{Count: 2, Sum: 2000, Max: 1000}
	require.Empty(t, cmp.Diff([]netsim.Window{w, w, w, w}, m.Throughput.Windows()))
	require.Equal(t, float64(30*time.Millisecond), m.Delays.Windows()[3].Mean())
	require.Zero(t, s.Alive())
	require.Zero(t, netsim.NewMeter(s).ReorderedRatio())
}

func TestFlowMeters(t *testing.T) {
	s := netsim.New(1)
	end := netsim.NewMeter(s)
	m := netsim.NewFlowMeters(s)
	m.Next = netsim.Endpoint
	for flow := range uint32(4) {
		must(netsim.NewSource(s, netsim.SourceConfig{
			Via: m, To: end, Packet: packet(7-flow, 100), Pattern: netsim.CBR{Rate: qdisc.Mbit}, Count: 100 * uint64(flow+1),
		}))
	}
	s.Run(second)
	require.EqualValues(t, 1000, end.Packets)
	var flows []uint32
	for flow, meter := range m.All() {
		flows = append(flows, flow)
		require.EqualValues(t, 800-100*uint64(flow), meter.Packets)
	}
	require.Equal(t, []uint32{4, 5, 6, 7}, flows)
	require.InDelta(t, 100.0/(4*30), m.Jain(), 1e-12)
}

func TestJain(t *testing.T) {
	require.Equal(t, 1.0, netsim.Jain(3, 3, 3))
	require.Equal(t, 0.25, netsim.Jain(0, 0, 5, 0))
	require.InDelta(t, 121.0/207, netsim.Jain(1, 8, 2), 1e-12)
	require.Equal(t, 1.0, netsim.Jain())
	require.Equal(t, 1.0, netsim.Jain(0, 0))
}

func TestSeriesJoinsWindows(t *testing.T) {
	m := netsim.NewSeries(time.Millisecond)
	for i := range qdisc.Time(10000) {
		m.Add(i*millisecond, -int64(i))
	}
	require.Equal(t, 4*time.Millisecond, m.Every())
	require.Len(t, m.Windows(), 2500)
	for i, w := range m.Windows() {
		n := int64(i) * 4
		require.Equal(t, netsim.Window{Count: 4, Sum: -(4*n + 6), Max: -n}, w)
	}
	m.Add(-5, 1) // as at 0
	require.EqualValues(t, 5, m.Windows()[0].Count)
	m.Add(qdisc.MaxTime, 1)
	require.Zero(t, m.Windows()[1].Count)
	require.EqualValues(t, 10001, m.Windows()[0].Count)
	require.Zero(t, netsim.Window{}.Mean())
}

func TestSampler(t *testing.T) {
	s := netsim.New(1)
	l := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 8 * qdisc.Mbit, To: s.Discard()}))
	length := netsim.NewSampler(s, 10*time.Millisecond, func() int64 { return int64(l.Qdisc().Len()) })
	must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.Bursts{Packets: 101, Every: time.Second}, Packet: packet(0, 1000), Count: 101}))
	s.Run(105 * millisecond)
	length.Stop()
	s.Run(second)
	var got []int64
	for _, w := range length.Windows() {
		got = append(got, w.Max)
	}
	// The first sample is before the burst; at 100 ms the queue has just emptied.
	require.Equal(t, []int64{0, 91, 81, 71, 61, 51, 41, 31, 21, 11, 1}, got)
}

// TestPing: behind a queue of n packets a ping waits for n packets.
func TestPing(t *testing.T) {
	s := netsim.New(1)
	back := must(netsim.NewLink(s, netsim.LinkConfig{Delay: 20 * time.Millisecond}))
	forth := must(netsim.NewLink(s, netsim.LinkConfig{
		Qdisc: must(fifo.New(fifo.Config{Limit: new(50)})), Rate: 10 * qdisc.Mbit, Delay: 10 * time.Millisecond,
	}))
	idle := must(netsim.NewPing(s, netsim.PingConfig{Forward: forth, Reverse: back, Packet: packet(9, 125), Stop: second}))
	s.Run(2 * second)
	require.EqualValues(t, 5, idle.Sent())
	require.EqualValues(t, 5, idle.Received())
	require.Equal(t, 30100*time.Microsecond, idle.RTT.Max())
	require.Equal(t, 30100*time.Microsecond, idle.RTT.Mean())

	must(netsim.NewSource(s, netsim.SourceConfig{Via: forth, To: s.Discard(), Pattern: netsim.Poisson{Rate: 25 * qdisc.Mbit, Len: 1250}, Packet: packet(1, 1250)}))
	full := must(netsim.NewPing(s, netsim.PingConfig{Forward: forth, Reverse: back, Start: 10 * second, Every: 7 * time.Millisecond, Record: time.Second}))
	s.Run(60 * second)
	require.InDelta(t, 79, full.RTT.Quantile(0.5).Milliseconds(), 3, "50 packets of 1 ms and the way")
	require.Less(t, full.Received(), full.Sent(), "some are refused")
	require.Nil(t, idle.RTTs)
	require.Len(t, full.RTTs.Windows(), 60)
	require.Zero(t, full.RTTs.Windows()[9].Count)
	require.InDelta(t, 79e6, full.RTTs.Windows()[30].Mean(), 3e6)
}

func TestPingTurnsHostsRound(t *testing.T) {
	s := netsim.New(1)
	r := netsim.NewRouter(s)
	r.Route(2, netsim.Endpoint)
	r.Route(1, netsim.Endpoint)
	p := packet(0, 0)
	p.SrcHost, p.DstHost = 1, 2
	ping := must(netsim.NewPing(s, netsim.PingConfig{Forward: r, Reverse: r, Packet: p}))
	s.Run(0)
	require.EqualValues(t, 1, ping.Received())
	r.Route(1, nil)
	s.Run(millisecond * 200)
	require.EqualValues(t, 1, ping.Received())
	require.EqualValues(t, 1, r.NoRoute())
	m := netsim.NewMeter(s)
	r.Default = m
	s.Run(millisecond * 400)
	require.EqualValues(t, 1, m.Packets)
	require.EqualValues(t, 98, m.Bytes)
	require.Zero(t, s.Alive())
}

func TestPingConfigErrors(t *testing.T) {
	_, err := netsim.NewPing(netsim.New(1), netsim.PingConfig{Every: -1, Record: -1})
	qtest.ConfigErrors(t, err, "Forward", "Reverse", "Every", "Record")
}
