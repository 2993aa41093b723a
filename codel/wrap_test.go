package codel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// The ends of Linux's 32-bit clock, which the recorded runs do not reach. Each
// case says what the default does instead.

const (
	half = 1 << 31 * tick // 36 min 39 s: what is longer counts as negative
	turn = 1 << 32 * tick // 73 min 18 s: the clock is where it was
)

// TestDelayOfHalfTheClock: Linux takes a delay of 2^31 ticks more than the
// target for one below it, until the clock has turned and it is what it looks.
func TestDelayOfHalfTheClock(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{ECN: true, Compat: mode}, 100, qdisc.ECT0, 0)
		walk := func(from qdisc.Time) int {
			before := signals(q)
			for i := range qdisc.Time(4) {
				require.NotNil(t, q.Dequeue(from+i*100*ms))
			}
			return signals(q) - before
		}
		assert.NotZero(t, walk(half-400*ms), "the longest that counts")
		long := walk(half + 5*ms)
		turned := walk(turn + 7*ms)
		short := walk(turn + s)
		if mode == qdisc.Linux {
			assert.Zero(t, long)
			assert.NotZero(t, turned, "7 ms is above target")
			assert.NotZero(t, short)
		} else {
			assert.NotZero(t, long)
			assert.NotZero(t, turned)
			assert.NotZero(t, short)
		}
	})
	q := full(t, codel.Config{Compat: qdisc.Linux}, 100, qdisc.NotECT, 0)
	for i := range qdisc.Time(40) {
		require.NotNil(t, q.Dequeue(turn+i*100*us))
	}
	assert.Zero(t, signals(q), "73 minutes and 4 ms look like 4 ms")
}

// TestLongDelay is shown as it is, though the law takes it for negative, up to
// the turn of Linux's clock.
func TestLongDelay(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		for _, wait := range []qdisc.Time{half - tick, half, half + 600*s/tick*tick, turn - tick, turn + 5*tick} {
			q := newCoDel(t, codel.Config{Compat: mode})
			put(t, q, 1, 100, 0, 0)
			require.NotNil(t, q.Dequeue(wait))
			if mode == qdisc.Linux {
				wait %= turn
			}
			assert.Equal(t, duration(wait), q.Stats(wait).Delay)
		}
	})
}

// TestThresholdThatIsOff: Linux's CE threshold is never really off, but 2^31-1
// ticks.
func TestThresholdThatIsOff(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{Compat: mode}, 100, qdisc.ECT1, 0)
		require.NotNil(t, q.Dequeue(half-1))
		assert.Zero(t, q.Stats(half).CEMark)
		p := q.Dequeue(half)
		if mode == qdisc.Linux {
			assert.EqualValues(t, 1, q.Stats(half).CEMark)
			assert.Equal(t, qdisc.CE, p.ECN())
		} else {
			assert.Zero(t, q.Stats(half).CEMark)
			assert.Equal(t, qdisc.ECT1, p.ECN())
		}
	})
}

// TestFirstAboveAtZero: Linux cannot tell the tick 0 from "not above target",
// so an interval that would end there begins again with the next packet.
func TestFirstAboveAtZero(t *testing.T) {
	const ticks = 97656
	for _, tt := range []struct {
		name  string
		above qdisc.Time // in ticks, before the clock turns
		lost  qdisc.Time // ticks by which the first drop is late
	}{
		{"a tick before", ticks + 1, 0},
		{"at 0", ticks, 50_000},
		{"a tick after", ticks - 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				above := turn - tt.above*tick
				q := full(t, codel.Config{Compat: mode}, 20, qdisc.NotECT, above-5*ms)
				require.NotNil(t, q.Dequeue(above))
				require.NotNil(t, q.Dequeue(above+50_000*tick))
				due := above + (ticks+1)*tick
				if mode == qdisc.Exact {
					due = above + 100*ms
				} else {
					due += tt.lost * tick
				}
				require.NotNil(t, q.Dequeue(due-1))
				assert.Zero(t, signals(q))
				require.NotNil(t, q.Dequeue(due))
				assert.Equal(t, 1, signals(q))
			})
		})
	}
}

// TestSixteenLongIntervals: in Linux the 16 intervals in which a dropping state
// is resumed do not fit the clock if they are long.
func TestSixteenLongIntervals(t *testing.T) {
	for _, tt := range []struct {
		interval time.Duration
		after    qdisc.Time // the time from the due signal to the next episode
		linux    uint32     // the count then
		exact    uint32
	}{
		{149 * time.Second, 200 * s, 2, 2},
		{150 * time.Second, 200 * s, 1, 2}, // 2400 s to go are more than half a turn
		{150 * time.Second, 202 * s, 2, 2},
		{280 * time.Second, 300 * s, 1, 2}, // 16 are 4480 s, less a turn 82 s
		{400 * time.Second, 600 * s, 2, 2}, // 2002 s
	} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			interval := qdisc.Time(tt.interval)
			q := full(t, codel.Config{Interval: tt.interval, Compat: mode}, 40, qdisc.NotECT, 0)
			require.NotNil(t, q.Dequeue(5*ms))
			due := signalTimes(mode, 5*ms, interval, 4)
			for _, at := range due[:3] {
				require.NotNil(t, q.Dequeue(at))
			}
			require.Equal(t, 3, signals(q))
			next := due[3]
			for q.Len() > 0 {
				q.Dequeue(next - 1)
			}
			enter := next + tt.after
			above := enter - interval - 2*tick
			put(t, q, 9, 1000, 0, max(next-1, above-5*ms))
			require.NotNil(t, q.Dequeue(max(next-1+5*ms, above)))
			enter = max(enter, next+5*ms+interval+2*tick)
			require.NotNil(t, q.Dequeue(enter))
			require.Equal(t, 4, signals(q))
			want := tt.exact
			if mode == qdisc.Linux {
				want = tt.linux
			}
			assert.Equal(t, want, q.Stats(enter).Count, "%v, %v", tt.interval, tt.after)
		})
	}
}

// TestShortTimesOfLinux: what is below a tick is none, and below a microsecond
// nothing is taken.
func TestShortTimesOfLinux(t *testing.T) {
	q := full(t, codel.Config{Target: 1999, Interval: 1023, Compat: qdisc.Linux}, 20, qdisc.NotECT, 5*tick)
	require.NotNil(t, q.Dequeue(5*tick+1023), "a delay of no tick is not below a target of none")
	assert.Zero(t, signals(q))
	require.NotNil(t, q.Dequeue(6*tick-1), "nor is any time after this one")
	assert.Zero(t, signals(q))
	require.NotNil(t, q.Dequeue(6*tick))
	assert.Equal(t, 1, signals(q))
}
