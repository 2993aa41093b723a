package tbf_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestConfigErrors(t *testing.T) {
	leaf := func() qdisc.Qdisc {
		q, err := fifo.New(fifo.Config{})
		require.NoError(t, err)
		return q
	}
	taken := mustNew(t, tbf.Config{Rate: 1})
	other := new(qdisc.List)
	tests := []struct {
		name string
		cfg  tbf.Config
		want []string
	}{
		{"no rate", tbf.Config{}, []string{"Rate"}},
		{"below a byte a second", tbf.Config{Rate: 7, Compat: qdisc.Linux}, []string{"Rate"}},
		{"slowest", tbf.Config{Rate: 1}, nil},
		{"slowest in Linux", tbf.Config{Rate: 8, Compat: qdisc.Linux}, nil},
		{"fastest", tbf.Config{Rate: math.MaxUint64}, nil},
		{"fastest in Linux", tbf.Config{Rate: math.MaxUint64, Compat: qdisc.Linux}, nil},
		{"peak without MTU", tbf.Config{Rate: 1, PeakRate: 2}, []string{"MTU"}},
		{"peak not above the rate", tbf.Config{Rate: 100, PeakRate: 100, MTU: 1}, []string{"PeakRate"}},
		{"peak less than a byte above", tbf.Config{Rate: 80, PeakRate: 87, MTU: 1, Compat: qdisc.Linux}, []string{"PeakRate"}},
		{"peak a bit above", tbf.Config{Rate: 80, PeakRate: 81, MTU: 1}, nil},
		{"MTU without peak", tbf.Config{Rate: 20000, Burst: 1500, MTU: 2048}, nil},
		{"largest burst", tbf.Config{Rate: 1, Burst: 1 << 30}, nil},
		{"burst too large", tbf.Config{Rate: 1, Burst: 1<<30 + 1}, []string{"Burst"}},
		{"largest burst with ATM", tbf.Config{Rate: 1, Burst: 1e9, ATM: true, Overhead: 65535}, nil},
		{"burst too large with ATM", tbf.Config{Rate: 1, Burst: 1e9 + 1, ATM: true}, []string{"Burst"}},
		{"MTU too large", tbf.Config{Rate: 1, PeakRate: 2, MTU: math.MaxUint32}, []string{"MTU"}},
		{"overhead too large", tbf.Config{Rate: 1, Overhead: 65536}, []string{"Overhead"}},
		{"MPU too large", tbf.Config{Rate: 1, MPU: 65536}, []string{"MPU"}},
		{"negative limit", tbf.Config{Rate: 1, LimitBytes: new(int64(-1))}, []string{"LimitBytes"}},
		{"no room at all", tbf.Config{Rate: 1, LimitBytes: new(int64(0))}, nil},
		{"own child", tbf.Config{Rate: 1, Child: leaf()}, nil},
		{"own child and limit", tbf.Config{Rate: 1, Child: leaf(), LimitBytes: new(int64(1))}, []string{"LimitBytes"}},
		{"another's child", tbf.Config{Rate: 1, Child: taken.Child(1)}, []string{"Child"}},
		{"child with its own list", tbf.Config{Rate: 1, Child: mustNew(t, tbf.Config{Rate: 1, Drops: other})}, []string{"Child"}},
		{"unknown arithmetic", tbf.Config{Rate: 1, Compat: 9}, []string{"Compat"}},
		{"all at once", tbf.Config{PeakRate: 1, Overhead: 1 << 20, MPU: 1 << 20}, []string{"Rate", "Overhead", "MPU", "MTU"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, err := tbf.New(tt.cfg)
			assert.Equal(t, tt.want, qtest.Fields(t, err))
			assert.Equal(t, err == nil, q != nil)
		})
	}
}

// TestExamplesOfTheTcTool: the option lines of the kernel's own tests of tbf
// are accepted.
func TestExamplesOfTheTcTool(t *testing.T) {
	for _, cfg := range []tbf.Config{
		{Rate: 10000, Burst: 1500, LimitBytes: new(int64(1000))},
		{Rate: 20000, Burst: 1500, LimitBytes: new(int64(1000)), MTU: 2048},
		{Rate: 20000, Burst: 1500, LimitBytes: new(int64(1000)), MTU: 1510, PeakRate: 30000},
		{Rate: 20000, Burst: 1500, LimitBytes: new(int64(20000/80 + 1500))}, // latency 100ms
		{Rate: 20000, Burst: 1500, LimitBytes: new(int64(1000)), Overhead: 300},
		{Rate: 20000, Burst: 1500, LimitBytes: new(int64(1000)), ATM: true},
	} {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			cfg.Compat = compat
			q := mustNew(t, cfg)
			got := q.Config()
			assert.Empty(t, cmp.Diff(cfg, got))
		}
	}
}

