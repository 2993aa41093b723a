package bql_test

import (
	"math"
	"testing"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKnownAnswers is a worked example, a millisecond a row.
func TestKnownAnswers(t *testing.T) {
	rows := []struct {
		queued                     uint32
		completed                  uint64
		limit, available, inflight int64
	}{
		{1514, 0, 0, -1514, 1514},
		{0, 1514, 1514, 1514, 0},
		{1514, 0, 1514, 0, 1514},
		{1514, 0, 1514, -1514, 3028},
		{0, 1514, 1514, 0, 1514},
		{0, 1514, 3028, 3028, 0},
		{1514, 0, 3028, 1514, 1514},
		{1514, 0, 3028, 0, 3028},
		{0, 3028, 3028, 3028, 0},
		{1514, 0, 3028, 1514, 1514},
		{1514, 0, 3028, 0, 3028},
		{1514, 0, 3028, -1514, 4542},
		{0, 3028, 3028, 1514, 1514},
		{0, 1514, 4542, 4542, 0},
	}
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		for i, row := range rows {
			if row.queued > 0 {
				require.Equal(t, row.available, l.Queued(row.queued), "row %d", i+1)
			} else {
				l.Completed(row.completed, qdisc.Time(i+1)*ms)
			}
			got := [3]int64{l.Limit(), l.Available(), l.Inflight()}
			require.Equal(t, [3]int64{row.limit, row.available, row.inflight}, got, "row %d", i+1)
		}
	})
}

// TestShrink: slack goes after more than the hold time without starvation.
func TestShrink(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat, HoldTime: 10 * time.Millisecond})
		l.Queued(30_000)
		l.Completed(30_000, ms) // starved
		require.EqualValues(t, 30_000, l.Limit())

		// A busy device completes 1000 at a time: 28000 of the limit are slack,
		// 27000 once.
		l.Queued(8000)
		l.Completed(1000, 2*ms)
		l.Completed(1500, 5*ms)
		l.Completed(1000, 11*ms)
		require.EqualValues(t, 30_000, l.Limit(), "the hold time has just passed")
		require.EqualValues(t, 27_000, l.State().LowestSlack)
		l.Completed(1000, 12*ms)
		require.EqualValues(t, 3000, l.Limit())
		require.EqualValues(t, 3000-3500, l.Available())
	})
}

// TestHoldTimeUnits: Exact counts nanoseconds, Linux whole milliseconds.
func TestHoldTimeUnits(t *testing.T) {
	shrinksAt := func(compat qdisc.Compat, at qdisc.Time) bool {
		l := mustNew(t, bql.Config{Compat: compat, HoldTime: 10 * time.Millisecond})
		l.Queued(30_000)
		l.Completed(30_000, 1_900_000)
		l.Queued(8000)
		l.Completed(0, 1_900_000)
		l.Completed(1000, at)
		return l.Limit() < 30_000
	}
	assert.False(t, shrinksAt(qdisc.Exact, 11_900_000))
	assert.True(t, shrinksAt(qdisc.Exact, 11_900_001))
	assert.False(t, shrinksAt(qdisc.Linux, 11_999_999))
	assert.True(t, shrinksAt(qdisc.Linux, 12_000_000))
}

// TestReset: the space after a Reset is the limit; Linux's is left over.
func TestReset(t *testing.T) {
	for compat, space := range map[qdisc.Compat]int64{qdisc.Exact: 3000, qdisc.Linux: 8000 + 5000} {
		l := mustNew(t, bql.Config{Compat: compat, LimitMin: 3000})
		l.Queued(5000)
		l.Completed(5000, 7*ms)
		require.EqualValues(t, 8000, l.Limit())
		l.Reset(3 * ms)
		assert.EqualValues(t, 3000, l.Limit())
		assert.Zero(t, l.Inflight())
		assert.Equal(t, space, l.Available(), compat)
		start := map[qdisc.Compat]qdisc.Time{qdisc.Exact: 3 * ms, qdisc.Linux: 3}
		assert.EqualValues(t, start[compat], l.State().SlackStart, "Reset may set the clock back")
		l.Completed(0, 4*ms)
		assert.EqualValues(t, 3000, l.Available(), "a report clears it up")
	}
}

