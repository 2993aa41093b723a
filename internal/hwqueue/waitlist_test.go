package hwqueue

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestWaitlist compares the heap with a map.
func TestWaitlist(t *testing.T) {
	const n = 50
	l, want := newWaitlist(n), map[uint32]qdisc.Time{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		i := rng.Uint32N(n)
		if due, ok := want[i]; ok {
			require.True(t, l.waits(i))
			require.Equal(t, due, l.due(i))
			l.remove(i)
			delete(want, i)
		} else {
			require.False(t, l.waits(i))
			want[i] = qdisc.Time(rng.Int64N(30)) // many equal ones
			l.add(i, want[i])
		}
		first := qdisc.Never
		for _, due := range want {
			first = min(first, due)
		}
		require.Equal(t, first, l.first())
		require.Len(t, l.heap, len(want))
	}
	for last := qdisc.Time(-1); len(l.heap) > 0; last = l.first() {
		require.GreaterOrEqual(t, l.first(), last)
		l.remove(l.heap[0].queue)
	}
}
