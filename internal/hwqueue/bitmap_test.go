package hwqueue

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBitmap compares searches with a look at every member, around the sizes
// where words and summaries begin.
func TestBitmap(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 128, 4095, 4096, 4097, 8192, MaxQueues} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			m, set := newBitmap(n), make([]bool, n)
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			require.Equal(t, none, m.from(0))
			require.Equal(t, none, m.from(uint32(n)))
			for step := range 300 {
				for range 1 + rng.IntN(4) {
					// Sparse at first, so that the summaries are searched.
					i := rng.IntN(n)
					if set[i] = rng.IntN(3) == 0; set[i] {
						m.add(uint32(i))
						m.add(uint32(i))
					} else {
						m.remove(uint32(i))
					}
				}
				from := rng.IntN(n + 1)
				if step%3 == 0 {
					from = n
				}
				require.Equal(t, look(set, from), m.from(uint32(from)), "from %d", from)
			}
			for i := range set {
				m.remove(uint32(i))
			}
			require.Equal(t, none, m.from(0))
			require.Zero(t, m.top)
		})
	}
}

func look(set []bool, from int) uint32 {
	for k := range set {
		if i := (from + k) % len(set); set[i] {
			return uint32(i)
		}
	}
	return none
}
