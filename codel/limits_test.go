package codel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// numbered enqueues a packet of a queue of 1024, with its number in Mark.
func numbered(q qdisc.Qdisc, id, size uint32, queue int) qdisc.Verdict {
	return q.Enqueue(&qdisc.Packet{Mark: id, Len: size, Flow: bucket(queue, 1024)}, 0)
}

// TestHalfOfTheFattest: a limit takes half of the fattest flow's bytes, rounded
// down, from its head, at least a packet and at most a batch.
func TestHalfOfTheFattest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sizes []uint32 // of the fattest flow's packets
		batch int
		want  []uint32
	}{
		{"half of 7 is 3", []uint32{3, 1, 3}, 0, []uint32{1}},
		{"4 are more than 3", []uint32{2, 2, 3}, 0, []uint32{1, 2}},
		{"half of 8 is 4", []uint32{3, 2, 3}, 0, []uint32{1, 2}},
		{"one of one", []uint32{100}, 0, []uint32{1}},
		{"a batch of 1", []uint32{1, 1, 1, 1, 1, 1}, 1, []uint32{1}},
		{"a batch of 2", []uint32{1, 1, 1, 1, 1, 1}, 2, []uint32{1, 2}},
		{"a batch of all", []uint32{1, 1, 1, 1, 1, 1}, math.MaxInt, []uint32{1, 2, 3}},
		{"nothing in half a byte", []uint32{0, 0, 1}, 0, []uint32{1}},
		{"packets of no bytes", []uint32{0, 0, 0, 0}, 0, []uint32{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				var drops qdisc.List
				q := newFQ(t, codel.FQConfig{Limit: new(len(tt.sizes)), DropBatch: tt.batch, Drops: &drops, Compat: mode})
				for i, size := range tt.sizes {
					require.Equal(t, qdisc.Queued, numbered(q, uint32(i+1), size, 5))
				}
				require.Equal(t, qdisc.Queued, numbered(q, 99, 0, 600), "another flow loses")
				assert.Equal(t, tt.want, marks(&drops))
				n := uint64(len(tt.want))
				assert.Equal(t, n, q.Stats().DropOverlimit)
				assert.Zero(t, q.Stats().DropOverMemory)
				assert.Equal(t, n, q.ReadStats().Drops[qdisc.HeadDrop])
				assert.EqualValues(t, n, flows(q, 0)[5].Count, "they are signals too")
			})
		})
	}
}

// TestEqualsAreTakenInOrder: of flows with the same bytes the lowest loses.
func TestEqualsAreTakenInOrder(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 64, 1000, codel.MaxFlows} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			var drops qdisc.List
			held := min(n, 300)
			q := newFQ(t, codel.FQConfig{Flows: n, Limit: &held, Drops: &drops, Compat: mode})
			queue := func(i int) int { return n - 1 - (held-1-i)*(n/held) } // i counts up to the last one
			for i := held - 1; i >= 0; i-- {
				p := &qdisc.Packet{Len: 100, Mark: uint32(i), Flow: bucket(queue(i), n)}
				require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
			}
			for i := range held {
				q.Enqueue(&qdisc.Packet{Flow: bucket(n-1, n)}, 0)
				require.Equal(t, []uint32{uint32(i)}, marks(&drops), "of %d flows", n)
			}
		})
	}
}

// TestVerdicts: Congested tells the sender of a flow that it lost a packet,
// whichever.
func TestVerdicts(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Limit: new(2), Compat: mode})
		assert.Equal(t, qdisc.Queued, numbered(q, 1, 100, 1))
		assert.Equal(t, qdisc.Queued, numbered(q, 2, 50, 2))
		assert.Equal(t, qdisc.Queued, numbered(q, 3, 10, 2), "flow 1 is fatter")
		assert.Equal(t, qdisc.Congested, numbered(q, 4, 500, 2))
	})
}

