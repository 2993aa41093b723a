package prio_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

var _ qdisc.Parent = (*prio.Prio)(nil)

func TestDefaults(t *testing.T) {
	q := newPrio(t, prio.Config{})
	cfg := q.Config()
	assert.Equal(t, 3, cfg.Bands)
	assert.Equal(t, [16]uint8{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, *cfg.Priomap)
	cfg.Priomap[0] = 0
	assert.Equal(t, prio.DefaultPriomap(), *q.Config().Priomap, "the caller's copy is its own")

	for range 1001 {
		q.Enqueue(packet(2, 100), 0)
	}
	assert.Equal(t, []int{0, 1000, 0}, fill(q))
	assert.Equal(t, uint64(1), q.ReadStats().Refused)
}

func TestPriomapIsCopied(t *testing.T) {
	m := prio.DefaultPriomap()
	q := newPrio(t, prio.Config{Priomap: &m})
	m[0] = 200
	q.Enqueue(packet(0, 1), 0)
	assert.Equal(t, []int{0, 1, 0}, fill(q))
}

// TestBandOf: a class of its own wins; one out of range goes where priority 0
// goes; none leaves it to the priority, of which 4 bits count.
func TestBandOf(t *testing.T) {
	m := prio.DefaultPriomap()
	for i, c := range []struct {
		class, priority uint32
		band            int
	}{
		{1, 1, 0}, {2, 6, 1}, {3, 6, 2},
		{4, 6, 1}, {math.MaxUint32, 6, 1}, {1 << 31, 6, 1},
		{0, 0, 1}, {0, 1, 2}, {0, 6, 0}, {0, 15, 1}, {0, 16, 1}, {0, 22, 0}, {0, math.MaxUint32, 1},
	} {
		for _, byClassify := range []bool{false, true} {
			cfg := prio.Config{Priomap: &m}
			p := &qdisc.Packet{Class: c.class, Priority: c.priority, Len: 1}
			if byClassify {
				p.Class = 1 // not read
				cfg.Classify = func(*qdisc.Packet) uint32 { return c.class }
			}
			q := newPrio(t, cfg)
			require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
			want := make([]int, 3)
			want[c.band] = 1
			assert.Equal(t, want, fill(q), "case %d", i)
		}
	}
}

func TestBadConfig(t *testing.T) {
	high := prio.DefaultPriomap()
	high[3], high[9] = 3, 255
	two := zeroes()
	two[15] = 2
	for _, c := range []struct {
		cfg    prio.Config
		fields []string
	}{
		{prio.Config{Bands: 1, Priomap: zeroes()}, []string{"Bands = 1"}},
		{prio.Config{Bands: 17}, []string{"Bands = 17"}},
		{prio.Config{Bands: -1}, []string{"Bands = -1"}},
		{prio.Config{Bands: math.MaxInt}, []string{"Bands = "}},
		{prio.Config{Priomap: &high}, []string{"Priomap[3] = 3", "Priomap[9] = 255"}},
		{prio.Config{Bands: 2, Priomap: two}, []string{"Priomap[15] = 2"}},
		{prio.Config{Bands: 2}, []string{"Priomap[1] = 2"}}, // the default map is for 3
	} {
		_, err := prio.New(c.cfg)
		qtest.ConfigErrors(t, err, c.fields...)

		// Change refuses the same, and then changes nothing.
		q := newPrio(t, prio.Config{Bands: 5})
		q.Enqueue(packet(5, 100), 0)
		qtest.ConfigErrors(t, q.Change(c.cfg, 1), c.fields...)
		assert.Equal(t, 5, q.Config().Bands)
		assert.Equal(t, []int{0, 0, 0, 0, 1}, fill(q))
	}
}

// TestBandsChange goes 8, 2, 16, 2 bands with packets in each, the sizes that
// indexed past a table in CVE-2024-36978.
func TestBandsChange(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Bands: 8, Drops: &drops})
	held := 0
	put := func(bands int) {
		for b := range bands {
			for i := range 1 + b%3 {
				require.Equal(t, qdisc.Queued, q.Enqueue(packet(uint32(b+1), uint32(100*(b+1)+i)), 1))
				held++
			}
		}
	}
	change := func(bands, lost int) {
		require.NoError(t, q.Change(prio.Config{Bands: bands, Priomap: zeroes(), Drops: &drops}, 2))
		n := 0
		for p := range drops.Drain() {
			n++
			assert.Equal(t, qdisc.Purged, p.Reason)
			assert.Greater(t, int(p.Class), bands)
		}
		require.Equal(t, lost, n)
		held -= lost
		require.Equal(t, held, q.Len())
		require.Len(t, fill(q), bands)
		qtest.CheckSums(t, q)
	}
	put(8)
	change(2, 3+1+2+3+1+2)
	assert.Equal(t, []int{1, 2}, fill(q))
	assert.Nil(t, q.Child(3))
	change(16, 0)
	put(16)
	change(2, 31-1-2) // 31 were put into 16 bands
	assert.Equal(t, []int{2, 4}, fill(q))
	assert.Equal(t, []int{100, 100, 200, 201, 200, 201}, qtest.Drain(q, 3))
	assert.Equal(t, qdisc.Never, q.ReadyAt(3))
}

