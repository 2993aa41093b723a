package netsim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/prio"
)

// overFullRing runs a saturated 10 Mbit/s link with a ring of 256 packets and a
// sparse flow of high priority, from 5 s on, and returns the sparse flow's
// meter, the bytes sent and the most packets in flight before it began.
func overFullRing(t *testing.T, limiter *bql.Limiter) (sparse *netsim.Meter, sent uint64, most int) {
	s := netsim.New(1)
	meters := netsim.NewFlowMeters(s)
	l := must(netsim.NewLink(s, netsim.LinkConfig{
		Qdisc: must(prio.New(prio.Config{})), Rate: 10 * qdisc.Mbit, Ring: 256,
		Limiter: limiter, Completion: 100 * time.Microsecond, To: meters,
	}))
	must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.CBR{Rate: 11 * qdisc.Mbit}, Packet: packet(1, 1514)}))
	high := packet(2, 100)
	high.Priority = 6 // band 0
	must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.Poisson{Rate: 10 * qdisc.Kbit, Len: 100}, Packet: high, Start: 5 * second}))
	for s.Now() < 20*second {
		s.Run(s.Now() + 333*microsecond)
		if s.Now() < 5*second {
			most = max(most, l.InFlight())
		}
	}
	return meters.Flow(2), l.Stats().SentBytes, most
}

// TestLimiterKeepsPacketsBack: priority helps only while packets wait where it
// rules. A ring of 256 frames is 310 ms at 10 Mbit/s.
func TestLimiterKeepsPacketsBack(t *testing.T) {
	const line = 20 * 10e6 / 8
	ring, sent, most := overFullRing(t, nil)
	require.InEpsilon(t, line, float64(sent), 0.01)
	require.Equal(t, 256, most)
	require.Greater(t, ring.Delay.Quantile(0.1), 290*time.Millisecond)

	auto, sent, most := overFullRing(t, must(bql.New(bql.Config{})))
	require.InEpsilon(t, line, float64(sent), 0.01)
	require.LessOrEqual(t, most, 4)
	require.Less(t, auto.Delay.Max(), 6*time.Millisecond)

	one, sent, most := overFullRing(t, must(bql.New(bql.Config{LimitMax: new(int64(1400)), LimitMin: 1000})))
	require.Equal(t, 1, most, "one frame is in flight")
	require.Less(t, one.Delay.Max(), 1500*time.Microsecond)
	require.InEpsilon(t, line*1211.2/1311.2, float64(sent), 0.01, "and the line waits for each report")
}
