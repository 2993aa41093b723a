package tbf_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// 8 kbit/s is a byte a millisecond.
const byteAMs = 8 * qdisc.Kbit

func TestBurstThenRate(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 3000})
	fill(t, q, 6, 1000, 0)
	assert.Equal(t, 3, leave(q, 0), "the bucket starts full")
	assert.Equal(t, 1000*ms, q.ReadyAt(0))
	assert.Nil(t, q.Dequeue(1000*ms-1), "1 ns early")
	assert.NotNil(t, q.Dequeue(1000*ms))
	assert.Nil(t, q.Dequeue(1000*ms))
	assert.Equal(t, 2000*ms, q.ReadyAt(1000*ms))
	assert.Equal(t, 2, leave(q, 3600*s))
	assert.Equal(t, qdisc.Never, q.ReadyAt(3600*s))
}

func TestOverlimitsCountFailedDequeuesOfAHeldPacket(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000})
	over := func() uint64 { return q.ReadStats().Overlimits }
	require.Nil(t, q.Dequeue(0))
	require.Nil(t, q.Peek(0))
	assert.Zero(t, over(), "an empty queue holds nothing back")
	fill(t, q, 3, 1000, 0)
	require.NotNil(t, q.Dequeue(0))
	require.Nil(t, q.Dequeue(0))
	require.Nil(t, q.Peek(1))
	assert.EqualValues(t, 2, over())
	require.NotNil(t, q.Peek(s))
	require.NotNil(t, q.Peek(s))
	require.NotNil(t, q.Dequeue(s))
	assert.EqualValues(t, 2, over())
	assert.EqualValues(t, 2, q.ReadStats().Dequeued)
	assert.EqualValues(t, 2000, q.ReadStats().SentBytes)
}

func TestPeekParks(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, LimitBytes: new(int64(2000))})
	fill(t, q, 2, 1000, 0)
	p := q.Peek(0)
	require.NotNil(t, p)
	assert.Equal(t, 2, q.Len())
	assert.EqualValues(t, 2000, q.Backlog())
	assert.Zero(t, q.ReadStats().Dequeued)
	tokens, _, _ := q.State()
	assert.Zero(t, tokens, "a peeked packet has paid")
	assert.Equal(t, qdisc.Time(5), q.ReadyAt(5))
	assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1000), 5), "the parked packet has left the child")
	assert.Same(t, p, q.Peek(6))
	assert.Same(t, p, q.Dequeue(7))
	assert.Nil(t, q.Dequeue(8))
	assert.Equal(t, s, q.ReadyAt(8))
	qtest.Balanced(t, q)
}

func TestClockStepsBack(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000})
	fill(t, q, 4, 1000, 5*s)
	require.Equal(t, 1, leave(q, 5*s))
	for _, now := range []qdisc.Time{0, 4 * s, -1, 5 * s} {
		assert.Nil(t, q.Dequeue(now))
		assert.Equal(t, 6*s, q.ReadyAt(now), "no token is earned twice")
	}
	assert.Equal(t, 1, leave(q, 6*s))
	assert.Equal(t, 0, leave(q, 5*s))
	assert.Equal(t, 7*s, q.ReadyAt(0))
}

func TestPollingLosesNothing(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		q := mustNew(t, tbf.Config{Rate: 999_999_937, Burst: 1514, Compat: compat})
		fill(t, q, 100, 1514, 0)
		once := mustNew(t, tbf.Config{Rate: 999_999_937, Burst: 1514, Compat: compat})
		fill(t, once, 100, 1514, 0)
		var at qdisc.Time
		for now := qdisc.Time(0); once.Len() > 0; now++ {
			if q.Dequeue(now) != nil {
				_, at = next(t, once, at)
				require.Equal(t, at, now)
			}
		}
		require.Zero(t, q.Len())
	}
}

func TestReset(t *testing.T) {
	var drops qdisc.List
	q := mustNew(t, tbf.Config{Rate: byteAMs, PeakRate: 2 * byteAMs, Burst: 3000, MTU: 1000, Drops: &drops})
	fill(t, q, 5, 1000, 7*s)
	require.NotNil(t, q.Dequeue(7*s))
	require.NotNil(t, q.Peek(8*s))
	q.Reset(2 * s)
	assert.Zero(t, q.Len())
	assert.Zero(t, q.Backlog())
	assert.Equal(t, 4, drops.Len())
	for p := range drops.Drain() {
		assert.Equal(t, qdisc.Purged, p.Reason)
	}
	assert.Nil(t, q.Parked())
	tokens, peak, at := q.State()
	assert.Equal(t, 3000*unit, tokens)
	assert.Equal(t, 1000*unit, peak)
	assert.Equal(t, 2*s, at)
	assert.EqualValues(t, 4, q.ReadStats().Purged)
	fill(t, q, 1, 1000, 2*s)
	assert.NotNil(t, q.Dequeue(2*s), "the clock went back")
	qtest.Balanced(t, q)
}

