package qdisc_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestHistogram compares quantiles with those of the sorted durations: never
// below, and at most 1/32 above.
func TestHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	draws := map[string]func() time.Duration{
		"small":       func() time.Duration { return time.Duration(rng.IntN(70)) },
		"uniform":     func() time.Duration { return time.Duration(rng.Int64N(1e9)) },
		"all scales":  func() time.Duration { return time.Duration(rng.Int64() >> rng.IntN(63)) },
		"exponential": func() time.Duration { return time.Duration(rng.ExpFloat64() * 1e6) },
		"constant":    func() time.Duration { return 123456789 },
	}
	for name, draw := range draws {
		for _, n := range []int{1, 2, 3, 10, 1000} {
			var h qdisc.Histogram
			sorted := make([]time.Duration, n)
			sum := 0.0
			for i := range sorted {
				sorted[i] = draw()
				sum += float64(sorted[i])
				h.Record(sorted[i])
			}
			slices.Sort(sorted)
			for _, q := range []float64{0, .01, .1, .25, .5, .75, .9, .99, .999, 1} {
				exact := sorted[max(0, int(math.Ceil(q*float64(n)))-1)]
				got := h.Quantile(q)
				assert.GreaterOrEqual(t, got, exact, "%s, n %d, q %v", name, n, q)
				assert.LessOrEqual(t, float64(got), float64(exact)*(1+1./32), "%s, n %d, q %v", name, n, q)
			}
			assert.Equal(t, sorted[n-1], h.Max())
			assert.Equal(t, uint64(n), h.Count())
			assert.InEpsilon(t, sum/float64(n)+1, float64(h.Mean())+1, 1e-9+1/(sum/float64(n)+1))
			assert.Equal(t, h.Max(), h.Quantile(2))
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	var h qdisc.Histogram
	assert.Zero(t, h.Quantile(.5))
	assert.Zero(t, h.Mean())
	for range h.Buckets() {
		t.Error("an empty histogram has no buckets")
	}
	h.Record(-5)
	assert.Zero(t, h.Max())
	h.Record(math.MaxInt64)
	assert.Equal(t, time.Duration(math.MaxInt64), h.Quantile(1))
	assert.Zero(t, h.Quantile(-1))
	assert.NotPanics(t, func() { h.Quantile(math.NaN()) })
}

// TestHistogramBuckets: the buckets hold all that was recorded, each duration
// in the first bucket that reaches it; a sum of histograms holds both.
func TestHistogramBuckets(t *testing.T) {
	var h, o, both qdisc.Histogram
	rng := rand.New(rand.NewPCG(2, 8))
	var all []time.Duration
	for i := range 2000 {
		d := time.Duration(rng.Int64() >> rng.IntN(63))
		all = append(all, d)
		both.Record(d)
		if i%3 == 0 {
			h.Record(d)
		} else {
			o.Record(d)
		}
	}
	h.Add(&o)
	assert.Equal(t, both.Count(), h.Count())
	assert.Equal(t, both.Max(), h.Max())
	assert.InEpsilon(t, float64(both.Mean()), float64(h.Mean()), 1e-9)

	below := time.Duration(-1)
	for upper, n := range h.Buckets() {
		require.Greater(t, upper, below)
		want := uint64(0)
		for _, d := range all {
			if d > below && d <= upper {
				want++
			}
		}
		assert.Equal(t, want, n, "up to %v", upper)
		below = upper
	}
	assert.GreaterOrEqual(t, below, h.Max())
	for range h.Buckets() {
		break
	}
}
