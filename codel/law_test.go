package codel_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// exactStep is interval/sqrt(n) to the nearest nanosecond, in integers:
// half of floor(sqrt(4 interval^2 / n)), rounded up.
func exactStep(interval qdisc.Time, n int64) qdisc.Time {
	x := big.NewInt(2 * int64(interval))
	x.Mul(x, x).Div(x, big.NewInt(n)).Sqrt(x)
	return qdisc.Time(x.Int64()+1) / 2
}

// linuxRoot is Linux's reciprocal root after n signals, one Newton step each.
type linuxRoot struct {
	n uint32
	r uint16
}

func (l *linuxRoot) next() {
	l.n++
	if l.n == 1 {
		l.r = 0xffff
		return
	}
	x := uint32(l.r) << 16
	square := uint32(uint64(x) * uint64(x) >> 32)
	v := 3<<32 - uint64(l.n)*uint64(square)
	v >>= 2
	l.r = uint16(v * uint64(x) >> 31 >> 16)
}

// step in ticks.
func (l *linuxRoot) step(interval uint32) uint32 {
	return uint32(uint64(interval) * uint64(uint32(l.r)<<16) >> 32)
}

// signalTimes returns when signals 1 to n come after the delay went above
// target at from.
func signalTimes(mode qdisc.Compat, from, interval qdisc.Time, n int) (at []qdisc.Time) {
	if mode == qdisc.Exact {
		now := from + interval
		for i := range n {
			at = append(at, now)
			now += exactStep(interval, int64(i+1))
		}
		return at
	}
	ticks := uint32(interval / 1000 * 1000 >> 10)
	now := from>>10 + qdisc.Time(ticks) + 1 // strictly after the interval
	var root linuxRoot
	for range n {
		at = append(at, now<<10)
		root.next()
		now += qdisc.Time(root.step(ticks))
	}
	return at
}

// The published instants in ms for an interval of 100 ms: of signal n+1 after
// the first, and the step before it.
var published = []struct {
	n                                      int
	rec                                    uint16
	linuxStep, linuxAt, exactStep, exactAt float64
}{
	{1, 65535, 99.998, 99.998, 100.000, 100.000},
	{2, 32769, 50.001, 149.999, 70.711, 170.711},
	{3, 36864, 56.249, 206.248, 57.735, 228.446},
	{4, 31968, 48.778, 255.026, 50.000, 278.446},
	{5, 28935, 44.151, 299.177, 44.721, 323.167},
	{6, 26481, 40.406, 339.583, 40.825, 363.992},
	{7, 24588, 37.517, 377.100, 37.796, 401.788},
	{8, 23037, 35.151, 412.251, 35.355, 437.144},
	{9, 21746, 33.181, 445.432, 33.333, 470.477},
	{10, 20647, 31.504, 476.936, 31.623, 502.100},
	{12, 18869, 28.791, 535.784, 28.868, 561.118},
	{16, 16360, 24.963, 640.869, 25.000, 666.399},
	{24, 13368, 20.397, 818.223, 20.412, 843.931},
	{32, 11580, 17.669, 968.361, 17.678, 994.151},
}

// TestPublishedInstants holds the arithmetic of these tests, and the queue's
// own count, against published numbers.
func TestPublishedInstants(t *testing.T) {
	const interval = 100 * ms
	exact := signalTimes(qdisc.Exact, 0, interval, 33)
	linux := signalTimes(qdisc.Linux, 0, interval, 33)
	inMs := func(t qdisc.Time) float64 { return float64(t) / 1e6 }
	var root linuxRoot
	for _, row := range published {
		for root.n < uint32(row.n) {
			root.next()
		}
		assert.Equal(t, row.rec, root.r, "reciprocal root of %d", row.n)
		assert.InDelta(t, row.linuxStep, inMs(linux[row.n]-linux[row.n-1]), 0.0015, "Linux, step %d", row.n)
		assert.InDelta(t, row.linuxAt, inMs(linux[row.n]-linux[0]), 0.0015, "Linux, signal %d", row.n+1)
		assert.InDelta(t, row.exactStep, inMs(exact[row.n]-exact[row.n-1]), 0.0005001, "exact, step %d", row.n)
		assert.InDelta(t, row.exactAt, inMs(exact[row.n]-exact[0]), 0.0005001, "exact, signal %d", row.n+1)
	}
}

// full returns a CoDel of n packets of 1000 bytes that arrived at now.
func full(t *testing.T, cfg codel.Config, n int, ds uint8, now qdisc.Time) *codel.CoDel {
	cfg.Limit = &n
	q := newCoDel(t, cfg)
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 1000, DSField: ds}, now))
	}
	return q
}

// signals returns how often q has dropped or marked.
func signals(q *codel.CoDel) int {
	return int(q.ReadStats().Drops[qdisc.AQM] + q.Stats(0).ECNMark)
}

// checkSignals dequeues a packet at the end of each unit before a signal is due
// and when it is, and wants it then and not before.
func checkSignals(t *testing.T, q *codel.CoDel, at []qdisc.Time) {
	t.Helper()
	before := signals(q)
	for i, due := range at {
		require.NotNil(t, q.Dequeue(due-1))
		require.Equal(t, before+i, signals(q), "1 ns before signal %d", i+1)
		require.NotNil(t, q.Dequeue(due))
		require.Equal(t, before+i+1, signals(q), "signal %d at %v", i+1, due)
	}
}

