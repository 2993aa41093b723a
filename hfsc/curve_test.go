package hfsc

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestDelayCurve: the conversions of tc-testing 846a, 9312, 0289 and 5413, and
// the edges of the rule.
func TestDelayCurve(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		umax uint32
		dmax time.Duration
		rate qdisc.Rate
		want Curve
	}{
		{1540, 5 * ms, 10 * qdisc.Kbit, Curve{2464 * qdisc.Kbit, 5 * ms, 10 * qdisc.Kbit}},
		{0, 0, 20 * qdisc.Kbit, Line(20 * qdisc.Kbit)},
		{160, 5 * ms, 64 * qdisc.Kbit, Curve{256 * qdisc.Kbit, 5 * ms, 64 * qdisc.Kbit}},
		{1000, 3 * ms, 1, Curve{8 * 333334, 3 * ms, 1}},                        // M1 rounded up to a byte/s
		{1000, time.Second, 8 * 2000, Curve{0, 500 * ms, 8 * 2000}},            // convex
		{1000, time.Second, 24000, Curve{0, 666667 * time.Microsecond, 24000}}, // D rounded up to 1 us
		{1000, time.Second, 8000, Curve{0, 0, 8000}},                           // exactly the rate
		{math.MaxUint32, 40 * time.Second, qdisc.Gbit, Curve{0, 5640262 * time.Microsecond, qdisc.Gbit}},
		{math.MaxUint32, 1, 1, Curve{math.MaxUint64 - 7, 1, 1}},
		{0, ms, 0, Curve{}},
	} {
		assert.Equal(t, tt.want, DelayCurve(tt.umax, tt.dmax, tt.rate), "%d %v %v", tt.umax, tt.dmax, tt.rate)
	}
}

// bigWhen is the time of y bytes on a curve from (0, 0), with all its bits,
// rounded down; below 0 if there is none.
func bigWhen(c Curve, y uint64) *big.Int {
	bit := new(big.Int).Mul(new(big.Int).SetUint64(y), big.NewInt(nsPerByte))
	first := new(big.Int).Mul(new(big.Int).SetUint64(uint64(c.M1)), big.NewInt(int64(c.D)))
	at, r := new(big.Int), c.M1
	if bit.Cmp(first) > 0 {
		bit.Sub(bit, first)
		at.SetInt64(int64(c.D))
		r = c.M2
	}
	if r == 0 {
		return big.NewInt(-1)
	}
	return at.Add(at, bit.Quo(bit, new(big.Int).SetUint64(uint64(r))))
}

// TestExactTimes compares with arithmetic of any width, at all rates.
func TestExactTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := newScale(qdisc.Exact)
	rate := func() qdisc.Rate { return qdisc.Rate(rng.Uint64() >> rng.IntN(64)) }
	for range 200_000 {
		c := Curve{rate(), time.Duration(rng.Int64N(1 << 40)), max(1, rate())}
		if hi := float64(c.M1) * float64(c.D) / nsPerByte; hi > 1<<60 {
			continue
		}
		y := rng.Uint64() >> (4 + rng.IntN(60))
		want := bigWhen(c, y)
		v := s.curve(c)
		if !v.given {
			continue
		}
		var r runtime
		r.begin(&s, &v, 0, 0)
		got := r.when(y)
		switch {
		case y == 0: // the end of an empty first piece
		case !want.IsUint64():
			require.EqualValues(t, uint64(inf), got, "%v at %d", c, y)
		case want.Sign() >= 0:
			diff := math.Abs(float64(int64(got - want.Uint64())))
			require.LessOrEqual(t, diff, 2+float64(want.Uint64())*0x1p-60, "%v at %d: %d, not %v", c, y, got, want)
			// And back: the curve has y bytes then, within one.
			if got > v.dx && got < 1<<62 {
				n := r.amount(&v, got+1)
				require.LessOrEqual(t, float64(y-1), float64(n)*(1+0x1p-30), "%v at %d", c, y)
			}
		}
	}
}

