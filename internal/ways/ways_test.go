package ways_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/ways"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// call is a Find and its answer. The slot is then in use.
type call struct {
	hash uint32
	home int
	slot int
	want ways.Match
}

func find(t *testing.T, table *ways.Table, calls ...call) {
	t.Helper()
	for i, c := range calls {
		had := table.Has(c.hash, c.home)
		slot, m := table.Find(c.hash, c.home)
		require.Equal(t, c.slot, slot, "call %d: %+v", i, c)
		require.Equal(t, c.want, m, "call %d: %+v", i, c)
		require.Equal(t, m == ways.Direct, had, "call %d: %+v", i, c)
		table.Take(slot)
	}
}

func TestHome(t *testing.T) {
	table := ways.New(32)
	find(t, table,
		call{100, 13, 13, ways.Miss},
		call{100, 13, 13, ways.Direct},
		call{100, 13, 13, ways.Direct},
		call{200, 31, 31, ways.Miss},
	)
}

// TestOrderOfTheSearch: from home on, and round in the set, never beyond.
func TestOrderOfTheSearch(t *testing.T) {
	for home := range 24 {
		table := ways.New(24)
		for i := range ways.Ways {
			want := home/8*8 + (home+i)%8
			find(t, table, call{uint32(1000 + i), home, want, ways.Miss})
		}
		for i := range ways.Ways {
			want, m := home/8*8+(home+i)%8, ways.Hit
			if i == 0 {
				m = ways.Direct
			}
			find(t, table, call{uint32(1000 + i), home, want, m})
		}
		find(t, table, call{2000, home, home, ways.Collision})
	}
}

// TestCollisionStaysAtHome: with all taken two flows share the home of the
// newer one. It stays the older one's, until it is given to the newer.
func TestCollisionStaysAtHome(t *testing.T) {
	table := ways.New(16)
	for i := range ways.Ways {
		find(t, table, call{uint32(100 + i), 8 + i, 8 + i, ways.Miss})
	}
	find(t, table,
		call{200, 11, 11, ways.Collision},
		call{103, 11, 11, ways.Direct},
		call{200, 11, 11, ways.Collision},
		call{300, 3, 3, ways.Miss}, // the other set is free
	)
	table.Give(11, 200)
	find(t, table,
		call{200, 11, 11, ways.Direct},
		call{103, 11, 11, ways.Collision},
	)
}

// TestReturn: a flow gets the slot that it had last, until another takes it,
// and is preferred to a free home.
func TestReturn(t *testing.T) {
	table := ways.New(16)
	find(t, table,
		call{1, 2, 2, ways.Miss},
		call{2, 2, 3, ways.Miss},
	)
	table.Free(2)
	table.Free(3)
	find(t, table, call{2, 2, 3, ways.Hit}, call{1, 2, 2, ways.Hit})
	table.Free(3)
	find(t, table, call{3, 3, 3, ways.Miss}, call{2, 2, 4, ways.Miss})
	table.Free(2)
	table.Free(3)
	table.Free(4)
	find(t, table, call{4, 2, 2, ways.Miss}, call{1, 2, 3, ways.Miss})
}

// TestFreedWayIsFound wherever it is in the set.
func TestFreedWayIsFound(t *testing.T) {
	for freed := range ways.Ways {
		for home := range ways.Ways {
			table := ways.New(8)
			for i := range ways.Ways {
				find(t, table, call{uint32(100 + i), i, i, ways.Miss})
			}
			table.Free(freed)
			find(t, table, call{500, home, freed, ways.Miss})
			find(t, table, call{600, home, home, ways.Collision})
		}
	}
}

// TestFindWithoutTake: a flow that was found a slot and then not admitted has
// the slot's name, but not its place.
func TestFindWithoutTake(t *testing.T) {
	table := ways.New(8)
	slot, m := table.Find(7, 5)
	assert.Equal(t, 5, slot)
	assert.Equal(t, ways.Miss, m)
	assert.False(t, table.Has(7, 5))
	slot, m = table.Find(8, 5)
	assert.Equal(t, 5, slot)
	assert.Equal(t, ways.Miss, m)
}

func TestReset(t *testing.T) {
	table := ways.New(16)
	for i := range 16 {
		find(t, table, call{uint32(100 + i), i, i, ways.Miss})
	}
	table.Reset()
	for i := range 16 {
		find(t, table, call{uint32(100 + i), i ^ 1, i ^ 1, ways.Miss})
	}
}

// TestFreshSlots: one that nobody had matches the hash 0, or in NewModulo none.
func TestFreshSlots(t *testing.T) {
	find(t, ways.New(16), call{0, 0, 0, ways.Hit})
	for _, slots := range []int{16, 24, 40, 1024} {
		table := ways.NewModulo(slots)
		for range 2 {
			for i := range slots {
				find(t, table, call{uint32(i), i, i, ways.Miss})
				table.Free(i)
			}
			table.Reset()
		}
		for i := range 2 * slots { // all hashes that a fresh slot could have
			_, m := table.Find(uint32(i), i%slots)
			require.Equal(t, ways.Miss, m, "hash %d of %d", i, slots)
			table.Reset()
		}
	}
}

// TestNS3 is ns-3's case of its fq-codel: home is the hash modulo 1024. The
// deviation: with the set full ns-3 takes its first way, we stay at home.
func TestNS3(t *testing.T) {
	table := ways.NewModulo(1024)
	for i := range ways.Ways {
		find(t, table, call{uint32(i), i, i, ways.Miss})
	}
	find(t, table,
		call{1, 1, 1, ways.Direct},
		call{1024, 0, 0, ways.Collision},
		call{1025, 1, 1, ways.Collision}, // 0 in ns-3
		call{10, 10, 10, ways.Miss},
	)
}

func TestNoAllocation(t *testing.T) {
	table := ways.New(64)
	n := 0
	assert.Zero(t, qdisctest.Mallocs(func() {
		for i := range uint32(100_000) {
			h := i * 0x9e3779b1
			slot, _ := table.Find(h, int(h>>26))
			table.Take(slot)
			table.Free(int(h >> 20 & 63))
			n += slot
		}
		table.Reset()
	}))
	assert.NotZero(t, n)
}
