package bql

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/require"
)

// newFrom returns a limiter as New does, but for its counters: they begin at
// base instead of 0.
func newFrom(t *testing.T, cfg Config, base uint64) *Limiter {
	t.Helper()
	l, err := New(cfg)
	require.NoError(t, err)
	base <<= l.shift
	l.queued += base
	l.completed += base
	l.adjusted += base
	l.prevQueued += base
	return l
}

// TestWrap: counters that wrap make no difference, wherever they begin.
func TestWrap(t *testing.T) {
	bases := map[qdisc.Compat][]uint64{
		qdisc.Linux: {1<<32 - 1, 1<<32 - 1000, 1<<32 - 100_000_000, 1<<31 - 1000, 1 << 31},
		qdisc.Exact: {1<<64 - 1, 1<<64 - 1000, 1<<64 - 100_000_000, 1<<63 - 1000, 1 << 63, 1<<32 - 1000},
	}
	for compat, list := range bases {
		for _, base := range list {
			t.Run(fmt.Sprintf("%v from %#x", compat, base), func(t *testing.T) { compare(t, compat, base) })
		}
	}
}

// compare makes 5000 random calls of a limiter from 0 and one from base.
func compare(t *testing.T, compat qdisc.Compat, base uint64) {
	cfg := Config{HoldTime: 20e6, LimitMin: 500, StallThreshold: 3e6, Compat: compat}
	zero, other := newFrom(t, cfg, 0), newFrom(t, cfg, base)
	mask := ^uint64(0) >> zero.shift
	r := rand.New(rand.NewPCG(base, 1))
	now, wrapped := qdisc.Time(0), false
	for range 5000 {
		was := other.queued
		switch r.IntN(3) {
		case 0, 1:
			for n := r.IntN(4); n >= 0 && zero.Available() >= 0; n-- {
				size := uint32(1 + r.IntN(65_000))
				require.Equal(t, zero.QueuedAt(size, now), other.QueuedAt(size, now))
			}
		case 2:
			now += qdisc.Time(r.IntN(4_000_000))
			n := r.Int64N(zero.Inflight() + 2)
			if r.IntN(3) == 0 {
				n = zero.Inflight()
			}
			zero.Completed(uint64(n), now)
			other.Completed(uint64(n), now)
		}
		wrapped = wrapped || other.queued < was
		require.Equal(t, zero.Inflight(), other.Inflight())
		require.GreaterOrEqual(t, zero.Inflight(), int64(0))
		require.Equal(t, zero.ReadStats(), other.ReadStats())
		require.Equal(t, zero.StallCnt(), other.StallCnt())
		want := zero.State()
		want.NumQueued = (want.NumQueued + base) & mask
		want.NumCompleted = (want.NumCompleted + base) & mask
		want.AdjLimit = (want.AdjLimit + base) & mask
		want.PrevNumQueued = (want.PrevNumQueued + base) & mask
		require.Equal(t, want, other.State())
	}
	require.Equal(t, zero.State().NumQueued > mask-base, wrapped)
	require.Greater(t, zero.State().NumQueued, uint64(100_000_000), "the farthest base is passed too")
}

// TestAbove: on any pair it is the difference if that is positive
// as a signed number.
func TestAbove(t *testing.T) {
	words := []uint64{0, 1, 2, 1<<31 - 1, 1 << 31, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 1}
	for _, a := range words {
		for _, b := range words {
			want := uint64(0)
			if int64(a-b) > 0 {
				want = a - b
			}
			require.Equal(t, want, above(a, b), "%#x, %#x", a, b)
		}
	}
}
