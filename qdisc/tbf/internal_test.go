package tbf

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestCappedElapsedTime empties the peak bucket of 4 s by hand: in a pause of
// 10 s Linux gives it the depth of the main bucket, 1 s.
func TestCappedElapsedTime(t *testing.T) {
	for compat, want := range map[qdisc.Compat]int64{qdisc.Exact: 700 * unitsPerByte, qdisc.Linux: 1e9 - 5e8} {
		q, err := New(Config{Rate: 800, PeakRate: 1600, Burst: 100, MTU: 800, Compat: compat})
		require.NoError(t, err)
		q.peak.tokens = 0
		q.Enqueue(&qdisc.Packet{Len: 100}, 0)
		require.NotNil(t, q.Dequeue(10e9))
		assert.Equal(t, want, q.peak.tokens)
	}
}

// TestBucketArithmetic compares with integers of any size.
func TestBucketArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wideRand := func() uint64 { return r.Uint64() >> r.IntN(64) }
	surpluses, beyond64 := 0, 0
	for range 40_000 {
		b := bucket{gain: max(1, wideRand()), mult: unitsPerByte}
		b.depth = int64(wideRand() >> 1)
		b.most = b.depth
		b.tokens = int64(wideRand()>>1) % (b.depth + 1)
		if r.IntN(2) == 0 { // owed
			b.tokens = -int64(wideRand() >> 1)
		}
		wire := wideRand() % (maxWire + 1)
		if r.IntN(8) == 0 { // the largest debt
			wire = maxWire
			b.depth = b.cost(wire) - int64(r.Uint64N(1e9))
			b.most, b.tokens = b.depth, -b.depth
		}
		need := min(b.cost(wire), b.depth)
		earned := func(ns uint64) *big.Int { return new(big.Int).Mul(n64(ns), n64(b.gain)) }
		all := func(ns uint64) *big.Int { return earned(ns).Add(earned(ns), big.NewInt(b.tokens)) }

		first := b.wait(b.tokens, wire)
		require.GreaterOrEqual(t, all(first).Cmp(big.NewInt(need)), 0, "%+v, %d bytes", b, wire)
		if first > 0 {
			require.Negative(t, all(first-1).Cmp(big.NewInt(need)), "%+v, %d bytes", b, wire)
		}
		for _, elapsed := range []uint64{0, first, first + 1, wideRand()} {
			over := all(elapsed)
			over.Sub(over, big.NewInt(b.depth))
			want := new(big.Int)
			if over.Sign() < 0 {
				want.Set(over)
			}
			want.Add(want, big.NewInt(b.depth))
			tokens := b.after(elapsed)
			require.Zero(t, want.Cmp(big.NewInt(tokens)), "%+v after %d: %d, not %v", b, elapsed, tokens, want)

			if tokens < need || !b.brims(tokens, need) {
				continue
			}
			want.SetInt64(0)
			if elapsed == 0 || all(elapsed-1).Cmp(big.NewInt(need)) < 0 {
				want.Set(over)
				if cost := big.NewInt(b.cost(wire)); want.Cmp(cost) > 0 {
					want = cost
				}
			}
			got := b.surplus(elapsed, b.cost(wire))
			require.Zero(t, want.Cmp(big.NewInt(got)), "%+v after %d, %d bytes: %d, not %v", b, elapsed, wire, got, want)
			if got > 0 {
				surpluses++
				if earned(elapsed).BitLen() > 64 {
					beyond64++
				}
			}
		}
	}
	require.Greater(t, surpluses, 100)
	require.Greater(t, beyond64, 10)
}

// TestWireNeverOverflows: the cost of any length fits, under any framing.
func TestWireNeverOverflows(t *testing.T) {
	b := newBucket(1, maxWire, qdisc.Exact)
	for _, f := range []framing{{}, {overhead: 65535, mpu: 65535}, {overhead: 65535, atm: true}} {
		for _, length := range []uint32{0, 1, MaxBurstATM, MaxBurst, math.MaxUint32} {
			w := f.wire(length)
			require.LessOrEqual(t, w, uint64(maxWire))
			require.GreaterOrEqual(t, b.cost(w), int64(0))
			if length <= MaxBurstATM || length == MaxBurst && !f.atm {
				require.GreaterOrEqual(t, w, uint64(length)+f.overhead, "not cut")
			}
		}
	}
}

// TestLinuxScale: mult/2^shift is 1e9/rate, short by less than 2^-31 while the
// rate leaves mult its 32 bits.
func TestLinuxScale(t *testing.T) {
	for rate := uint64(1); rate < 1<<61; rate = rate*3 + 1 {
		mult, shift := linuxScale(rate)
		require.Less(t, mult, uint64(1)<<32)
		exact := new(big.Rat).SetFrac(big.NewInt(1e9), n64(rate))
		got := new(big.Rat).SetFrac(n64(mult), new(big.Int).Lsh(big.NewInt(1), uint(shift)))
		require.LessOrEqual(t, got.Cmp(exact), 0)
		if rate <= 8e9 {
			require.GreaterOrEqual(t, mult, uint64(1)<<31)
			short := new(big.Rat).Sub(exact, got)
			short.Quo(short, exact)
			require.Less(t, short.Cmp(new(big.Rat).SetFrac64(1, 1<<31)), 0)
		}
	}
}

func n64(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
