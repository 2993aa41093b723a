package cbq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestChurn: classes are added, changed and removed, and children replaced,
// while these children lose, hold back and block packets; half of the time with
// values at the ends of their ranges.
func TestChurn(t *testing.T) {
	for _, g := range guidelines {
		for seed := range uint64(24) {
			t.Run(fmt.Sprintf("%v/%d", g, seed), func(t *testing.T) { churn(t, g, seed) })
		}
	}
}

func churn(t *testing.T, g cbq.Guideline, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(g)))
	extreme := seed%2 == 1
	var drops qdisc.List
	q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: g, Default: 1, Drops: &drops})
	pick := func(values ...int64) int64 { return values[rng.IntN(len(values))] }
	config := func(parent uint32, child qdisc.Qdisc) cbq.ClassConfig {
		if extreme {
			return cbq.ClassConfig{
				Parent: parent, Rate: qdisc.Rate(pick(1, 1000, 1e9, 8e12)), Priority: int(pick(0, 1, 8)), Weight: uint64(pick(0, 1, 1<<50-1)),
				Bounded: rng.IntN(3) == 0, Isolated: rng.IntN(4) == 0, MaxBurst: int(pick(0, 1, 1<<20)), MinBurst: int(pick(0, 2, 1<<20)),
				MinIdle: time.Duration(pick(0, 1, math.MaxInt64)), EWMA: new(int(pick(0, 5, 31))), AvgPacket: uint32(pick(0, 1, 1<<30)),
				Bandwidth: qdisc.Rate(pick(0, 1, math.MaxInt64)), Child: child,
			}
		}
		return cbq.ClassConfig{
			Parent: parent, Rate: 1 + qdisc.Rate(rng.Uint64N(1<<rng.UintN(30))), Priority: rng.IntN(9), Weight: rng.Uint64N(1 << rng.UintN(50)),
			Bounded: rng.IntN(3) == 0, Isolated: rng.IntN(4) == 0, MaxBurst: rng.IntN(4), MinBurst: rng.IntN(4),
			MinIdle: time.Duration(rng.Int64N(1e6)), Child: child,
		}
	}
	qtest.Churn(t, q, &drops, rng, extreme, func(class, parent uint32, child qdisc.Qdisc, now qdisc.Time) {
		_ = q.AddClass(class, config(parent, child), now)
		checkLevels(t, q)
	}, func(class uint32, now qdisc.Time) {
		cfg, _ := q.Class(class)
		_ = q.ChangeClass(class, config(cfg.Parent, nil), now)
		checkLevels(t, q)
		if rng.IntN(10) == 0 {
			cfg := q.Config()
			cfg.Bandwidth, cfg.Guideline = 1+qdisc.Rate(rng.Uint64N(1e9)), guidelines[rng.IntN(3)]
			if extreme {
				cfg.Bandwidth, cfg.CatchUp = qdisc.Rate(pick(1, 8e12)), time.Duration(pick(0, 1, math.MaxInt64))
			}
			require.NoError(t, q.Change(cfg, now))
		}
	})
}

// checkLevels checks every class's level, and the bounds of what it reports.
func checkLevels(t *testing.T, q *cbq.CBQ) {
	levels := map[uint32]int{}
	for range qtest.Classes { // no tree is deeper
		for id, st := range q.Classes() {
			levels[st.Parent] = max(levels[st.Parent], levels[id]+1)
		}
	}
	for id, st := range q.Classes() {
		require.Equal(t, levels[id], st.Level, "class %d", id)
		require.GreaterOrEqual(t, st.UnderTime, qdisc.Time(0))
		assert.Less(t, st.AvgIdle, 150*365*24*time.Hour)
	}
}
