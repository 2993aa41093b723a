package bql_test

import (
	"math"
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What went wrong in drivers and kernels. In each the kernel stops the machine
// or loses count.

// TestResetWithCompletionsInFlight: virtio-net and usbnet reported, after a
// reset, what had been queued before it.
func TestResetWithCompletionsInFlight(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		l.Queued(9000)
		l.Reset(ms)
		was := l.State()
		l.Completed(3000, 2*ms)
		assert.Zero(t, l.Inflight())
		assert.Equal(t, was, l.State(), "ignored")
		assert.Equal(t, bql.Stats{Excess: 1, ExcessBytes: 3000}, l.ReadStats())

		l.Queued(1500)
		l.Completed(6000, 3*ms)
		assert.Zero(t, l.Inflight(), "no more than is there")
		assert.EqualValues(t, 1500, l.Limit())
		assert.Equal(t, bql.Stats{Excess: 2, ExcessBytes: 7500}, l.ReadStats())
	})
}

// TestCompletedBeforeQueued (CVE-2024-50297): a driver counted a packet after
// starting its transmission, and the interrupt came first.
func TestCompletedBeforeQueued(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		l.Completed(1500, ms)
		assert.Equal(t, bql.Stats{Excess: 1, ExcessBytes: 1500}, l.ReadStats())
		l.Queued(1500)
		assert.EqualValues(t, 1500, l.Inflight())
		assert.EqualValues(t, -1500, l.Available())
		l.Completed(1500, 2*ms)
		assert.Zero(t, l.Inflight())
		assert.EqualValues(t, 1500, l.Available())
	})
}

// TestExcessNeverWraps: absurd reports are cut and counted, up to the top.
func TestExcessNeverWraps(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		l := mustNew(t, bql.Config{Compat: compat})
		for i, n := range []uint64{1 << 32, 1<<32 + 1000, 1 << 63, math.MaxUint64, math.MaxUint64} {
			l.Queued(1500)
			l.Completed(n, ms)
			require.Zero(t, l.Inflight())
			require.EqualValues(t, i+1, l.ReadStats().Excess)
		}
		assert.EqualValues(t, uint64(math.MaxUint64), l.ReadStats().ExcessBytes)
	})
}

// TestLimitInABatch: the limit falls between packets, never inside one; a
// super-packet over the limit goes, alone; then no more goes.
func TestLimitInABatch(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		send := func(l *bql.Limiter, size uint32, n int) (sent int) {
			for sent < n && l.Available() >= 0 {
				space := l.Queued(size)
				require.Equal(t, l.Available(), space)
				sent++
			}
			return sent
		}
		l := mustNew(t, fixed(4500, compat))
		l.Completed(0, 0)
		assert.Equal(t, 4, send(l, 1500, 10))
		assert.EqualValues(t, 6000, l.Inflight())
		assert.EqualValues(t, -1500, l.Available())

		l = mustNew(t, fixed(3000, compat))
		l.Completed(0, 0)
		assert.Equal(t, 1, send(l, 1<<16, 2))
		assert.EqualValues(t, 3000-1<<16, l.Available())
		l.Completed(1<<16-3000-1, ms)
		assert.Zero(t, send(l, 1500, 1))
		l.Completed(1, ms)
		assert.Equal(t, 1, send(l, 1500, 10))
	})
}

// TestOneObjectAlwaysGoes with nothing in flight, whatever the limit.
func TestOneObjectAlwaysGoes(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		for _, limit := range []int64{0, 1, 1513, 1514, bql.DefaultLimitMax} {
			l := mustNew(t, fixed(limit, compat))
			for i := range 10 {
				require.GreaterOrEqual(t, l.Available(), int64(0), "limit %d", limit)
				l.Queued(bql.MaxObject)
				l.Completed(bql.MaxObject, qdisc.Time(i)*s)
			}
		}
	})
}
