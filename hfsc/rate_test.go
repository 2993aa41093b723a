package hfsc_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// departures sends n packets of size bytes by the wake-ups alone and returns
// the time of each.
func departures(t *testing.T, cfg hfsc.ClassConfig, compat qdisc.Compat, n int, size uint32) []qdisc.Time {
	q := newHFSC(t, hfsc.Config{Compat: compat})
	add(t, q, 1, cfg)
	start := 3 * s
	fill(t, q, 1, 2, size, start)
	times := make([]qdisc.Time, 0, n)
	now := start
	for range n {
		p := q.Dequeue(now)
		if p == nil {
			now = q.ReadyAt(now)
			p = q.Dequeue(now)
		}
		require.NotNil(t, p)
		times = append(times, now-start)
		q.Enqueue(p, now)
	}
	return times
}

// TestRates: by real time and by an upper limit, packet k leaves in the very
// nanosecond in which the k packets before it fit the rate, so that over 1e5
// departures, which take more than a second, the rate is exact to 1e-9.
func TestRates(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	for _, rate := range []qdisc.Rate{8 * qdisc.Kbit, 64 * qdisc.Kbit, 1_234_567, 10 * qdisc.Mbit, 333_333_333, qdisc.Gbit,
		10 * qdisc.Gbit, 34_359_738_360, 100 * qdisc.Gbit, 123_456_789_012, qdisc.Tbit} {
		for name, cfg := range map[string]hfsc.ClassConfig{
			"real time":   {RealTime: hfsc.Line(rate)},
			"upper limit": {LinkShare: hfsc.Line(qdisc.Gbit), UpperLimit: hfsc.Line(rate)},
		} {
			t.Run(fmt.Sprintf("%s/%v", name, rate), func(t *testing.T) {
				size := max(64, uint32(uint64(rate)/8*11/10/uint64(n)))
				times := departures(t, cfg, qdisc.Exact, n, size)
				for k, at := range times {
					bit := new(big.Int).Mul(big.NewInt(int64(k)*int64(size)), big.NewInt(8e9))
					want := bit.Div(bit, new(big.Int).SetUint64(uint64(rate))).Int64()
					require.Equal(t, want, int64(at), "packet %d", k)
				}
				last := times[n-1]
				got := float64(n-1) * float64(size) * 8e9 / float64(last)
				assert.InEpsilon(t, float64(rate), got, 1e-9)
			})
		}
	}
}

// TestLinuxRates: the reference's rounding makes its rates low, by as much as
// was measured there.
func TestLinuxRates(t *testing.T) {
	for _, tt := range []struct {
		rate qdisc.Rate
		off  float64
	}{
		{8 * qdisc.Kbit, 0}, {qdisc.Gbit, 0}, {8 * 1_250_001, -8.0e-7}, {10 * qdisc.Gbit, -9.9e-4}, {20 * qdisc.Gbit, -5.8e-3}, {8 * 4_294_967_295, -6.6e-3},
	} {
		const n, size = 20_000, 1_000_000
		times := departures(t, hfsc.ClassConfig{RealTime: hfsc.Line(tt.rate)}, qdisc.Linux, n, size)
		got := float64(n-1) * size * 8e9 / float64(times[n-1])
		assert.InDelta(t, tt.off, got/float64(tt.rate)-1, 0.02*-tt.off+1e-7, "%v", tt.rate)
	}
}

// TestCatchUp: a class that its siblings kept from using its limit catches up
// no more than is allowed; with Linux's arithmetic all.
func TestCatchUp(t *testing.T) {
	for _, tt := range []struct {
		compat  qdisc.Compat
		catchUp int64 // ns
		most    int
	}{
		{qdisc.Exact, 0, 10_000 / 8}, // less than two frames
		{qdisc.Exact, 1e9, 125_000},
		{qdisc.Linux, 0, 1_250_000},
	} {
		q := newHFSC(t, hfsc.Config{Compat: tt.compat, Limit: new(100_000)})
		cfg := q.Config()
		if tt.catchUp != 0 {
			cfg.CatchUp = 1e9
		}
		require.NoError(t, q.Change(cfg, 0))
		add(t, q, 1, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Gbit), UpperLimit: hfsc.Line(qdisc.Mbit)})
		add(t, q, 2, hfsc.ClassConfig{RealTime: hfsc.Line(10 * qdisc.Mbit)}) // the whole link
		fill(t, q, 1, 2000, 1000, 0)
		fill(t, q, 2, 12_500, 1000, 0)
		now := qdisc.Time(0)
		for q.Child(2).Len() > 0 { // 10 s on a 10 Mbit/s link
			p, at := next(t, q, now)
			now = at + qdisc.Time(p.Len)*800
		}
		held := q.Child(1).Len()
		for q.Dequeue(now) != nil {
		}
		burst := (held - q.Child(1).Len()) * 1000
		if tt.compat == qdisc.Linux {
			assert.Greater(t, burst, tt.most*9/10)
		} else {
			allowed := max(tt.most, 3028)
			assert.LessOrEqual(t, burst, allowed+1000) // and the packet that goes while there is a byte left
			assert.Greater(t, burst, allowed-1000)
		}
	}
}
