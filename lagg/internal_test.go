package lagg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/qdisc"
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

func into(*qdisc.Packet, qdisc.Time) qdisc.Verdict { return qdisc.Queued }

// TestDeal: after every join, leave and change of weight each slot belongs to a
// member, and each member has its quota, but for the rounding of earlier ones.
func TestDeal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g, err := New(Config{Mode: LoadBalance, Consistent: true, Slots: 4096})
	require.NoError(t, err)
	for range 300 {
		if m := g.Member(1 + r.Uint32N(20)); m == nil {
			_, err := g.Add(PortConfig{Index: 1 + uint32(g.Len()), Weight: 1 + r.Uint32N(3), Port: PortFunc(into)})
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

// TestUpdateOfNothing makes no new view and forgets nothing; and a view has only
// what its mode goes by.
func TestUpdateOfNothing(t *testing.T) {
	s, err := NewShared(Config{Mode: RoundRobin, Stride: 3})
	require.NoError(t, err)
	do := func(f func(g *Group)) *view {
		require.NoError(t, s.Update(func(g *Group) error {
			f(g)
			return nil
		}))
		return s.view.Load()
	}
	mode := func(cfg Config) *view {
		return do(func(g *Group) { require.NoError(t, g.Change(cfg, 0)) })
	}
	first := do(func(g *Group) {
		for range 4 {
			_, err := g.Add(PortConfig{Port: PortFunc(into)})
			require.NoError(t, err)
		}
	})
	require.Len(t, first.table, 4)
	require.True(t, &first.table[0] == &first.owners[0])
	s.Select(nil)
	for range 2 {
		require.True(t, first == do(func(g *Group) {
			g.SetUp(g.Member(1), true, 0)
			g.SetEnabled(g.Member(2), true)
			require.NoError(t, g.SetWeight(g.Member(3), 1))
			g.SetSpeed(g.Member(3), 5)
			g.Remove(nil, 0)
			_ = g.Change(Config{Mode: numModes}, 0)
		}))
		s.Select(nil)
	}
	require.False(t, first == do(func(g *Group) { g.SetUp(g.Member(4), false, 0) }))
	require.EqualValues(t, 2, s.Select(nil).index, "three of the first run are gone")

	v := mode(Config{Reselect: Better})
	require.Nil(t, v.table)
	require.Nil(t, v.pick.table)
	require.True(t, v == do(func(g *Group) { g.SetSpeed(g.Member(1), 5) }))
	require.False(t, v == do(func(g *Group) { g.SetPrimary(g.Member(2)) }), "another port is in use")
	v = mode(Config{Mode: LoadBalance})
	require.Nil(t, v.table)
	require.Len(t, v.pick.table, 4)
	require.Len(t, v.pick.usable, 3)
	require.Nil(t, do(func(g *Group) { g.SetUp(g.Member(4), true, 0) }).pick.usable)
	v = mode(Config{Mode: Random})
	require.Len(t, v.table, 4)
	require.Nil(t, v.alias.keep)
	v = mode(Config{Mode: Broadcast, Copy: func(p *qdisc.Packet) *qdisc.Packet { return nil }})
	require.Nil(t, v.table)
	require.EqualValues(t, 4, s.Select(nil).index)
	require.Nil(t, do(func(g *Group) {
		for m := range g.Members() {
			g.SetUp(m, false, 0)
		}
	}).active)
	require.Nil(t, s.Select(nil))
}

// TestLongestRound: 65536 ports of the largest weight and stride, of which a
// whole round cannot be sent; so the counter is set to the ends of runs.
func TestLongestRound(t *testing.T) {
	const run = MaxWeight * math.MaxUint32
	s, err := NewShared(Config{Mode: RoundRobin, Stride: math.MaxUint32})
	require.NoError(t, err)
	require.NoError(t, s.Update(func(g *Group) error {
		for range MaxPorts {
			if _, err := g.Add(PortConfig{Port: PortFunc(into), Weight: MaxWeight}); err != nil {
				return err
			}
		}
		return nil
	}))
	up := true
	for _, port := range []uint32{1, 2, 1000, 65535, 65536} {
		s.seq.Store(s.view.Load().base + uint64(port)*run - 2)
		for _, want := range []uint32{port, port, port%MaxPorts + 1, port%MaxPorts + 1} {
			require.Equal(t, want, s.Select(nil).index)
			// Another's weight changes the round, not the run in progress.
			weight := uint32(MaxWeight)
			if up = !up; !up {
				weight--
			}
			require.NoError(t, s.Update(func(g *Group) error { return g.SetWeight(g.Member(500), weight) }))
		}
	}
	s.seq.Store(s.view.Load().base - 1) // the counter has wrapped
	require.NotNil(t, s.Select(nil))
	require.EqualValues(t, 1, s.Select(nil).index)
}
