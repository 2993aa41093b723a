package cake_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// TestRate: between departures the framed rate is the one asked for, whoever
// sends in whichever tins.
func TestRate(t *testing.T) {
	for _, rate := range []qdisc.Rate{
		64 * qdisc.Kbit, 512 * qdisc.Kbit, qdisc.Mbit, 12_345_678, 100 * qdisc.Mbit, qdisc.Gbit, 4_294_967_296,
		10 * qdisc.Gbit, 40 * qdisc.Gbit, 100 * qdisc.Gbit, qdisc.Tbit,
	} {
		for _, diffserv := range []cake.Diffserv{cake.BestEffort, cake.Diffserv4} {
			t.Run(fmt.Sprint(rate, "/", diffserv), func(t *testing.T) {
				q := mustNew(t, cake.Config{Bandwidth: rate, Framing: cake.Ethernet(), Diffserv: diffserv})
				fresh := func(i int, now qdisc.Time) {
					p := dscp(packet(uint32(100+i*37%1400), uint32(i%7)), []uint8{0, 8, 46, 34}[i%4])
					q.Enqueue(p, now)
				}
				now := s
				for i := range 100 {
					fresh(i, now)
				}
				const n = 3000
				bytes := 0.0
				var first qdisc.Time
				for i := range n + 1 {
					var p *qdisc.Packet
					if p, now = next(t, q, now); i == 0 {
						first = now
					}
					if i < n { // what the last one takes shows later
						bytes += max(84, float64(p.Len)+38)
					}
					fresh(i, now)
				}
				assert.InEpsilon(t, bytes*8e9/float64(rate), float64(now-first), 1e-4)
			})
		}
	}
}

// TestRateLinux: whole nanoseconds and bytes a second, and no less than 64 of
// these.
func TestRateLinux(t *testing.T) {
	for _, tt := range []struct {
		rate    qdisc.Rate
		compat  qdisc.Compat
		perByte float64 // ns
	}{
		{80 * qdisc.Mbit, qdisc.Linux, 100},
		{520, qdisc.Linux, 1e9 / 65},
		{512, qdisc.Linux, 1e9 / 64},
		{256, qdisc.Linux, 1e9 / 64},
		{256, qdisc.Exact, 1e9 / 32},
		{64, qdisc.Exact, 1e9 / 8},
	} {
		q := mustNew(t, cake.Config{Bandwidth: tt.rate, Diffserv: cake.BestEffort, Compat: tt.compat})
		fill(t, q, 2, 1000, 1, s)
		require.NotNil(t, q.Dequeue(s))
		assert.InDelta(t, 1000*tt.perByte, float64(q.ReadyAt(s)-s), 1000, "%v %v", tt.rate, tt.compat)
	}
}

// TestMissedTime: while packets wait, time in which nobody asked is made up
// for; idle time is not.
func TestMissedTime(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Mbit}) // 1 ms for 1000 bytes
	fill(t, q, 20, 1000, 1, s)
	n := 0
	for q.Dequeue(s+10*ms) != nil {
		n++
	}
	assert.Equal(t, 11, n)
	for q.Len() > 0 {
		require.NotNil(t, q.Dequeue(s+100*ms))
	}
	assert.Equal(t, qdisc.Never, q.ReadyAt(s+100*ms))
	fill(t, q, 3, 1000, 1, 2*s)
	require.NotNil(t, q.Dequeue(2*s))
	require.Nil(t, q.Dequeue(2*s))
	assert.Equal(t, 2*s+ms, q.ReadyAt(2*s))
	assert.EqualValues(t, 2, q.ReadStats().Overlimits)
}

// TestParkedIsNotWaiting: nor is time made up for in which all that is held is
// parked. Linux makes up for it.
func TestParkedIsNotWaiting(t *testing.T) {
	for _, compat := range compats {
		q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Mbit, Compat: compat}) // 1 ms for 1000 bytes
		fill(t, q, 1, 1000, 1, s)
		require.NotNil(t, q.Peek(s))
		fill(t, q, 20, 1000, 1, 2*s)
		require.NotNil(t, q.Dequeue(2*s), "the parked one")
		n := 0
		for q.Dequeue(2*s) != nil {
			n++
		}
		if compat == qdisc.Linux {
			assert.Equal(t, 20, n)
		} else {
			assert.Equal(t, 1, n)
			assert.Equal(t, 2*s+ms, q.ReadyAt(2*s))
		}
	}
}

