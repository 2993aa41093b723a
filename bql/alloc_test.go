package bql_test

import (
	"runtime"
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoAllocation makes 1e5 rounds of all verbs, with starvation, shrinking,
// stalls, excess and resets, and counts every allocation.
func TestNoAllocation(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat, HoldTime: 10 * ms2, StallThreshold: ms2})
		now, grew, shrank := qdisc.Time(0), 0, 0
		run := func() {
			for i := range 100_000 {
				limit := l.Limit()
				for l.Available() >= 0 {
					l.QueuedAt(uint32(100+i%1400), now)
				}
				l.Queued(60)
				now += qdisc.Time(i%5) * ms
				switch {
				case i%1000 == 999:
					l.Reset(now)
				case i%100 == 99:
					l.Completed(uint64(l.Inflight())+1, now)
				default:
					l.Completed(uint64(l.Inflight()/4), now)
				}
				if after := l.Limit(); after > limit {
					grew++
				} else if after < limit {
					shrank++
				}
			}
		}
		// The runtime may allocate on its own account: the least of three counts.
		least := ^uint64(0)
		for range 3 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			run()
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		assert.Zero(t, least)
		require.NotZero(t, grew)
		require.NotZero(t, shrank)
		require.NotZero(t, l.StallCnt())
		require.NotZero(t, l.ReadStats().Excess)
	})
}