func TestConfigFillsDefaults(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: qdisc.Gbit})
	cfg := q.Config()
	assert.EqualValues(t, 250_000, cfg.Burst)
	assert.EqualValues(t, 1_514_000, *cfg.LimitBytes)
	assert.Nil(t, cfg.Child)
	*cfg.LimitBytes = 0
	assert.EqualValues(t, 1_514_000, *q.Config().LimitBytes)
	assert.NoError(t, q.Change(q.Config(), 0), "a configuration read back can be set")
}

func TestChangeIsAllOrNothing(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, LimitBytes: new(int64(5000))})
	fill(t, q, 5, 1000, 0)
	require.Equal(t, 1, leave(q, 0))
	before := q.Config()
	leaf, err := fifo.New(fifo.Config{})
	require.NoError(t, err)
	for _, tt := range []struct {
		cfg  tbf.Config
		want []string
	}{
		{tbf.Config{Rate: 1, PeakRate: 1, LimitBytes: new(int64(1))}, []string{"PeakRate", "MTU"}},
		{tbf.Config{Rate: 1, Compat: qdisc.Linux}, []string{"Rate", "Compat"}},
		{tbf.Config{Rate: 1, Child: leaf}, []string{"Child"}},
	} {
		assert.Equal(t, tt.want, qtest.Fields(t, q.Change(tt.cfg, 0)))
		assert.Empty(t, cmp.Diff(before, q.Config()))
		assert.Equal(t, s, q.ReadyAt(0))
	}
}

func TestChangeKeepsWhatWasEarned(t *testing.T) {
	cfg := tbf.Config{Rate: byteAMs, Burst: 2000}
	q := mustNew(t, cfg)
	fill(t, q, 3, 2000, 0)
	require.Equal(t, 1, leave(q, 0))
	cfg.Rate = 2 * byteAMs
	require.NoError(t, q.Change(cfg, 500*ms)) // 500 bytes at the old rate
	assert.Equal(t, 500*ms, q.ReadyAt(500*ms), "the stored time is forgotten")
	tokens, _, at := q.State()
	assert.Equal(t, 500*unit, tokens)
	assert.Equal(t, 500*ms, at)
	_, now := next(t, q, 500*ms)
	assert.Equal(t, 1250*ms, now)

	cfg.Burst = 100 // what exceeds the new depth is lost
	require.NoError(t, q.Change(cfg, now+s))
	tokens, _, _ = q.State()
	assert.Equal(t, 100*unit, tokens)
	cfg.Burst = 2000
	require.NoError(t, q.Change(cfg, now+s))
	tokens, _, _ = q.State()
	assert.Equal(t, 100*unit, tokens, "and none comes back")
}

func TestChangeOfPeak(t *testing.T) {
	cfg := tbf.Config{Rate: byteAMs, Burst: 10000}
	q := mustNew(t, cfg)
	fill(t, q, 8, 1000, 0)
	cfg.PeakRate, cfg.MTU = 4*byteAMs, 1000
	require.NoError(t, q.Change(cfg, 0))
	require.Equal(t, 1, leave(q, 0), "a new peak bucket starts full")
	require.Equal(t, 250*ms, q.ReadyAt(0))
	cfg.PeakRate = 8 * byteAMs
	require.NoError(t, q.Change(cfg, 100*ms)) // 400 bytes earned, 600 to go
	require.Equal(t, 0, leave(q, 100*ms))
	require.Equal(t, 175*ms, q.ReadyAt(100*ms))
	cfg.PeakRate = 0
	require.NoError(t, q.Change(cfg, 100*ms))
	require.Equal(t, 7, leave(q, 100*ms))
	_, peak, _ := q.State()
	require.Zero(t, peak)
}

func TestChangeOfLimit(t *testing.T) {
	cfg := tbf.Config{Rate: byteAMs, Burst: 1000, LimitBytes: new(int64(3000))}
	q := mustNew(t, cfg)
	fill(t, q, 3, 1000, 0)
	cfg.LimitBytes = new(int64(1000))
	require.NoError(t, q.Change(cfg, 0))
	assert.Equal(t, 3, q.Len(), "a lower limit drops nothing held")
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1), 0))
	cfg.LimitBytes = nil
	require.NoError(t, q.Change(cfg, 0))
	fill(t, q, 1000, 1000, 0)
}