// TestLimitOfNothing: the default refuses what cannot be held; Linux takes it
// and drops a packet of the fattest flow at once.
func TestLimitOfNothing(t *testing.T) {
	for _, cfg := range []codel.FQConfig{{Limit: new(0)}, {MemoryLimit: new(int64(0))}} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			cfg.Compat = mode
			q := newFQ(t, cfg)
			v := numbered(q, 1, 100, 1)
			assert.Zero(t, q.Len())
			st := q.ReadStats()
			if mode == qdisc.Exact {
				assert.Equal(t, qdisc.Dropped, v)
				assert.EqualValues(t, 1, st.Drops[qdisc.Overlimit])
			} else {
				assert.Equal(t, qdisc.Congested, v)
				assert.EqualValues(t, 1, st.Drops[qdisc.HeadDrop])
			}
			assert.EqualValues(t, 1, q.Stats().DropOverlimit)
			c := newCoDel(t, codel.Config{Limit: cfg.Limit, MemoryLimit: cfg.MemoryLimit, Compat: mode})
			assert.Equal(t, qdisc.Dropped, numbered(c, 1, 100, 1))
			assert.EqualValues(t, 1, c.Stats(0).DropOverlimit)
		})
	}
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{MemoryLimit: new(int64(0)), Compat: mode})
		assert.Equal(t, qdisc.Queued, numbered(q, 1, 0, 1), "what charges nothing fits")
	})
}

// TestOneBatch: Linux drops one batch when a limit is exceeded, which may leave
// it above; the default drops until it holds.
func TestOneBatch(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{MemoryLimit: new(int64(1000)), DropBatch: 1, Compat: mode})
		for i := range 10 {
			require.Equal(t, qdisc.Queued, numbered(q, uint32(i), 100, i))
		}
		require.Equal(t, qdisc.Congested, numbered(q, 10, 900, 0), "flow 0 has 1000 bytes")
		if mode == qdisc.Linux {
			assert.EqualValues(t, 1800, q.Stats().MemoryUsed)
			assert.EqualValues(t, 1, q.Stats().DropOverMemory)
		} else {
			assert.EqualValues(t, 900, q.Stats().MemoryUsed)
			assert.EqualValues(t, 2, q.Stats().DropOverMemory)
		}
		v := numbered(q, 11, 1001, 3)
		if mode == qdisc.Linux {
			assert.Equal(t, qdisc.Congested, v)
		} else {
			assert.Equal(t, qdisc.Dropped, v, "it would not fit alone")
			assert.EqualValues(t, 900, q.Stats().MemoryUsed)
		}
	})
}

// TestMemoryBeyond32Bits: charges add up in 64 bits, and a limit that Linux
// would cut to 2 GiB holds as it is.
func TestMemoryBeyond32Bits(t *testing.T) {
	const limit = int64(3 * math.MaxUint32)
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{MemoryLimit: new(limit), Compat: mode})
		c := newCoDel(t, codel.Config{MemoryLimit: new(limit), Compat: mode})
		for range 3 {
			require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 1, Truesize: math.MaxUint32}, 0))
			require.Equal(t, qdisc.Queued, c.Enqueue(&qdisc.Packet{Len: 1, Truesize: math.MaxUint32}, 0))
		}
		assert.EqualValues(t, limit, q.Stats().MemoryUsed)
		assert.Equal(t, qdisc.Congested, q.Enqueue(&qdisc.Packet{Len: 1}, 0))
		assert.Equal(t, qdisc.Dropped, c.Enqueue(&qdisc.Packet{Len: 1}, 0))
	})
}