func TestChangeKeepsChildren(t *testing.T) {
	q := newPrio(t, prio.Config{})
	child := qtest.FIFO(7)
	require.NoError(t, q.SetChild(2, child, 0))
	gone := q.Child(3)
	require.NoError(t, q.Change(prio.Config{Bands: 2, Priomap: zeroes()}, 1))
	assert.Same(t, child, q.Child(2))

	require.NoError(t, newPrio(t, prio.Config{}).SetChild(1, gone, 0), "a removed child is free")
}

func TestSetChild(t *testing.T) {
	var drops, other qdisc.List
	q := newPrio(t, prio.Config{Drops: &drops})
	q.Enqueue(packet(1, 10), 0)
	q.Enqueue(packet(2, 20), 0)

	busy := qtest.FIFO(5)
	busy.Enqueue(packet(0, 1), 0)
	foreign, err := fifo.New(fifo.Config{Drops: &other})
	require.NoError(t, err)
	for _, c := range []struct {
		class uint32
		child qdisc.Qdisc
		field string
	}{
		{0, qtest.FIFO(1), "Class = 0"},
		{4, qtest.FIFO(1), "Class = 4"},
		{math.MaxUint32, nil, "Class"},
		{1, busy, "holds packets"},
		{1, q.Child(2), "has a parent"},
		{1, q, "own descendant"},
		{1, foreign, "drop list"},
	} {
		qtest.ConfigErrors(t, q.SetChild(c.class, c.child, 1), c.field)
		assert.Equal(t, []int{1, 1, 0}, fill(q))
	}
	assert.True(t, drops.Empty())

	require.NoError(t, q.SetChild(1, qtest.FIFO(1), 1))
	require.Equal(t, 1, drops.Len())
	assert.Equal(t, qdisc.Purged, drops.Pop().Reason)
	assert.Equal(t, []int{0, 1, 0}, fill(q))
	qtest.CheckSums(t, q)

	assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1, 10), 1))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1, 11), 1))
	assert.Equal(t, 1, drops.Len())
	require.NoError(t, q.SetChild(1, nil, 2))
	assert.Equal(t, fifo.Config{Limit: new(fifo.DefaultLimit)}, q.Child(1).(*fifo.FIFO).Config())
	assert.Equal(t, []int{20}, qtest.Drain(q, 2))
	qtest.CheckSums(t, q)
}

func TestDropLists(t *testing.T) {
	var drops, other qdisc.List
	top := newPrio(t, prio.Config{Drops: &drops})
	below := newPrio(t, prio.Config{})
	require.NoError(t, top.SetChild(1, below, 0))
	qtest.ConfigErrors(t, below.Change(prio.Config{Bands: 4, Drops: &other}, 0), "Drops")
	assert.Equal(t, 3, below.Config().Bands)
	require.NoError(t, below.SetChild(2, qtest.FIFO(0), 0))

	// Class 1 of top and class 2 of below cannot be the same field, so below
	// classifies by priority.
	p := &qdisc.Packet{Class: 1, Len: 9}
	require.NoError(t, below.Change(prio.Config{Classify: func(*qdisc.Packet) uint32 { return 2 }}, 0))
	assert.Equal(t, qdisc.Dropped, top.Enqueue(p, 0))
	assert.Same(t, p, drops.Pop())
	assert.Equal(t, uint64(1), top.ReadStats().Refused)
	assert.Zero(t, top.ReadStats().Drops[qdisc.Overlimit], "only who drops counts the reason")
}

func TestReset(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Drops: &drops})
	for class := range uint32(3) {
		q.Enqueue(packet(class+1, 100), 1000)
	}
	q.Reset(5)
	assert.Equal(t, 3, drops.Len())
	assert.Equal(t, []int{0, 0, 0}, fill(q))
	assert.Equal(t, qdisc.Never, q.ReadyAt(5))
	p := packet(1, 100)
	q.Enqueue(p, 6)
	assert.Equal(t, qdisc.Time(6), p.Stamp, "the clock was set back")
	qtest.CheckSums(t, q)
}

func TestSojourn(t *testing.T) {
	var h qdisc.Histogram
	q := newPrio(t, prio.Config{Sojourn: &h})
	q.Enqueue(packet(1, 1), 100)
	q.Enqueue(packet(2, 1), 100)
	q.Dequeue(130)
	q.Dequeue(110) // counts as 130
	assert.Equal(t, uint64(2), h.Count())
	assert.EqualValues(t, 30, h.Max())
	assert.EqualValues(t, 30, h.Mean())
}

// TestSmallLimits: no queue ever holds more than its limit, and one of limit 0
// holds nothing, also when it drops from its head (CVE-2025-21702).
func TestSmallLimits(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Drops: &drops})
	none, err := fifo.New(fifo.Config{Limit: new(0), HeadDrop: true})
	require.NoError(t, err)
	require.NoError(t, q.SetChild(1, none, 0))
	require.NoError(t, q.SetChild(2, qtest.FIFO(1), 0))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1, 1), 0))
	assert.Equal(t, qdisc.Never, q.ReadyAt(0))
	assert.Nil(t, q.Dequeue(0))
	for range 3 {
		q.Enqueue(packet(2, 1), 0)
		assert.Equal(t, 1, q.Len())
	}
	assert.Equal(t, 3, drops.Len())
	qtest.CheckSums(t, q)
}

func TestTooLong(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Drops: &drops})
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1, qdisc.MaxLen+1), 0))
	assert.Equal(t, qdisc.TooLong, drops.Pop().Reason)
	assert.Zero(t, q.Len())
}
