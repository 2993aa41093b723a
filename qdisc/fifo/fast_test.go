package fifo_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func newFast(t require.TestingT, cfg fifo.FastConfig) *fifo.Fast {
	q, err := fifo.NewFast(cfg)
	require.NoError(t, err)
	return q
}

// prioritized returns a packet of a priority, known by its length.
func prioritized(priority, n uint32) *qdisc.Packet {
	return &qdisc.Packet{Priority: priority, Len: n}
}

// fill returns the packets in each band.
func fill(q *fifo.Fast) (list [fifo.FastBands]int) {
	for band, s := range q.Bands() {
		list[band] = s.Len
	}
	return list
}

func TestFastContract(t *testing.T) {
	for name, cfg := range map[string]fifo.FastConfig{
		"small": {Limit: new(5)}, "default": {}, "ds": {Limit: new(7), ByDS: true},
	} {
		t.Run(name, func(t *testing.T) {
			qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				cfg.Drops = drops
				return newFast(t, cfg)
			}, qdisctest.Peeks(qdisctest.Looking), qdisctest.Cut(func(q qdisc.Qdisc, now qdisc.Time) error {
				cfg := q.(*fifo.Fast).Config()
				cfg.Limit = new(1)
				return q.(*fifo.Fast).Change(cfg, now)
			}))
		})
	}
}

// TestFastBands: Linux's map, over all priorities and what lies above them, and
// the order of service: 0 before 1 before 2, in each the oldest first.
func TestFastBands(t *testing.T) {
	bands := [16]int{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
	q := newFast(t, fifo.FastConfig{})
	var want [fifo.FastBands]int
	var lengths [fifo.FastBands][]int
	for i := range uint32(40) {
		priority := i
		if i >= 32 {
			priority = i | 0xffff_ff00 // only the low 4 bits count
		}
		require.Equal(t, qdisc.Queued, q.Enqueue(prioritized(priority, 100+i), 0))
		b := bands[i%16]
		want[b]++
		lengths[b] = append(lengths[b], int(100+i))
		require.Equal(t, want, fill(q), priority)
	}
	for band, s := range q.Bands() {
		bytes := int64(0)
		for _, n := range lengths[band] {
			bytes += int64(n)
		}
		assert.Equal(t, fifo.BandStats{Len: len(lengths[band]), Backlog: bytes}, s)
		if band == 1 {
			break // not all need be asked for
		}
	}
	assert.Equal(t, append(append(lengths[0], lengths[1]...), lengths[2]...), qtest.Drain(q, 0))
	assert.Equal(t, [fifo.FastBands]int{}, fill(q))
}

// TestFastIsPriosDefault: the default map is that of package prio.
func TestFastIsPriosDefault(t *testing.T) {
	cfg := newFast(t, fifo.FastConfig{}).Config()
	assert.Equal(t, prio.DefaultPriomap(), *cfg.Priomap)
	assert.Equal(t, prio.DefaultBands, fifo.FastBands)
	assert.Equal(t, fifo.DefaultLimit, *cfg.Limit)
	assert.False(t, cfg.ByDS)
}

// TestFastLimit: each band has its own limit, 1000 packets by default, and
// bytes do not count.
func TestFastLimit(t *testing.T) {
	for _, limit := range []*int{nil, new(0), new(1), new(7)} {
		var drops qdisc.List
		q := newFast(t, fifo.FastConfig{Limit: limit, Drops: &drops})
		room := *q.Config().Limit
		for i, priority := range []uint32{2, 0, 6} {
			for range room {
				require.Equal(t, qdisc.Queued, q.Enqueue(prioritized(priority, qdisc.MaxLen), 0))
			}
			over := prioritized(priority, 0)
			require.Equal(t, qdisc.Dropped, q.Enqueue(over, 0))
			assert.Equal(t, qdisc.Overlimit, over.Reason)
			assert.Equal(t, (i+1)*room, q.Len())
			assert.Equal(t, i+1, drops.Len())
		}
		assert.Equal(t, [fifo.FastBands]int{room, room, room}, fill(q))
		long := prioritized(0, qdisc.MaxLen+1)
		assert.Equal(t, qdisc.Dropped, q.Enqueue(long, 0))
		assert.Equal(t, qdisc.TooLong, long.Reason)
	}
}

// TestFastPeek: it looks, so a later arrival in a band before goes first.
func TestFastPeek(t *testing.T) {
	q := newFast(t, fifo.FastConfig{})
	assert.Nil(t, q.Peek(0))
	low, high := prioritized(2, 1), prioritized(6, 2)
	q.Enqueue(low, 0)
	assert.Same(t, low, q.Peek(0))
	q.Enqueue(high, 0)
	assert.Same(t, high, q.Peek(0))
	assert.Nil(t, q.Parked())
	assert.Same(t, high, q.Dequeue(0))
	assert.Same(t, low, q.Dequeue(0))
	assert.Nil(t, q.Dequeue(0))
}

// TestFastChange: a change drops and moves nothing. A lower limit bars arrivals
// until the band has drained below it; a new map is for arrivals.
func TestFastChange(t *testing.T) {
	q := newFast(t, fifo.FastConfig{Limit: new(4)})
	for i := range uint32(4) {
		q.Enqueue(prioritized(0, 10+i), 0)
		q.Enqueue(prioritized(1, 20+i), 0)
	}
	m := [16]uint8{0: 0, 1: 1, 2: 2}
	require.NoError(t, q.Change(fifo.FastConfig{Limit: new(2), Priomap: &m}, 5))
	assert.Equal(t, [fifo.FastBands]int{0, 4, 4}, fill(q))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(prioritized(1, 1), 5))
	assert.Equal(t, qdisc.Queued, q.Enqueue(prioritized(0, 1), 5), "band 0 has room")
	for range 3 {
		q.Dequeue(5)
		assert.Equal(t, qdisc.Dropped, q.Enqueue(prioritized(1, 1), 5))
	}
	q.Dequeue(5)
	assert.Equal(t, qdisc.Queued, q.Enqueue(prioritized(1, 30), 5))
	assert.Equal(t, []int{13, 30, 20, 21, 22, 23}, qtest.Drain(q, 5))

	m[0] = 2
	assert.Equal(t, [16]uint8{0: 0, 1: 1, 2: 2}, *q.Config().Priomap, "the caller's map is its own")
	*q.Config().Limit = 99
	assert.Equal(t, 2, *q.Config().Limit)
}