// TestStart: a new limiter has the space of LimitMin, Linux's none before the
// first report.
func TestStart(t *testing.T) {
	assert.EqualValues(t, 3000, mustNew(t, bql.Config{LimitMin: 3000}).Available())
	l := mustNew(t, bql.Config{LimitMin: 3000, Compat: qdisc.Linux})
	assert.Zero(t, l.Available())
	l.Completed(0, 0)
	assert.EqualValues(t, 3000, l.Available())
}

// TestChange: new bounds act at once, Linux's at the next report.
func TestChange(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		expect := func(limit, available int64) {
			t.Helper()
			if compat == qdisc.Linux {
				require.NotEqual(t, limit, l.Limit())
				l.Completed(0, ms)
			}
			require.Equal(t, [2]int64{limit, available}, [2]int64{l.Limit(), l.Available()})
		}
		l.Queued(3000)
		require.NoError(t, l.Change(bql.Config{Compat: compat, LimitMin: 5000}, ms))
		expect(5000, 2000)
		require.NoError(t, l.Change(bql.Config{Compat: compat, LimitMax: new(int64(1000))}, ms))
		expect(1000, -2000)
		require.NoError(t, l.Change(fixed(0, compat), ms))
		expect(0, -3000)
		l.Completed(3000, 2*ms)
		require.Zero(t, l.Available(), "one object at a time")
	})
}

// TestCrossedLimits: Linux takes them, and the upper one wins.
func TestCrossedLimits(t *testing.T) {
	l := mustNew(t, bql.Config{Compat: qdisc.Linux, LimitMin: 5000, LimitMax: new(int64(3000))})
	assert.EqualValues(t, 5000, l.Limit())
	l.Completed(0, ms)
	assert.EqualValues(t, 3000, l.Limit())
}

// TestTimes: none makes trouble, and one that steps back does not count.
func TestTimes(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		for _, at := range []qdisc.Time{math.MinInt64, -1, 0, qdisc.MaxTime, qdisc.Blocked, qdisc.Never} {
			l := mustNew(t, bql.Config{Compat: compat, HoldTime: ms2, StallThreshold: ms2})
			for _, then := range []qdisc.Time{at, 5 * ms, at} {
				l.QueuedAt(9000, then)
				l.Completed(1000, then)
				l.Completed(3000, then)
				require.NoError(t, l.Change(l.Config(), then))
				l.Completed(uint64(l.Inflight()), then)
				require.LessOrEqual(t, l.State().SlackStart, int64(qdisc.MaxTime))
			}
			l.Reset(at)
			require.GreaterOrEqual(t, l.State().SlackStart, int64(0))
			require.LessOrEqual(t, l.State().SlackStart, int64(qdisc.MaxTime))
		}
		l := mustNew(t, bql.Config{Compat: compat, HoldTime: ms2})
		l.Queued(30_000)
		l.Completed(30_000, 10*ms)
		l.Queued(9000)
		l.Completed(0, 0)
		l.Completed(1000, 9*ms)
		require.EqualValues(t, 30_000, l.Limit())
		l.Completed(1000, 13*ms)
		require.Less(t, l.Limit(), int64(30_000))
	})
}

const ms2 = 2 * time.Millisecond

// TestHalfTheRange: Linux takes a difference of 2^31 bytes or more for a
// negative one. (Exact has no such range to leave.)
func TestHalfTheRange(t *testing.T) {
	fill := func(compat qdisc.Compat) *bql.Limiter {
		l := mustNew(t, bql.Config{Compat: compat})
		for range 10 {
			l.Queued(bql.MaxObject)
		}
		l.Completed(9*bql.MaxObject, s)
		return l
	}
	const queued, done = 10 * bql.MaxObject, 9 * bql.MaxObject
	assert.Equal(t, bql.State{
		Available: -bql.MaxObject, NumQueued: queued, NumCompleted: done, AdjLimit: done,
		LastObjCnt: bql.MaxObject, PrevNumQueued: queued, PrevLastObj: bql.MaxObject, LowestSlack: 1<<32 - 1,
	}, fill(qdisc.Linux).State(), "not over the limit, and no slack")
	assert.Equal(t, uint64(queued), fill(qdisc.Exact).State().PrevOvlimit)
}
