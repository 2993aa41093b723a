package cake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// TestStatsText: the layout of tc -s.
func TestStatsText(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Framing: cake.Ethernet()})
	for i := range uint32(3) {
		p := packet(1514, i)
		p.NetOff = 14
		q.Enqueue(p, s)
	}
	q.Enqueue(dscp(packet(200, 9), 46), s)
	_, now := next(t, q, s+40*us)
	next(t, q, now)
	want := ` memory used: 4742b of 4Mb
 capacity estimate: 20Mbit
 min/max network layer size:          200 /    1500
 min/max overhead-adjusted size:      238 /    1538
 average network hdr offset:            0

                   Bulk  Best Effort        Voice
  thresh       1250Kbit       20Mbit        5Mbit
  target         14.5ms          5ms          5ms
  interval        110ms        100ms        100ms
  pk_delay          0us        154us         10us
  av_delay          0us          2us          0us
  sp_delay          0us          2us          0us
  backlog            0b        3028b           0b
  pkts                0            3            1
  bytes               0         4542          200
  way_inds            0            0            0
  way_miss            0            3            1
  way_cols            0            0            0
  drops               0            0            0
  marks               0            0            0
  ack_drop            0            0            0
  sp_flows            0            3            1
  bk_flows            0            0            0
  un_flows            0            0            0
  max_len             0         1514          200
  quantum           300          610          300
`
	got := q.Stats().String()
	// Moving averages have tests of their own.
	keep := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "_delay") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	assert.Equal(t, keep(want), keep(got))
}

// TestDelays: the peak rises by a quarter of the way and falls by a 256th, the
// base the other way round.
func TestDelays(t *testing.T) {
	q := mustNew(t, cake.Config{Diffserv: cake.BestEffort})
	peak, avg, base := 0.0, 0.0, 0.0
	now := s
	for _, delay := range []qdisc.Time{ms, 3 * ms, ms, 0, 2 * ms} {
		q.Enqueue(packet(100, 1), now)
		require.NotNil(t, q.Dequeue(now+delay))
		now += delay
		d := float64(delay)
		up, down := 4.0, 256.0
		if d > peak {
			peak += (d - peak) / up
		} else {
			peak += (d - peak) / down
		}
		if d < base {
			base += (d - base) / up
		} else {
			base += (d - base) / down
		}
		avg += (d - avg) / 256
		tin := q.Stats().Tins[0]
		assert.InDelta(t, peak, float64(tin.PeakDelay), 10)
		assert.InDelta(t, avg, float64(tin.AvgDelay), 10)
		assert.InDelta(t, base, float64(tin.BaseDelay), 10)
	}
}

// TestFlows: what tc -s class shows.
func TestFlows(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Mbit, MemoryLimit: 50_000, Diffserv: cake.Diffserv4})
	for i := range qdisc.Time(400) {
		q.Enqueue(dscp(packet(1000, 7), 8), s+i*ms/2)
		q.Dequeue(s + i*ms/2)
	}
	q.Enqueue(packet(100, 8), s+200*ms)
	all := map[int]cake.FlowStats{}
	for i, f := range q.Flows(s + 200*ms) {
		all[i] = f
	}
	require.Len(t, all, 2)
	f := all[7]
	assert.Equal(t, 0, f.Tin)
	assert.EqualValues(t, f.Len*1000, f.Backlog)
	assert.Equal(t, q.Stats().Tins[0].Drops, f.Drops)
	assert.Positive(t, f.BlueDrop)
	assert.True(t, f.Dropping)
	assert.GreaterOrEqual(t, f.BlueTime.Nanoseconds(), int64(0))
	assert.InDelta(t, float64(f.Len)*float64(ms)/2, float64(f.Delay), float64(f.Len)*float64(ms))
	assert.Equal(t, 1, all[8].Tin)
	assert.Equal(t, 1, all[8].Len)
	for range q.Flows(0) {
		break // is allowed
	}

	assert.Equal(t, " (dropped 3)\n backlog 2Kb 2p\n deficit -5 count 0\n", cake.FlowStats{Drops: 3, Backlog: 2048, Len: 2, Deficit: -5}.String())
	assert.Equal(t, " (dropped 0)\n backlog 0b 0p\n deficit 0 count 2 dropping drop_next -1.5ms\n blue_prob 0.250000 blue_timer 20us",
		strings.TrimSuffix(cake.FlowStats{Count: 2, Dropping: true, DropNext: -1.5e6, BlueDrop: 0.25, BlueTime: 20e3}.String(), "\n"))
}

// TestSojourn: Config.Sojourn gets every packet that leaves.
func TestSojourn(t *testing.T) {
	h := new(qdisc.Histogram)
	q := mustNew(t, cake.Config{Sojourn: h})
	fill(t, q, 3, 100, 1, s)
	q.Peek(s + ms)
	for range 3 {
		q.Dequeue(s + 2*ms)
	}
	assert.EqualValues(t, 3, h.Count())
	assert.EqualValues(t, 2e6, h.Max())
}