// TestFastConfigErrors: all that is wrong is said, and nothing is changed.
func TestFastConfigErrors(t *testing.T) {
	var m [16]uint8
	m[3], m[15] = fifo.FastBands, 255
	bad := fifo.FastConfig{Limit: new(-1), Priomap: &m, ByDS: true}
	_, err := fifo.NewFast(bad)
	qtest.ConfigErrors(t, err, "Limit = -1: a limit in packets is 0 or more", "Priomap[3] = 3: a band is 0 to 2", "Priomap[15] = 255")

	q := newFast(t, fifo.FastConfig{Limit: new(2)})
	before := q.Config()
	qtest.ConfigErrors(t, q.Change(bad, 0), "Limit", "Priomap[3]")
	m[3], m[15] = 0, 0
	qtest.ConfigErrors(t, q.Change(fifo.FastConfig{Limit: new(-1)}, 0), "Limit")
	assert.Equal(t, before, q.Config())

	p, err := prio.New(prio.Config{})
	require.NoError(t, err)
	require.NoError(t, p.SetChild(1, q, 0))
	qtest.ConfigErrors(t, q.Change(fifo.FastConfig{Drops: new(qdisc.List)}, 0), "Drops")
	assert.Equal(t, before, q.Config())
}

func TestFastBatch(t *testing.T) {
	q := newFast(t, fifo.FastConfig{})
	for _, priority := range []uint32{2, 0, 6, 2, 0, 6} {
		q.Enqueue(prioritized(priority, 100+priority), 0)
	}
	dst := make([]*qdisc.Packet, 4)
	lengths := func(budget int64) (list []uint32) {
		for _, p := range dst[:qdisc.DequeueBatch(q, dst, 0, budget)] {
			list = append(list, p.Len)
		}
		return list
	}
	assert.Empty(t, lengths(0))
	assert.Equal(t, []uint32{106, 106, 100}, lengths(213), "the packet that exceeds the budget is taken")
	assert.Equal(t, []uint32{100, 102, 102}, lengths(1e6))
	assert.Empty(t, lengths(1e6))
}

