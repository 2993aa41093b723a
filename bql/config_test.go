package bql_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refused returns the fields that a configuration is refused for.
func refused(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	all, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%v", err)
	var names []string
	for _, e := range all.Unwrap() {
		var ce *qdisc.ConfigError
		require.True(t, errors.As(e, &ce), "%v", e)
		require.NotEmpty(t, ce.Why)
		names = append(names, ce.Field)
	}
	return names
}

func TestDefaults(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		assert.EqualValues(t, 1879048192, l.LimitMax())
		assert.Zero(t, l.LimitMin())
		assert.Zero(t, l.Limit())
		assert.Zero(t, l.Available())
		assert.Equal(t, time.Second, l.HoldTime())
		assert.Zero(t, l.StallThrs())
		assert.Equal(t, bql.Config{LimitMax: new(bql.DefaultLimitMax), HoldTime: time.Second, Compat: compat}, l.Config())
		assert.NoError(t, l.Change(l.Config(), 0))
	})
	assert.Equal(t, int64((1<<32-1)/2-(1<<32-1)/16), bql.DefaultLimitMax)
	assert.Equal(t, (1<<32-1)/16, bql.MaxObject)
}

func TestRefused(t *testing.T) {
	limit := func(n int64) *int64 { return &n }
	cases := []struct {
		name string
		cfg  bql.Config
		want []string
	}{
		{"negative", bql.Config{LimitMax: limit(-1), LimitMin: -2, HoldTime: -1, StallThreshold: -1},
			[]string{"LimitMax", "LimitMin", "HoldTime", "StallThreshold"}},
		{"crossed", bql.Config{LimitMax: limit(9), LimitMin: 10}, []string{"LimitMin"}},
		{"crossed, Linux", bql.Config{LimitMax: limit(9), LimitMin: 10, Compat: qdisc.Linux}, nil},
		{"highest", fixed(bql.MaxLimit, qdisc.Exact), nil},
		{"too high", fixed(bql.MaxLimit+1, qdisc.Exact), []string{"LimitMax", "LimitMin"}},
		{"top", fixed(math.MaxInt64, qdisc.Exact), []string{"LimitMax", "LimitMin"}},
		{"highest, Linux", fixed(bql.DefaultLimitMax, qdisc.Linux), nil},
		{"too high, Linux", fixed(bql.DefaultLimitMax+1, qdisc.Linux), []string{"LimitMax", "LimitMin"}},
		{"longest", bql.Config{HoldTime: math.MaxInt64, StallThreshold: math.MaxInt64}, nil},
		{"longest, Linux", bql.Config{HoldTime: (1<<32 - 1) * time.Millisecond, Compat: qdisc.Linux}, nil},
		{"too long, Linux", bql.Config{HoldTime: 1 << 32 * time.Millisecond, Compat: qdisc.Linux}, []string{"HoldTime"}},
		{"unknown arithmetic", bql.Config{Compat: 2}, []string{"Compat"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l, err := bql.New(c.cfg)
			assert.Equal(t, c.want, refused(t, err))
			assert.Equal(t, c.want == nil, l != nil)
			if c.cfg.Compat > qdisc.Linux {
				return
			}

			// Change refuses the same and then changes nothing.
			l = mustNew(t, bql.Config{LimitMin: 100, Compat: c.cfg.Compat})
			l.Queued(40)
			cfg, was := l.Config(), l.State()
			assert.Equal(t, c.want, refused(t, l.Change(c.cfg, s)))
			if c.want != nil {
				assert.Equal(t, cfg, l.Config())
				assert.Equal(t, was, l.State())
			}
		})
	}
}

func TestChangeOfCompat(t *testing.T) {
	l := mustNew(t, bql.Config{})
	assert.Equal(t, []string{"Compat"}, refused(t, l.Change(bql.Config{Compat: qdisc.Linux}, 0)))
	assert.Equal(t, qdisc.Exact, l.Config().Compat)
}

// TestConfigIsACopy in both directions.
func TestConfigIsACopy(t *testing.T) {
	limit := int64(5000)
	l := mustNew(t, bql.Config{LimitMax: &limit})
	limit = 1
	*l.Config().LimitMax = 2
	assert.EqualValues(t, 5000, l.LimitMax())
}
