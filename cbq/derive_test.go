package cbq_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestIdleTimes: known answers of the formulas of tc and pfctl.
func TestIdleTimes(t *testing.T) {
	got := cbq.DeriveIdleTimes(10*qdisc.Mbit, qdisc.Mbit, 1000, 20, 2, 5)
	assert.InDelta(t, 6.386e6, got.MaxIdle, 1e4, "tc")
	assert.InDelta(t, 14.632e6, got.OffTime, 1e4)

	// pfctl: 5 % of 10 Mbit/s, packets of 1500 bytes.
	const rate = 500 * qdisc.Kbit
	assert.Equal(t, 4, cbq.DefaultMaxBurst(10*qdisc.Mbit, rate, 1500), "22.8 ms are more than 10")
	got = cbq.DeriveIdleTimes(10*qdisc.Mbit, rate, 1500, 4, 2, 5)
	assert.InDelta(t, 3.087e6, got.MaxIdle, 1e4)
	assert.InDelta(t, 46.34e6, got.OffTime, 2e4)
	assert.Equal(t, 24*time.Millisecond, cbq.MinIdle(rate, 1500))

	assert.Equal(t, 16, cbq.DefaultMaxBurst(10*qdisc.Mbit, 5*qdisc.Mbit, 1500))
	assert.Zero(t, cbq.DeriveIdleTimes(10*qdisc.Mbit, rate, 1500, 4, 0, 5).OffTime)
	assert.InDelta(t, 22.8e6/31, cbq.DeriveIdleTimes(10*qdisc.Mbit, rate, 1500, 4, 1, 5).OffTime, 1e3)
	assert.Equal(t, 1200*time.Microsecond/32, cbq.DeriveIdleTimes(10*qdisc.Mbit, 10*qdisc.Mbit, 1500, 16, 2, 5).MaxIdle, "all of the link")
	for _, ewma := range []int{0, 5} { // the powers are infinite, the gap is 0
		got = cbq.DeriveIdleTimes(10*qdisc.Mbit, 10*qdisc.Mbit, 1500, 1<<20, 1<<20, ewma)
		assert.Equal(t, cbq.IdleTimes{MaxIdle: 1200 * time.Microsecond >> ewma}, got)
	}
	assert.Zero(t, cbq.DeriveIdleTimes(0, 0, 0, 0, 0, 0), "no rate, no packets")
	assert.Zero(t, cbq.MinIdle(0, 0))
}

// TestBursts: after an idle time a class sends MaxBurst packets and one more
// at once, and then, with MinBurst, so many at a time: the same rate.
func TestBursts(t *testing.T) {
	for _, c := range []struct{ maxburst, minburst int }{{0, 0}, {4, 1}, {20, 2}, {8, 5}} {
		q := newCBQ(t, cbq.Config{Bandwidth: 10 * qdisc.Mbit})
		add(t, q, 1, cbq.ClassConfig{Rate: qdisc.Mbit, Bounded: true, MaxBurst: c.maxburst, MinBurst: c.minburst})
		var at []qdisc.Time
		link(t, q, 10*qdisc.Mbit, 2*s, []source{{class: 1, sizes: []uint32{1000}}}, func(_ *qdisc.Packet, now qdisc.Time) { at = append(at, now) })
		const onLink = 800 * us
		var runs []int // packets back to back
		for i := range at {
			if i > 0 && at[i] == at[i-1]+onLink {
				runs[len(runs)-1]++
			} else {
				runs = append(runs, 1)
			}
		}
		assert.Equal(t, c.maxburst+1, runs[0], "%+v", c)
		for _, n := range runs[1 : len(runs)-1] {
			assert.Equal(t, max(1, c.minburst), n, "%+v", c)
		}
		// Seconds 1 to 2: 125000 bytes, to a batch.
		n := 0
		for _, now := range at {
			if now >= s {
				n++
			}
		}
		assert.InDelta(t, 125, n, float64(max(1, c.minburst)))
	}
}

