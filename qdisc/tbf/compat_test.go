package tbf_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// TestLinuxDepths: bucket depths in ns that the kernel derived.
func TestLinuxDepths(t *testing.T) {
	tests := []struct {
		rate, burst, peak, mtu uint64 // bytes/s and bytes
		overhead               uint32
		depth, peakDepth       int64 // ns
	}{
		{1250000, 9262, 0, 0, 0, 7409600, 0},
		{1000, 8677, 0, 0, 0, 8677000000, 0},
		{1234567, 4216, 0, 0, 0, 3414962, 0},
		{1250000000, 336701, 0, 0, 0, 269360, 0},
		{12500000000, 263544, 45747248662, 1733, 0, 21083, 37},
		{125000, 6230, 308911, 5628, 24, 50032000, 18296532},
	}
	for _, tt := range tests {
		q := mustNew(t, tbf.Config{
			Rate: qdisc.Rate(8 * tt.rate), Burst: uint32(tt.burst), Compat: qdisc.Linux,
			PeakRate: qdisc.Rate(8 * tt.peak), MTU: uint32(tt.mtu), Overhead: tt.overhead,
		})
		depth, peak, _ := q.State()
		assert.Equal(t, tt.depth, depth)
		assert.Equal(t, tt.peakDepth, peak)
	}
}

func TestLinuxCountsWholeBytesPerSecond(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: 15, Burst: 10, Compat: qdisc.Linux})
	tokens, _, _ := q.State()
	assert.Equal(t, int64(10*s), tokens, "15 bit/s is 1 byte/s")
}

func TestFreeRefill(t *testing.T) {
	cfg := tbf.Config{Rate: byteAMs, PeakRate: 2 * byteAMs, Burst: 4000, MTU: 1000, Compat: qdisc.Linux}
	q := mustNew(t, cfg)
	fill(t, q, 9, 1000, 5*s)
	require.Equal(t, 1, leave(q, 5*s))
	cfg.Burst = 3000
	require.NoError(t, q.Change(cfg, 5*s+ms))
	tokens, peak, at := q.State()
	assert.Equal(t, int64(3*s), tokens)
	assert.Equal(t, int64(s/2), peak)
	assert.Equal(t, 5*s, at, "the time of the last departure stays")
	assert.Equal(t, 1, leave(q, 5*s+ms))
}

// TestOversizeHead: after a cut of the burst a waiting packet of 1000 bytes
// costs more than the bucket of 400 holds.
func TestOversizeHead(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		cfg := tbf.Config{Rate: byteAMs, Burst: 1000, Compat: compat}
		q := mustNew(t, cfg)
		fill(t, q, 2, 1000, 0)
		fill(t, q, 1, 400, 0)
		require.Equal(t, 1, leave(q, 0))
		cfg.Burst = 400
		require.NoError(t, q.Change(cfg, 100*ms))
		if compat == qdisc.Linux {
			require.Nil(t, q.Dequeue(100*ms))
			require.Equal(t, 700*ms, q.ReadyAt(100*ms), "what the kernel asks for")
			now := 3600 * s
			require.Nil(t, q.Dequeue(now), "and then again")
			require.Equal(t, now+600*ms, q.ReadyAt(now))
			cfg.Burst = 1000
			require.NoError(t, q.Change(cfg, now))
			require.Equal(t, 1, leave(q, now))
			continue
		}
		p, now := next(t, q, 100*ms)
		require.EqualValues(t, 1000, p.Len)
		require.Equal(t, 400*ms, now, "when 400 of 1000 bytes are earned")
		tokens, _, _ := q.State()
		require.Equal(t, -600*unit, tokens)
		_, now = next(t, q, now)
		require.Equal(t, 1400*ms, now, "1400 bytes after 1400 ms: the rate is kept")
	}
}

func TestLinuxErrorIsBelowOneNanosecond(t *testing.T) {
	for _, rate := range []qdisc.Rate{8, 64 * qdisc.Kbit, 999_999_936, 40_960 * qdisc.Mbit} {
		linux := mustNew(t, tbf.Config{Rate: rate, Burst: 1500, Compat: qdisc.Linux})
		exact := mustNew(t, tbf.Config{Rate: rate, Burst: 1500})
		fill(t, linux, 1000, 1500, 0)
		fill(t, exact, 1000, 1500, 0)
		var lt, et qdisc.Time
		for range 1000 {
			_, lt = next(t, linux, lt)
			_, et = next(t, exact, et)
		}
		assert.LessOrEqual(t, lt, et, "in favour of the sender")
		assert.Less(t, float64(et-lt), 1000+5e-10*float64(et))
	}
}