func TestFastSojourn(t *testing.T) {
	var h qdisc.Histogram
	q := newFast(t, fifo.FastConfig{Sojourn: &h})
	for i := range uint32(10) {
		q.Enqueue(prioritized(i, 1), qdisc.Time(i))
	}
	for p := q.Dequeue(1000); p != nil; p = q.Dequeue(1000) {
		continue
	}
	assert.EqualValues(t, 10, h.Count())
	assert.Equal(t, time.Microsecond, h.Max())
}

// TestFastClock: every verb moves the clock on and only Reset sets it back,
// which the stamps show.
func TestFastClock(t *testing.T) {
	q := newFast(t, fifo.FastConfig{})
	stamp := func(now qdisc.Time) qdisc.Time {
		p := packet(1)
		q.Enqueue(p, now)
		return p.Stamp
	}
	assert.EqualValues(t, 10, stamp(10))
	q.Peek(20)
	assert.EqualValues(t, 20, stamp(11))
	q.Dequeue(30)
	assert.EqualValues(t, 30, stamp(11))
	require.NoError(t, q.Change(fifo.FastConfig{}, 40))
	assert.EqualValues(t, 40, stamp(11))
	q.Reset(5)
	assert.EqualValues(t, 7, stamp(7))
}

// TestFastNoAllocation counts every allocation of 1e5 rounds that fill the
// bands, refuse, change and reset. (testing.AllocsPerRun rounds down.)
func TestFastNoAllocation(t *testing.T) {
	for _, byDS := range []bool{false, true} {
		var drops qdisc.List
		q := newFast(t, fifo.FastConfig{Limit: new(3), ByDS: byDS, Drops: &drops, Sojourn: new(qdisc.Histogram)})
		free, dst := qdisc.Alloc(64), make([]*qdisc.Packet, 4)
		now := qdisc.Time(0)
		round := func() {
			now += 10
			for i := range uint32(12) {
				if p := free.Pop(); p != nil {
					p.Priority, p.DSField, p.Len = i, uint8(i<<2), 100
					q.Enqueue(p, now)
				}
			}
			q.Peek(now)
			q.ReadyAt(now)
			for _, p := range dst[:qdisc.DequeueBatch(q, dst, now, 1000)] {
				free.Push(p)
			}
			if now%100 == 0 {
				q.Reset(now)
			}
			free.Append(&drops)
		}
		round()
		assert.Zero(t, qdisctest.Mallocs(func() {
			for range 100_000 {
				round()
			}
		}))
		s := q.ReadStats()
		for _, n := range []uint64{s.Dequeued, s.Refused, s.Purged} {
			assert.NotZero(t, n)
		}
	}
}

func ExampleFast() {
	q, err := fifo.NewFast(fifo.FastConfig{ByDS: true})
	if err != nil {
		panic(err)
	}
	const af12, af11 = 12 << 2, 10 << 2
	for _, ds := range []uint8{af11, 0, af12} {
		q.Enqueue(&qdisc.Packet{Len: 1500, DSField: ds}, 0)
	}
	for band, s := range q.Bands() {
		fmt.Println("band", band, "holds", s.Len)
	}
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		fmt.Printf("DSCP %d\n", p.DSField>>2)
	}
	// Output:
	// band 0 holds 1
	// band 1 holds 1
	// band 2 holds 1
	// DSCP 12
	// DSCP 0
	// DSCP 10
}
