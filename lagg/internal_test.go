package lagg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReciprocal against the processor's division, at the edges and anywhere.
func TestReciprocal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range uint(20_000) {
		d := r.Uint64()>>(i%63+1) | 1
		if i%3 == 0 {
			d = 1<<(i%62) + i3(i)
		}
		rec := reciprocalOf(d)
		x := r.Uint64() >> (i/64%63 + 1)
		multiple := x / d * d
		for _, x := range []uint64{0, 1, d - 1, d, x, multiple, max(multiple, 1) - 1, math.MaxInt64, math.MaxInt64 / d * d} {
			require.Equal(t, x/d, rec.div(x), "%d / %d", x, d)
			require.Equal(t, x%d, rec.mod(x), "%d mod %d", x, d)
		}
	}
}

// i3 varies a power of two.
func i3(i uint) uint64 { return []uint64{0, 1, 2}[i/3%3] }

// TestModulus against the processor's, for 32-bit numbers.
func TestModulus(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= MaxPorts; n += 1 + n/50 {
		var b balancer
		b.use(make([]*Member, n), false)
		for _, h := range []uint32{0, 1, uint32(n) - 1, uint32(n), math.MaxUint32, math.MaxUint32 / uint32(n) * uint32(n), r.Uint32(), r.Uint32()} {
			require.Equal(t, uint64(h%uint32(n)), b.slot(h), "%d mod %d", h, n)
		}
	}
}

// TestDeal: after every join, leave and change of weight each slot belongs to a
// member, and each member has its quota, but for the rounding of earlier ones.
func TestDeal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g, err := New(Config{Mode: LoadBalance, Consistent: true, Slots: 4096})
	require.NoError(t, err)
	for range 300 {
		if m := g.Member(1 + r.Uint32N(20)); m == nil {
			_, err := g.Add(PortConfig{Index: 1 + uint32(g.Len()), Weight: 1 + r.Uint32N(3), Port: PortFunc(nil)})
			if err != nil { // the index is taken
				continue
			}
		} else if r.IntN(3) == 0 {
			require.NoError(t, g.SetWeight(m, 1+r.Uint32N(3)))
		} else {
			g.Remove(m, 0)
		}
		g.rebuild()
		had := map[*Member]int{}
		for _, m := range g.dealt {
			had[m]++
		}
		if g.Len() == 0 {
			continue
		}
		weights, sum := 0, 0
		for m := range g.Members() {
			weights += int(m.weight)
		}
		for m := range g.Members() {
			sum += had[m]
			require.InDelta(t, float64(4096*int(m.weight))/float64(weights), had[m], 20)
		}
		require.Equal(t, 4096, sum, "all slots are members'")
	}
}
