package codel

import (
	"math"
	"math/big"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestFlowIsACacheLine of the machines where that matters.
func TestFlowIsACacheLine(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		assert.LessOrEqual(t, unsafe.Sizeof(flow{}), uintptr(64))
		return
	}
	assert.EqualValues(t, 64, unsafe.Sizeof(flow{}))
}

// lawOf returns the law of an interval.
func lawOf(interval time.Duration, mode qdisc.Compat) *law {
	p := params{interval: interval, compat: mode}
	var errs qdisc.ConfigErrors
	p.check(&errs)
	l := new(law)
	l.set(&p)
	return l
}

// TestNewtonStep has ns-3's case of the reciprocal root: published roots times
// counts, against the formula r (3 - n r^2) / 2 in 16 bits.
func TestNewtonStep(t *testing.T) {
	l := lawOf(100*time.Millisecond, qdisc.Linux)
	for _, root := range []uint16{255, 127, 63, 31, 15, 7, 3, 1, 0, 65535, 46341} {
		for count := uint32(1); count != 0; count *= 2 {
			x := uint64(root) << 16
			square := new(big.Int).Rsh(new(big.Int).SetUint64(x*x), 32).Uint64()
			v := uint64(3)<<32 - uint64(count)*square // in 64 bits, as they wrap
			want := uint16((v >> 2) * x >> 31 >> 16)
			f := &flow{count: count, root: root}
			l.newton(f)
			require.Equal(t, want, f.root, "root %d, count %d", root, count)
		}
	}
	f := &flow{count: 4, root: 7}
	lawOf(100*time.Millisecond, qdisc.Exact).newton(f)
	assert.EqualValues(t, 7, f.root, "the default does not use it")
}

// TestControlLaw has ns-3's case of the control law: instants from 0 to 20 s
// with the same roots.
func TestControlLaw(t *testing.T) {
	l := lawOf(100*time.Millisecond, qdisc.Linux)
	require.EqualValues(t, 97656, l.interval>>32)
	for at := time.Duration(0); at <= 20*time.Second; at += 100 * time.Millisecond {
		for _, root := range []uint16{255, 127, 63, 31, 15, 7, 3, 1} {
			from := uint32(at >> 10)
			got := l.ticks(qdisc.Time(at)) + l.step(&flow{root: root})
			require.Zero(t, uint32(got), "whole ticks")
			require.Equal(t, from+uint32(uint64(97656)*(uint64(root)<<16)>>32), uint32(got>>32))
		}
	}
}

// TestStep compares interval/sqrt(n) with integer arithmetic, for counts up to
// the largest.
func TestStep(t *testing.T) {
	nearest := func(interval time.Duration, n uint32) qdisc.Time {
		x := big.NewInt(2 * int64(interval))
		x.Mul(x, x).Div(x, big.NewInt(int64(n))).Sqrt(x)
		return qdisc.Time(x.Int64()+1) / 2 // half of floor(2 interval/sqrt(n)), rounded up
	}
	for _, interval := range []time.Duration{1, 2, 3, 999, 99_999_999, 100 * time.Millisecond, time.Second, 7_777_777_777} {
		l := lawOf(interval, qdisc.Exact)
		for n := uint32(1); n < 1<<31; n += n/100 + 1 {
			require.Equal(t, nearest(interval, n), l.step(&flow{count: n}), "%v, count %d", interval, n)
		}
		require.Equal(t, nearest(interval, math.MaxUint32), l.step(&flow{count: math.MaxUint32}))
	}
	// A float64 has 53 bits: with the longest interval the last of them can
	// turn a half.
	l := lawOf(MaxDuration, qdisc.Exact)
	for n := uint32(1); n < 1<<31; n += n/100 + 1 {
		require.InDelta(t, int64(nearest(MaxDuration, n)), int64(l.step(&flow{count: n})), 1, "count %d", n)
	}
}

// TestCountStops at its largest value.
func TestCountStops(t *testing.T) {
	f := &flow{count: math.MaxUint32 - 5}
	f.add(3)
	assert.Equal(t, uint32(math.MaxUint32-2), f.count)
	f.add(3)
	assert.Equal(t, uint32(math.MaxUint32), f.count)
	f.add(math.MaxInt)
	assert.Equal(t, uint32(math.MaxUint32), f.count)
}
