package cake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// Errors that other implementations were reported to have; see also
// TestFlowsComeAndGo, TestLoneFlowOfAHost, TestLightFlow and TestWireLengths.

// TestOverlimitTellsTheTruth: a packet that does not fit was dropped and the
// verdict said that it was queued (Linux 15de71d06a40, CVE-2025-39766).
func TestOverlimitTellsTheTruth(t *testing.T) {
	for compat, want := range map[qdisc.Compat]qdisc.Verdict{qdisc.Exact: qdisc.Dropped, qdisc.Linux: qdisc.Congested} {
		var drops qdisc.List
		q := mustNew(t, cake.Config{MemoryLimit: 9, Drops: &drops, Compat: compat})
		for range 2 {
			assert.Equal(t, want, q.Enqueue(packet(60, 1), s))
			assert.Zero(t, q.Len())
			assert.NotNil(t, drops.Pop())
			assert.Equal(t, qdisc.Never, q.ReadyAt(s))
		}
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(9, 1), s))
		assert.Equal(t, qdisc.Congested, q.Enqueue(packet(8, 1), s), "its own queue lost the older")
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1, 2), s))
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1, 2), s), "the other queue, which is longer, lost one")
		assert.Equal(t, 2, q.Len())
	}
}

// TestLongPackets: a maximum in 16 bits wrapped (dtaht/sch_cake#70).
func TestLongPackets(t *testing.T) {
	for _, compat := range compats {
		q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Gbit, Diffserv: cake.BestEffort, Compat: compat}) // 1 ns a byte
		now := s
		for _, n := range []uint32{65536, 70000, 100} {
			require.Equal(t, qdisc.Queued, q.Enqueue(packet(n, 1), now))
		}
		var at [3]qdisc.Time
		for i := range at {
			_, at[i] = next(t, q, now)
		}
		assert.Equal(t, [3]qdisc.Time{s, s + 65536, s + 65536 + 70000}, at)
		st := q.Stats()
		assert.EqualValues(t, 70000, st.Tins[0].MaxLen)
		if compat == qdisc.Exact {
			assert.EqualValues(t, 70000, st.MaxNet)
			assert.EqualValues(t, 70000, st.MaxAdjusted)
		}
	}
}

// arrive has 1250-byte packets arrive at a rate for a time, each taken as soon
// as it may go, and returns the lowest rate that was set.
func arrive(t *testing.T, q *cake.Cake, rate qdisc.Rate, now *qdisc.Time, d time.Duration) (lowest qdisc.Rate) {
	lowest = qdisc.Tbit
	gap := qdisc.Time(1250 * 8e9 / uint64(rate))
	for end := now.Add(d); *now < end; *now += gap {
		q.Enqueue(packet(1250, uint32(*now/gap)%3), *now)
		for q.Dequeue(*now) != nil {
		}
		lowest = min(lowest, q.Config().Bandwidth)
	}
	return lowest
}

// TestAutorateIdle: an idle line is no slow one (lynxthecat/cake-autorate#23,
// #326; lynxthecat/sqm-autorate#119).
func TestAutorateIdle(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Autorate: true, Ingress: true})
	now := s
	arrive(t, q, 20*qdisc.Mbit, &now, 5*time.Second)
	before := q.Stats().Capacity
	assert.InEpsilon(t, 20e6, float64(before), 0.02)
	assert.InEpsilon(t, 20e6*15/16, float64(q.Config().Bandwidth), 0.02)

	now += 60 * s // silence, but for a ping each second
	arrive(t, q, 10*qdisc.Kbit, &now, 60*time.Second)
	now += 60 * s
	assert.Equal(t, before, q.Stats().Capacity)

	lowest := arrive(t, q, 20*qdisc.Mbit, &now, time.Second)
	assert.Greater(t, lowest, 18*qdisc.Mbit, "the first second is not throttled")
	arrive(t, q, 20*qdisc.Mbit, &now, 4*time.Second)
	assert.InEpsilon(t, float64(before), float64(q.Stats().Capacity), 0.02)
}