func TestFraming(t *testing.T) {
	tests := []struct {
		name          string
		overhead      uint32
		mpu           uint32
		atm           bool
		length, costs uint32 // bytes
	}{
		{"plain", 0, 0, false, 100, 100},
		{"empty packet", 0, 0, false, 0, 0},
		{"overhead", 300, 0, false, 1500, 1800},
		{"mpu", 0, 64, false, 40, 64},
		{"mpu counts the overhead", 24, 64, false, 41, 65},
		{"one cell", 0, 0, true, 48, 53},
		{"two cells", 0, 0, true, 49, 106},
		{"no cell", 0, 0, true, 0, 0},
		{"32 cells", 0, 0, true, 1500, 1696},
		{"cells after overhead and mpu", 8, 96, true, 0, 106},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
				q := mustNew(t, tbf.Config{
					Rate: byteAMs, Burst: 2000, Overhead: tt.overhead, MPU: tt.mpu, ATM: tt.atm, Compat: compat,
				})
				before, _, _ := q.State()
				fill(t, q, 1, tt.length, 0)
				assert.EqualValues(t, tt.length, q.Backlog())
				require.NotNil(t, q.Dequeue(0))
				after, _, _ := q.State()
				perByte := unit
				if compat == qdisc.Linux {
					perByte = int64(ms)
				}
				assert.Equal(t, int64(tt.costs)*perByte, before-after)
				assert.EqualValues(t, tt.length, q.ReadStats().SentBytes)
			}
		})
	}
}

// TestBurstIsFramed: a packet of Burst bytes costs no more than the bucket
// holds, whatever the framing.
func TestBurstIsFramed(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, PeakRate: qdisc.Gbit, Burst: 1500, MTU: 1500, Overhead: 40, MPU: 64, ATM: true})
	tokens, peak, _ := q.State()
	assert.EqualValues(t, 33*53*unit, tokens)
	assert.Equal(t, tokens, peak)
	fill(t, q, 1, 1500, 0)
	assert.NotNil(t, q.Dequeue(0))
}

func TestLongWaitsSaturate(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: 1, Burst: tbf.MaxBurst, LimitBytes: new(int64(1 << 40))})
	fill(t, q, 3, tbf.MaxBurst, 0) // 272 years each
	require.Equal(t, 1, leave(q, 0))
	at := q.ReadyAt(0)
	assert.Equal(t, qdisc.Time(1<<33)*s, at)
	require.NotNil(t, q.Dequeue(at))
	require.Nil(t, q.Dequeue(at))
	assert.Equal(t, qdisc.MaxTime, q.ReadyAt(at), "out of time, not wrapped")
	require.Nil(t, q.Dequeue(qdisc.MaxTime))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(qdisc.MaxTime))
	require.Nil(t, q.Dequeue(qdisc.Never))
	qtest.Balanced(t, q)
}

// TestLongestDebt: 2^30 bytes owed and as many to come, at a bit a second, are
// 544 years.
func TestLongestDebt(t *testing.T) {
	cfg := tbf.Config{Rate: 1, Burst: tbf.MaxBurst, LimitBytes: new(int64(1 << 40))}
	q := mustNew(t, cfg)
	fill(t, q, 3, tbf.MaxBurst, 0)
	require.Equal(t, 1, leave(q, 0))
	cfg.Burst = 1
	require.NoError(t, q.Change(cfg, 0))
	_, now := next(t, q, 0)
	require.Equal(t, 8*s, now)
	cfg.Burst = tbf.MaxBurst
	require.NoError(t, q.Change(cfg, now))
	require.Nil(t, q.Dequeue(now))
	assert.Equal(t, qdisc.MaxTime, q.ReadyAt(now))
}

func TestSojourn(t *testing.T) {
	var h qdisc.Histogram
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, Sojourn: &h})
	fill(t, q, 2, 1000, 0)
	require.NotNil(t, q.Peek(0))
	require.NotNil(t, q.Dequeue(300*ms), "the wait ends when the packet is handed out")
	require.NotNil(t, q.Dequeue(s))
	assert.EqualValues(t, 2, h.Count())
	assert.Equal(t, time.Second, h.Max())
	assert.Equal(t, 650*time.Millisecond, h.Mean())
}

func TestMisusePanics(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: 1})
	assert.Panics(t, func() { q.Enqueue(nil, 0) })
	p := packet(10)
	q.Enqueue(p, 0)
	assert.Panics(t, func() { q.Enqueue(p, 0) })
}