// TestEndOfTime: nothing wraps there.
func TestEndOfTime(t *testing.T) {
	const end = qdisc.MaxTime - 10*us
	for _, compat := range compats {
		q := mustNew(t, cake.Config{Bandwidth: 80 * qdisc.Kbit, Compat: compat})
		fill(t, q, 3, 1000, 1, end)
		require.NotNil(t, q.Dequeue(end))
		now := end
		for range 2 {
			_, now = next(t, q, now)
			assert.Equal(t, qdisc.MaxTime, now)
		}
		assert.Equal(t, qdisc.Never, q.ReadyAt(qdisc.MaxTime))
	}
}

// TestFlowAtTheEndOfTime: nor does what Flows tells, or Linux's watchdog.
func TestFlowAtTheEndOfTime(t *testing.T) {
	const now = qdisc.MaxTime - ms
	q := mustNew(t, cake.Config{Diffserv: cake.BestEffort, Compat: qdisc.Linux})
	fill(t, q, 3, 1000, 1, now-s)
	for range 2 { // all are late, and the second is lost
		require.NotNil(t, q.Dequeue(now))
	}
	flows := maps.Collect(q.Flows(now))
	require.Len(t, flows, 1)
	require.Positive(t, flows[1].Count)
	assert.InDelta(t, float64(70*time.Millisecond), float64(flows[1].DropNext), 1e8)
	fill(t, q, 3, 1000, 2, now)
	for range 3 { // the flow that was late has come to rest then
		require.NotNil(t, q.Dequeue(now))
	}
	assert.Equal(t, qdisc.MaxTime, q.Watchdog())
}

// TestShares: all tins loaded share 1/16 : 1/4 : 11/16 of the line.
func TestShares(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 16 * qdisc.Mbit})
	classes := []uint8{8, 46, 0}
	sent := map[uint8]float64{}
	now := s
	for _, c := range classes {
		for range 20 {
			q.Enqueue(dscp(packet(1000, uint32(c)), c), now)
		}
	}
	const n = 10000
	for range n {
		var p *qdisc.Packet
		p, now = next(t, q, now)
		sent[p.DSField>>2]++
		q.Enqueue(p, now)
	}
	assert.InEpsilon(t, n/16, sent[8], 0.1)
	assert.InEpsilon(t, n/4, sent[46], 0.1)
	assert.InEpsilon(t, n*11/16, sent[0], 0.1)
}

// TestIngressCountsDrops: what is dropped has used the line.
func TestIngressCountsDrops(t *testing.T) {
	for _, ingress := range []bool{false, true} {
		var drops qdisc.List
		q := mustNew(t, cake.Config{
			Bandwidth: 8 * qdisc.Mbit, Ingress: ingress, MemoryLimit: 4000, Diffserv: cake.BestEffort, Drops: &drops,
		})
		for range 10 {
			q.Enqueue(packet(1000, 1), s)
		}
		require.Equal(t, 6, drops.Len())
		require.NotNil(t, q.Dequeue(s))
		// The second clock, which lost packets do not move, is 1.5 ms on.
		want := s + ms
		if ingress {
			want = s + 3*ms/2
		}
		_, at := next(t, q, s)
		assert.Equal(t, want, at)
	}
}

// TestFloodOnIngress: the line goes on at two thirds of its rate through a flood,
// also after a long time without a loss, and at its rate soon after. In Linux the
// second clock gets ahead in such a time, and nothing is forgotten.
func TestFloodOnIngress(t *testing.T) {
	for _, compat := range compats {
		q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Mbit, Ingress: true, MemoryLimit: 20_000, Diffserv: cake.BestEffort, Compat: compat})
		now, last, longest := s, s, qdisc.Time(0)
		sent := func(flow uint32, gap qdisc.Time, d time.Duration) (n int) {
			for end := now.Add(d); now < end; now += gap {
				q.Enqueue(packet(1000, flow), now)
				if q.Dequeue(now) != nil {
					longest, last = max(longest, now-last), now
					n++
				}
			}
			return n
		}
		fill(t, q, 2, 1000, 1, now)
		assert.InDelta(t, 10_000, sent(1, ms, 10*time.Second), 2)
		flood := sent(1, ms/10, 10*time.Second)
		if compat == qdisc.Linux {
			assert.Greater(t, longest, 4*s)
			continue
		}
		assert.Less(t, longest, 2*ms)
		assert.InDelta(t, 6667, flood, 5)
		sent(2, 2*ms, time.Second)
		fill(t, q, 2, 1000, 2, now)
		assert.InDelta(t, 1000, sent(2, ms, time.Second), 5)
	}
}