// TestAutorateBursts: packets that come at the same time have no gap between
// them, whose rate would have no bound.
func TestAutorateBursts(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Autorate: true, Ingress: true})
	now := s
	for range 200 { // 64 packets every 32 ms
		for i := range uint32(64) {
			q.Enqueue(packet(1250, i%3), now)
		}
		for q.Dequeue(now) != nil {
		}
		now += 32 * ms
		require.LessOrEqual(t, q.Stats().Capacity, 20*qdisc.Mbit)
	}
	assert.InEpsilon(t, 20e6*15/16, float64(q.Config().Bandwidth), 0.03)

	q = mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Autorate: true, Ingress: true})
	for range 10_000 {
		q.Enqueue(packet(1250, 1), now)
	}
	assert.Equal(t, 20*qdisc.Mbit, q.Stats().Capacity)
}

// TestAutorateFollows: a rate that falls, and rises, is followed.
func TestAutorateFollows(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 20 * qdisc.Mbit, Autorate: true, Ingress: true})
	now := s
	for _, rate := range []qdisc.Rate{20 * qdisc.Mbit, 5 * qdisc.Mbit, 50 * qdisc.Mbit} {
		arrive(t, q, rate, &now, 20*time.Second)
		assert.InEpsilon(t, float64(rate)*15/16, float64(q.Config().Bandwidth), 0.03, "%v", rate)
	}
}

// TestAutorateLinux: its clocks start at 0, the gap is capped at a second, and
// the rate is set at every gap that is longer than most.
func TestAutorateLinux(t *testing.T) {
	q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Mbit, Autorate: true, Compat: qdisc.Linux})
	now := 10 * s
	q.Enqueue(packet(1000, 1), now)
	// The gap counts as 1 s, which makes the average 250 ms. 1000 bytes in
	// 10 s are 100 bytes/s: the peak of 1e6 falls by 1e6 >> 8.
	assert.EqualValues(t, 996_094*8, q.Stats().Capacity)
	assert.EqualValues(t, 996_094*15/16*8, q.Config().Bandwidth)
	// An idle second later the average is 437 ms, and the estimate falls again.
	q.Enqueue(packet(1000, 1), now+30*s)
	assert.EqualValues(t, (996_094-996_094>>8)*8, q.Stats().Capacity)
}

// TestPartlyRefused: segments that do not fit are refused one by one.
func TestPartlyRefused(t *testing.T) {
	var drops qdisc.List
	q := mustNew(t, cake.Config{MemoryLimit: 1000, Drops: &drops, Split: func(p *qdisc.Packet, segs *qdisc.List) {
		for _, n := range []uint32{500, 2000, 400} {
			segs.Push(packet(n, p.Flow))
		}
	}})
	super := packet(2900, 1)
	super.Segs = 3
	assert.Equal(t, qdisc.Dropped, q.Enqueue(super, s), "it is longer than the memory, whole")
	super = packet(900, 1)
	super.Segs = 3
	assert.Equal(t, qdisc.Congested, q.Enqueue(super, s))
	assert.False(t, super.Linked(), "the caller has it back")
	assert.Equal(t, 2, q.Len())
	st := q.ReadStats()
	assert.EqualValues(t, 2, st.Split)
	assert.EqualValues(t, 2, st.Refused)
}

// TestParentKnowsTheLoss: one above counted a packet that was not there.
func TestParentKnowsTheLoss(t *testing.T) {
	for _, compat := range compats {
		var drops qdisc.List
		parent, err := tbf.New(tbf.Config{Rate: 8 * qdisc.Mbit, Burst: 3000, Drops: &drops})
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, parent.SetChild(1, mustNew(t, cake.Config{MemoryLimit: 9, Compat: compat}), s))
			assert.NotEqual(t, qdisc.Queued, parent.Enqueue(packet(60, 1), s))
			assert.Zero(t, parent.Len())
			assert.Nil(t, parent.Dequeue(s))
			assert.Equal(t, qdisc.Never, parent.ReadyAt(s))
			assert.NotNil(t, drops.Pop())
		}
	}
}
