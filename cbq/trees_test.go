package cbq_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
)

// TestRandomTrees: in trees whose children's rates add up to their parent's at
// most, a leaf that is always backlogged gets its rate whatever the priorities,
// what is bounded gets no more, and the link rests only if nobody may borrow
// from the root.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 7))
		randomTree(t, rng, guidelines[max(0, int(seed)-21)])
	}
}

func randomTree(t *testing.T, rng *rand.Rand, g cbq.Guideline) {
	const bandwidth, until = 100 * qdisc.Mbit, 5 * s
	q := newCBQ(t, cbq.Config{Bandwidth: bandwidth, Guideline: g})
	left := []qdisc.Rate{bandwidth} // of each class's rate; 0 is the root
	leaf := []bool{true}
	for class := uint32(1); class <= 12; class++ {
		parent := rng.Uint32N(class)
		rate := left[parent]/8 + qdisc.Rate(rng.Uint64N(uint64(left[parent]/2)))
		left[parent] -= rate
		left = append(left, rate)
		leaf[parent], leaf = false, append(leaf, true)
		add(t, q, class, cbq.ClassConfig{
			Parent: parent, Rate: rate, Priority: 1 + rng.IntN(8), Bounded: rng.IntN(3) == 0, Isolated: rng.IntN(5) == 0, MaxBurst: rng.IntN(3),
		})
	}
	var sources []source
	for class, is := range leaf {
		if is {
			sizes := make([]uint32, 1+rng.IntN(4))
			for i := range sizes {
				sizes[i] = 40 + rng.Uint32N(1461)
			}
			sources = append(sources, source{class: uint32(class), sizes: sizes})
		}
	}
	var bytes [13]float64 // with those of all below
	link(t, q, bandwidth, until, sources, func(p *qdisc.Packet, _ qdisc.Time) {
		for class := p.Class; ; {
			bytes[class] += float64(p.Len)
			if class == 0 {
				return
			}
			cfg, _ := q.Class(class)
			class = cfg.Parent
		}
	})
	slack := 1500 * float64(len(leaf)+4)
	conserving := false
	lent := float64(bandwidth)
	for class := uint32(1); class < 13; class++ {
		cfg, _ := q.Class(class)
		share := float64(cfg.Rate) * float64(until) / 8e9
		if cfg.Isolated {
			lent = 0
		}
		if leaf[class] && g == cbq.Formal {
			assert.Greater(t, bytes[class], share-slack, "class %d, %+v", class, cfg)
		}
		if cfg.Bounded {
			assert.Less(t, bytes[class], share+slack, "class %d, %+v", class, cfg)
		}
		if leaf[class] {
			free := true
			for up := class; up != 0 && free; {
				cfg, _ := q.Class(up)
				free, up = !cfg.Bounded, cfg.Parent
			}
			conserving = conserving || free
		}
	}
	if conserving && lent > 0 {
		assert.InDelta(t, float64(bandwidth)*float64(until)/8e9, bytes[0], slack)
	}
}