// TestFlowOf4GiB: a flow's backlog has 32 bits and does not wrap.
func TestFlowOf4GiB(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{MemoryLimit: new(int64(math.MaxInt64)), Compat: mode})
		c := newCoDel(t, codel.Config{Compat: mode})
		for i := range 3 {
			require.Equal(t, qdisc.Queued, numbered(q, uint32(i), qdisc.MaxLen, 1))
			require.Equal(t, qdisc.Queued, numbered(c, uint32(i), qdisc.MaxLen, 1))
		}
		for _, d := range []qdisc.Qdisc{q, c} {
			assert.Equal(t, qdisc.Dropped, numbered(d, 3, qdisc.MaxLen, 1))
			assert.Equal(t, qdisc.Queued, numbered(d, 3, qdisc.MaxLen-1, 1))
			assert.Equal(t, qdisc.Queued, numbered(d, 4, 0, 1))
			assert.Equal(t, qdisc.Dropped, numbered(d, 5, 1, 1))
			assert.Equal(t, int64(math.MaxUint32), d.Backlog())
			st := d.Common().ReadStats()
			assert.EqualValues(t, 2, st.Drops[qdisc.Overlimit])
		}
		assert.Equal(t, qdisc.Queued, numbered(q, 6, 1, 2), "another flow has room")
		assert.EqualValues(t, int64(math.MaxUint32)+1, q.Backlog())
	})
}

// TestTooLong refuses what no discipline takes.
func TestTooLong(t *testing.T) {
	q, c := newFQ(t, codel.FQConfig{}), newCoDel(t, codel.Config{})
	for _, d := range []qdisc.Qdisc{q, c} {
		for _, n := range []uint32{qdisc.MaxLen + 1, math.MaxUint32} {
			assert.Equal(t, qdisc.Dropped, numbered(d, 1, n, 1))
		}
		st := d.Common().ReadStats()
		assert.EqualValues(t, 2, st.Drops[qdisc.TooLong])
	}
	assert.Zero(t, q.Stats().DropOverlimit+c.Stats(0).DropOverlimit, "that is no limit of theirs")
}

// TestCutOfLimits: what no longer fits goes at once: of a CoDel the oldest; of
// an FQ from the fattest flow, in Linux what it would send next.
func TestCutOfLimits(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		var drops qdisc.List
		c := newCoDel(t, codel.Config{Drops: &drops, Compat: mode})
		for i := range uint32(6) {
			require.Equal(t, qdisc.Queued, numbered(c, i, 100, 0))
		}
		require.NotNil(t, c.Peek(0))
		require.NoError(t, c.Change(codel.Config{Limit: new(4), Compat: mode}, 0))
		assert.Equal(t, []uint32{0, 1}, marks(&drops), "the parked one is the oldest")
		require.NoError(t, c.Change(codel.Config{MemoryLimit: new(int64(250)), Compat: mode}, 0))
		assert.Equal(t, []uint32{2, 3}, marks(&drops))
		assert.EqualValues(t, 4, c.ReadStats().Purged)
		assert.EqualValues(t, 4, c.Dequeue(0).Mark)

		q := newFQ(t, codel.FQConfig{Drops: &drops, DropBatch: 1, Compat: mode})
		for i := range uint32(6) {
			require.Equal(t, qdisc.Queued, numbered(q, i, 100+100*(i%2), int(i%2)))
		}
		require.EqualValues(t, 0, q.Peek(0).Mark)
		require.NoError(t, q.Change(codel.FQConfig{Limit: new(4), DropBatch: 1, Compat: mode}, 0))
		if mode == qdisc.Linux {
			assert.Equal(t, []uint32{0, 2}, marks(&drops), "flow 0 has quantum left")
		} else {
			assert.Equal(t, []uint32{1, 3}, marks(&drops), "flow 1 has 600 bytes, then 400")
		}
		require.NoError(t, q.Change(codel.FQConfig{Limit: new(0), Compat: mode}, 0))
		assert.Len(t, marks(&drops), 4)
		assert.Zero(t, q.Len())
		assert.Zero(t, q.Stats().MemoryUsed)
		assert.EqualValues(t, 6, q.ReadStats().Purged)
		assert.Equal(t, qdisc.Never, q.ReadyAt(0))
		qtest.Balanced(t, q)
	})
}
