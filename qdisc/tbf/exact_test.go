package tbf_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// wide is an unsigned integer of 128 bits.
type wide struct{ hi, lo uint64 }

func mul(a, b uint64) wide { hi, lo := bits.Mul64(a, b); return wide{hi, lo} }

func (w wide) plus(v wide) wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	hi, over := bits.Add64(w.hi, v.hi, carry)
	if over != 0 {
		panic("128 bits are not enough")
	}
	return wide{hi, lo}
}

func (w wide) less(v wide) bool { return w.hi < v.hi || w.hi == v.hi && w.lo < v.lo }

func (w wide) float() float64 { return float64(w.hi)*math.Exp2(64) + float64(w.lo) }

// curve is a token bucket told another way, as a queue that the rate drains:
// work is all that was put in plus all that it could have drained while empty.
type curve struct {
	rate  uint64 // bit/s, so 1e-9 bit a nanosecond
	depth wide   // 1e-9 bit
	work  wide   // 1e-9 bit
}

// allows tells whether cost fits at t: max(work, rate*t) + cost <= rate*t + depth.
func (c *curve) allows(cost wide, t uint64) bool {
	drained := mul(c.rate, t)
	return !drained.plus(c.depth).less(c.started(drained).plus(cost))
}

func (c *curve) started(drained wide) wide {
	if c.work.less(drained) {
		return drained
	}
	return c.work
}

// take puts cost in at t. A packet that waited and did not fit at t-1 went in
// between the two, before the queue had run empty.
func (c *curve) take(cost wide, t uint64, waited bool) {
	if waited && !c.allows(cost, t-1) {
		c.work = c.work.plus(cost)
	} else {
		c.work = c.started(mul(c.rate, t)).plus(cost)
	}
}

// TestLongRun keeps the filter backlogged for up to 2.5 million packets or 100
// years, from 1 bit/s to 10 Tbit/s, follows ReadyAt and checks that every packet
// leaves at the first nanosecond that the curves allow, not one earlier or
// later, and that the rate comes out within 1e-6.
func TestLongRun(t *testing.T) {
	rates := []qdisc.Rate{1, 3, 7919, 64 * qdisc.Kbit, 999_999_937, 4_294_967_297, 10 * qdisc.Gbit, 123_456_789_013, qdisc.Tbit, 10 * qdisc.Tbit}
	for _, rate := range rates {
		for _, peak := range []qdisc.Rate{0, rate + rate/10 + 1, 3 * rate} {
			t.Run(fmt.Sprintf("rate=%v/peak=%v", rate, peak), func(t *testing.T) {
				cfg := tbf.Config{Rate: rate, PeakRate: peak, Burst: 1 << 16, MTU: 1514}
				packets := 2_500_000
				if testing.Short() {
					packets = 20_000
				}
				if peak != 0 {
					packets /= 5
				}
				longRun(t, cfg, packets)
			})
		}
	}
}

func longRun(t *testing.T, cfg tbf.Config, packets int) {
	const years100 = 100 * 365 * 24 * 3600 * s
	q := mustNew(t, cfg)
	curves := []curve{{rate: uint64(cfg.Rate), depth: mul(uint64(cfg.Burst), 8e9)}}
	if cfg.PeakRate != 0 {
		curves = append(curves, curve{rate: uint64(cfg.PeakRate), depth: mul(uint64(cfg.MTU), 8e9)})
	}
	allowed := func(cost wide, at uint64) bool {
		for i := range curves {
			if !curves[i].allows(cost, at) {
				return false
			}
		}
		return true
	}
	var now, first qdisc.Time
	var sent wide
	length := uint32(1)
	refill := func(p *qdisc.Packet) {
		length = (length*1103515245 + 12345) & math.MaxInt32
		p.Len = 40 + length>>8%1475
		q.Enqueue(p, now)
	}
	for range 4 {
		refill(new(qdisc.Packet))
	}
	held := false // since the first packet that had to wait
	for i := 0; i < packets && now < years100; i++ {
		p := q.Dequeue(now)
		waited := p == nil
		if waited {
			at := q.ReadyAt(now)
			if at <= now {
				t.Fatalf("packet %d: at %d ready at %d", i, now, at)
			}
			now = at
			if p = q.Dequeue(now); p == nil {
				t.Fatalf("packet %d: nothing at ReadyAt %d", i, now)
			}
		}
		cost := mul(uint64(p.Len), 8e9)
		if !allowed(cost, uint64(now)) || waited && allowed(cost, uint64(now)-1) {
			t.Fatalf("packet %d of %d bytes left at %d: not the first instant allowed", i, p.Len, now)
		}
		for j := range curves {
			curves[j].take(cost, uint64(now), waited)
		}
		switch {
		case held:
			sent = sent.plus(cost)
		case waited && q.ReadStats().SentBytes > 20*uint64(cfg.Burst): // the burst is used up
			held, first = true, now
		}
		refill(p)
	}
	require.True(t, held)
	got := sent.float() / float64(now-first)
	// Both ends are whole nanoseconds. With a peak bucket the instants may be
	// its doing, up to one packet off the curve of the rate.
	slack := 1e-6 + 2/float64(now-first)
	if cfg.PeakRate != 0 {
		slack += 2 * 1514 * 8e9 / sent.float()
	}
	require.InEpsilon(t, float64(cfg.Rate), got, slack)
}