// TestLineIsRoundedDown: on a line every time is the exact one, rounded down,
// unless the amount is huge.
func TestLineIsRoundedDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	s := newScale(qdisc.Exact)
	for range 200_000 {
		c := Line(8000 + qdisc.Rate(rng.Uint64()>>(24+rng.IntN(40))))
		y := 1 + rng.Uint64N(1<<22)
		v := s.curve(c)
		var r runtime
		r.begin(&s, &v, 0, 0)
		require.Equal(t, bigWhen(c, y).Uint64(), r.when(y), "%v at %d", c, y)
	}
}

// TestSweep: slopes at powers of 2, whose differences once were kept in 32
// bits and divided by as 0 (CVE-2026-31423): nothing panics in either mode, an
// idle class may come back, and the curve never runs backwards.
func TestSweep(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		s := newScale(compat)
		for k := range 64 {
			for _, m1 := range []qdisc.Rate{1<<k - 1, 1 << k} {
				for _, m2 := range []qdisc.Rate{0, 1, m1 - 1, m1} {
					if compat == qdisc.Linux {
						m1, m2 = m1&(1<<35-1), m2&(1<<35-1)
					}
					v := s.curve(Curve{m1, time.Millisecond, m2})
					if !v.given {
						continue
					}
					var r runtime
					r.begin(&s, &v, 0, 0)
					y := uint64(0)
					for x := uint64(1); x < 1<<40; x *= 3 {
						r.lower(&s, &v, x, y)
						y += 64
						if at := r.when(y); compat == qdisc.Exact {
							require.GreaterOrEqual(t, at, r.x)
						}
					}
				}
			}
		}
	}
}

// TestLowerIsTheMinimum: after an idle time the runtime curve is the lower of
// the old one and the new one, at every amount.
func TestLowerIsTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	s := newScale(qdisc.Exact)
	for range 20_000 {
		c := Curve{qdisc.Rate(1e6 + rng.Uint64N(1e9)), time.Duration(rng.Int64N(1e8)), qdisc.Rate(1e6 + rng.Uint64N(1e9))}
		if c.M1 < c.M2 {
			c.M1, c.M2 = c.M2, c.M1
		}
		v := s.curve(c)
		var old runtime
		old.begin(&s, &v, 0, 0)
		x, y := rng.Uint64N(2e8), rng.Uint64N(1e7)
		var fresh runtime
		fresh.begin(&s, &v, x, y)
		got := old
		got.lower(&s, &v, x, y)
		for range 20 {
			at := y + 1 + rng.Uint64N(1e7)
			want := max(old.when(at), fresh.when(at)) // the lower curve is the later time
			byteTime := nsPerByte/float64(c.M2) + 2
			require.InDelta(t, float64(want), float64(got.when(at)), 2*byteTime, "%v begun at (%d, %d), at %d", c, x, y, at)
		}
	}
}

// TestOriginFollows: amounts beyond 2^62 bytes, and a counter that wraps.
func TestOriginFollows(t *testing.T) {
	for _, c := range []Curve{Line(qdisc.Tbit), {2 * qdisc.Tbit, time.Second, qdisc.Tbit}, {qdisc.Gbit, time.Second, qdisc.Tbit}} {
		s := newScale(qdisc.Exact)
		v := s.curve(c)
		var r runtime
		const start = math.MaxUint64 - 5000
		r.begin(&s, &v, 0, start)
		y, total := uint64(start), new(big.Int)
		for range 12 { // 2^63 bytes in steps: years of service
			y += 1 << 61
			total.Add(total, big.NewInt(1<<61))
			at, line := r.when(y), r.eligible(y)
			want := new(big.Int).Mul(total, big.NewInt(8)) // 1e9 ns for 1e12/8 bytes
			want.Div(want, big.NewInt(1000))
			if !want.IsUint64() {
				break
			}
			assert.InDelta(t, float64(want.Uint64()), float64(at), 2e9)
			assert.LessOrEqual(t, line, at)
			next := r.when(y + 125)
			assert.InDelta(t, 1, float64(next-at), 1)
		}
	}
}
