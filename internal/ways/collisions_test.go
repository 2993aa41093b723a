package ways_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/internal/ways"
)

const slots = 1024

// shared returns how many of n flows with random hashes share a slot with
// another: by their home alone, and with the table.
func shared(rng *rand.Rand, n int) (plain, associative int) {
	table := ways.New(slots)
	homes, found := map[int]int{}, map[int]int{}
	for range n {
		hash := rng.Uint32()
		home := int(uint64(hash) * slots >> 32)
		slot, _ := table.Find(hash, home)
		table.Take(slot)
		homes[home]++
		found[slot]++
	}
	count := func(users map[int]int) (n int) {
		for _, k := range users {
			if k > 1 {
				n += k
			}
		}
		return n
	}
	return count(homes), count(found)
}

// TestCollisions compares with the computed chances: of n flows on 1024 queues,
// the part that shares one; and in sets of 8, how many find theirs full.
func TestCollisions(t *testing.T) {
	for _, tt := range []struct {
		flows    int
		plain    float64 // percent of the flows
		overflow float64 // flows
	}{
		{8, 0.68, 0},
		{32, 2.98, 0},
		{100, 9.22, 0},
		{200, 17.7, 0.005},
		{300, 25.3, 0.11},
		{500, 38.6, 3.6},
		{700, 49.5, 24.9},
		{1024, 63.2, 142},
	} {
		trials := 300_000 / tt.flows
		rng := rand.New(rand.NewPCG(uint64(tt.flows), 10))
		plain, associative, crowded := 0, 0, 0
		for range trials {
			p, a := shared(rng, tt.flows)
			plain += p
			associative += a
			if a > 0 {
				crowded++
			}
		}
		percent := 100 * float64(plain) / float64(trials*tt.flows)
		assert.InDelta(t, tt.plain, percent, 0.1+tt.plain/100, "%d flows, plain", tt.flows)
		if tt.flows <= 100 {
			assert.Zero(t, associative, "%d flows", tt.flows)
			continue
		}
		// Each that finds its set full makes two share, or joins two that do.
		mean := float64(associative) / float64(trials)
		assert.LessOrEqual(t, mean, 2*tt.overflow*1.2+0.1, "%d flows", tt.flows)
		assert.GreaterOrEqual(t, mean, tt.overflow*0.8, "%d flows", tt.flows)
		if tt.flows == 300 {
			assert.InDelta(t, 0.085, float64(crowded)/float64(trials), 0.02, "chance that any share")
		}
	}
}