// TestAvgIdle follows the estimator of the paper: A += (idle - A)/32, idle being
// how much longer than len/rate it is from the end of one packet to the next's.
func TestAvgIdle(t *testing.T) {
	q := newCBQ(t, cbq.Config{Bandwidth: 10 * qdisc.Mbit, AvgPacket: 1000})
	add(t, q, 1, cbq.ClassConfig{Rate: qdisc.Mbit, MaxBurst: 20})
	most := cbq.DeriveIdleTimes(10*qdisc.Mbit, qdisc.Mbit, 1000, 20, 1, 5).MaxIdle
	assert.Equal(t, most, stats(t, q, 1).AvgIdle, "as after an idle time")
	want := float64(most)
	last := qdisc.Time(0)
	now := s
	for i := range 60 {
		fill(t, q, 1, 1, 1000, now)
		require.NotNil(t, q.Dequeue(now))
		if i == 0 {
			last = now - s - 800*us // the first gap is that from 0
		}
		want += (float64(now-last) - 8e6 - want) / 32
		want = min(want, float64(most))
		assert.InDelta(t, want, stats(t, q, 1).AvgIdle, 2, "packet %d", i)
		last = now
		now += 800 * us
	}
	assert.Less(t, stats(t, q, 1).AvgIdle, time.Duration(0), "it borrows: sooner than at its rate")
	assert.EqualValues(t, 60-24, stats(t, q, 1).Borrows, "21 at once and then three at the rate are its own")
}

// TestWords: classes in the words of tc and of pf.conf.
func TestWords(t *testing.T) {
	tc := cbq.TCClass{Parent: 3, Rate: 8 * qdisc.Mbit, Bandwidth: 10 * qdisc.Mbit, Prio: 5, Allot: 3000, AvgPacket: 1000, MaxBurst: 20, MinBurst: 2, MinIdle: 7, Bounded: true, EWMA: new(6)}
	assert.Equal(t, cbq.ClassConfig{
		Parent: 3, Rate: 8 * qdisc.Mbit, Bandwidth: 10 * qdisc.Mbit, Priority: 5, Weight: 3000 * 1_000_000, AvgPacket: 1000,
		MaxBurst: 20, MinBurst: 2, MinIdle: 7, Bounded: true, EWMA: tc.EWMA,
	}, tc.Config())
	assert.EqualValues(t, cbq.DefaultAllot, cbq.TCClass{Rate: 8000}.Config().Weight, "prio 8: all weigh 1")
	assert.EqualValues(t, 7*cbq.DefaultAllot, cbq.TCClass{Rate: 8000, Weight: 7}.Config().Weight)
	assert.Equal(t, uint64(1<<50-1), cbq.TCClass{Rate: 8000, Weight: 1 << 60}.Config().Weight)

	pf := cbq.PFClass{Bandwidth: 500 * qdisc.Kbit, Borrow: true}.Config(10*qdisc.Mbit, 1500)
	assert.Equal(t, cbq.ClassConfig{Rate: 500 * qdisc.Kbit, Priority: 7, AvgPacket: 1500, MaxBurst: 4, MinIdle: 24 * time.Millisecond}, pf)
	pf = cbq.PFClass{Priority: new(7)}.Config(10*qdisc.Mbit, 0)
	assert.Equal(t, 1, pf.Priority)
	assert.Equal(t, qdisc.Kbit, pf.Rate)
	assert.True(t, pf.Bounded)
	q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Mbit})
	for _, n := range []int{-1, 8, 9} {
		cfg := cbq.PFClass{Bandwidth: 1000, Priority: &n}.Config(qdisc.Mbit, 1500)
		assert.Equal(t, []string{"Priority"}, qtest.Fields(t, q.AddClass(1, cfg, 0)), "%d", n)
	}
}

// TestTCIsTheWayBack: in the words of tc and back, a class is as it was.
func TestTCIsTheWayBack(t *testing.T) {
	for _, cfg := range []cbq.ClassConfig{
		{Rate: qdisc.Mbit, Priority: 8, Weight: 1},
		{
			Parent: 3, Rate: 5 * qdisc.Mbit, Priority: 2, Weight: 1<<50 - 1, Bounded: true, Isolated: true,
			MaxBurst: 20, MinBurst: 2, MinIdle: time.Second, Bandwidth: qdisc.Gbit, AvgPacket: 700, EWMA: new(3),
		},
	} {
		assert.Empty(t, cmp.Diff(cfg, cfg.TC().Config()))
	}
	assert.Zero(t, cbq.ClassConfig{Rate: qdisc.Mbit}.TC().Allot, "with no weight the defaults of tc count")
}
