package netsim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpans drives the set beside a bitmap.
func TestSpans(t *testing.T) {
	const size = 200
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s spans
		var bits [size]bool
		floor := 0
		for range 100 {
			lo := floor + r.IntN(size-floor)
			hi := lo + r.IntN(size-lo+1)
			if r.IntN(2) == 0 {
				hi = min(hi, lo+3)
			}
			switch r.IntN(8) {
			case 0:
				floor = min(lo, floor+20)
				clear(bits[:floor])
				s.removeBelow(uint64(floor))
			case 1, 2:
				gap := s.gap(Block{uint64(lo), uint64(hi)})
				from := lo
				for from < hi && bits[from] {
					from++
				}
				to := from
				for to < hi && !bits[to] {
					to++
				}
				require.Equal(t, Block{uint64(from), uint64(to)}, gap)
			case 3:
				b, ok := s.find(uint64(lo))
				require.Equal(t, lo < size && bits[lo], ok)
				if ok {
					require.True(t, b.Start <= uint64(lo) && uint64(lo) < b.End)
				}
			default:
				fresh := 0
				for i := lo; i < hi; i++ {
					if !bits[i] {
						fresh++
					}
					bits[i] = true
				}
				require.EqualValues(t, fresh, s.add(Block{uint64(lo), uint64(hi)}))
			}
			var want []Block
			for i := range bits {
				if bits[i] && (i == 0 || !bits[i-1]) {
					want = append(want, Block{Start: uint64(i)})
				}
				if bits[i] {
					want[len(want)-1].End = uint64(i + 1)
				}
			}
			require.ElementsMatch(t, want, s.list, "seed %d", seed)
		}
	}
}

// TestRing: entries keep their numbers while the ring grows under them.
func TestRing(t *testing.T) {
	var r tcpRing[uint64]
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		if rnd.IntN(5) < 3 {
			r.push(r.tail * 7)
		} else if r.len() > 0 {
			r.pop()
		}
		if r.len() > 0 {
			i := r.head + rnd.Uint64N(uint64(r.len()))
			require.Equal(t, i*7, *r.at(i))
		}
	}
	require.Greater(t, r.len(), 1000)
	r.clear()
	require.Zero(t, r.len())
}