// TestPeakHolds: within a burst the peak rate is as exact as the rate is
// outside it, though the bucket holds one packet only and each departure waits
// for a whole nanosecond.
func TestPeakHolds(t *testing.T) {
	for _, peak := range []qdisc.Rate{2, 64 * qdisc.Kbit, 999_999_937, 10 * qdisc.Gbit, 123_456_789_013, qdisc.Tbit} {
		q := mustNew(t, tbf.Config{Rate: peak / 2, PeakRate: peak, Burst: tbf.MaxBurst, MTU: 1500, LimitBytes: new(int64(1 << 40))})
		fill(t, q, 5000, 1500, 0)
		require.NotNil(t, q.Dequeue(0))
		var now qdisc.Time
		for n := uint64(1); q.Len() > 0; n++ {
			_, now = next(t, q, now)
			hi, lo := bits.Mul64(n*1500, 8e9)
			want, rest := bits.Div64(hi, lo, uint64(peak))
			if rest != 0 {
				want++
			}
			require.EqualValues(t, want, now, "packet %d at %v", n, peak)
		}
	}
}

// TestLargestRate: nothing overflows at the end of the range.
func TestLargestRate(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: math.MaxUint64 - 1, PeakRate: math.MaxUint64, Burst: tbf.MaxBurst, MTU: tbf.MaxBurst, LimitBytes: new(int64(math.MaxInt64))})
	fill(t, q, 20, tbf.MaxBurst, 0)
	require.NotNil(t, q.Dequeue(0))
	now := qdisc.Time(0)
	for n := 1; n < 20; n++ {
		_, now = next(t, q, now)
		require.Equal(t, n+1, int(now)*2, "8.6e18 units at 1.8e19 a nanosecond: two packets each")
		if n++; n < 20 {
			require.NotNil(t, q.Dequeue(now))
		}
	}
}

// TestNothingMintedWithinANanosecond: 1000 bytes at just under 1 Gbit/s take
// 8000.0005 ns. A packet that waits leaves at 8001 and the last half is kept;
// for one that only just arrived the full bucket had overflowed.
func TestNothingMintedWithinANanosecond(t *testing.T) {
	const rate = 999_999_937
	for _, waits := range []bool{true, false} {
		q := mustNew(t, tbf.Config{Rate: rate, PeakRate: rate + 1, Burst: 1000, MTU: 1000})
		fill(t, q, 1, 1000, 0)
		require.NotNil(t, q.Dequeue(0))
		if waits {
			fill(t, q, 1, 1000, 0)
			require.Nil(t, q.Dequeue(8000))
			require.EqualValues(t, 8001, q.ReadyAt(8000))
		} else {
			fill(t, q, 1, 1000, 8001)
		}
		require.NotNil(t, q.Dequeue(8001))
		tokens, peak, _ := q.State()
		if waits {
			require.EqualValues(t, 8001*rate-1000*unit, tokens)
			require.EqualValues(t, 8001*(rate+1)-1000*unit, peak)
		} else {
			require.Zero(t, tokens)
			require.Zero(t, peak)
		}
	}
}