// TestSignalTimes: when the delay stays above target, the signals come at
// interval/sqrt(n) after the n-th, cumulated, to the nanosecond or, in Linux,
// to its tick. Drops and marks come at the same times, wherever the clock
// stands: Linux's wraps at 2^32 ticks.
func TestSignalTimes(t *testing.T) {
	for _, interval := range []qdisc.Time{ms, 10 * ms, 33_333_333, 100 * ms, s, 100 * s} {
		for _, start := range []qdisc.Time{0, 1<<31*tick - 20*ms, 1<<32*tick - 500*ms, 5<<32*tick - 50*ms, 100 * 365 * 86400 * s} {
			n := 300
			if interval > s {
				n = 100 // Linux takes a delay above half of its range for none
			}
			for _, ecn := range []bool{false, true} {
				name := fmt.Sprintf("interval=%v/start=%v/ecn=%v", interval, start, ecn)
				t.Run(name, func(t *testing.T) {
					eachMode(t, func(t *testing.T, mode qdisc.Compat) {
						start := start >> 10 << 10
						q := full(t, codel.Config{Target: time.Microsecond * 600, Interval: duration(interval), ECN: ecn, Compat: mode},
							1+2*n+n+10, qdisc.ECT0, start)
						above := start + 600*1024*us/1000
						require.NotNil(t, q.Dequeue(above))
						checkSignals(t, q, signalTimes(mode, above, interval, n))
						assert.EqualValues(t, n, q.Stats(0).Count)
						assert.EqualValues(t, 1, q.Stats(0).LastCount)
					})
				})
			}
		}
	}
}

// TestOneDequeuePerMillisecond: a drop waits for the next Dequeue, and those
// that are overdue by then come at once. The instants themselves do not slip.
func TestOneDequeuePerMillisecond(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{Compat: mode}, 5000, qdisc.NotECT, 0)
		const above = 5 * ms
		due := signalTimes(mode, above, 100*ms, 200)
		passed := 0
		for now := above; now < 2000*ms; now += ms {
			require.NotNil(t, q.Dequeue(now))
			for due[passed] <= now {
				passed++
			}
			require.Equal(t, passed, signals(q), "at %v", now)
		}
		require.Greater(t, passed, 90)
	})
}

// TestDropNext is the time left to the next signal.
func TestDropNext(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{Compat: mode}, 100, qdisc.NotECT, 0)
		require.NotNil(t, q.Dequeue(5*ms))
		due := signalTimes(mode, 5*ms, 100*ms, 3)
		assert.Zero(t, q.Stats(6*ms).DropNext, "not dropping")
		require.NotNil(t, q.Dequeue(due[0]))
		st := q.Stats(due[0])
		assert.True(t, st.Dropping)
		assert.Equal(t, due[1].Sub(due[0]), st.DropNext)
		assert.Equal(t, due[1].Sub(due[2]), q.Stats(due[2]).DropNext, "overdue")
	})
}

// TestResumes: who comes back to the dropping state soon continues with the
// signals that the last one took, after 16 intervals with one.
func TestResumes(t *testing.T) {
	const interval, k = 100 * ms, 5
	ticks := interval / 1000 * 1000 >> 10
	for _, late := range []bool{false, true} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			q := full(t, codel.Config{Compat: mode}, 100, qdisc.NotECT, 0)
			require.NotNil(t, q.Dequeue(5*ms))
			due := signalTimes(mode, 5*ms, interval, k+1)
			for _, at := range due[:k] {
				require.NotNil(t, q.Dequeue(at))
			}
			require.EqualValues(t, k, q.Stats(0).Count)
			q.Dequeue(due[k] - 1)
			next := due[k]
			// The first packet in time ends it.
			for q.Len() > 0 {
				q.Dequeue(next - 1)
			}
			require.Equal(t, k, signals(q))
			put(t, q, 1, 1000, 0, next)
			require.NotNil(t, q.Dequeue(next))
			require.False(t, q.Stats(next).Dropping)

			unit, reach := qdisc.Time(1), 16*interval
			if mode == qdisc.Linux {
				unit, reach = tick, 16*ticks*tick
			}
			enter := next + reach - unit
			if late {
				enter = next + reach
			}
			above := enter - interval
			if mode == qdisc.Linux {
				above = enter - (ticks+1)*tick
			}
			put(t, q, 50, 1000, 0, above-5*ms)
			require.NotNil(t, q.Dequeue(above))
			require.NotNil(t, q.Dequeue(enter-1))
			require.Equal(t, k, signals(q))
			require.NotNil(t, q.Dequeue(enter))
			require.Equal(t, k+1, signals(q))
			st := q.Stats(enter)
			if late {
				assert.EqualValues(t, 1, st.Count)
				assert.InDelta(t, float64(interval), float64(st.DropNext), float64(3*tick))
			} else {
				assert.EqualValues(t, k-1, st.Count, "5 signals from a count of 1")
				if mode == qdisc.Exact {
					assert.Equal(t, duration(exactStep(interval, k-1)), st.DropNext)
				} else {
					root := linuxRoot{n: k - 2} // a step from where the root of 5 was
					for l := (linuxRoot{}); l.n <= k; l.next() {
						root.r = l.r
					}
					root.next()
					assert.Equal(t, duration(qdisc.Time(root.step(uint32(ticks)))*tick), st.DropNext)
				}
			}
			assert.Equal(t, st.Count, st.LastCount)
		})
	}
}
