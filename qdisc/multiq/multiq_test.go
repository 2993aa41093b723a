package multiq_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/multiq"
)

var (
	_ qdisc.Parent  = (*multiq.Multiq)(nil)
	_ qdisc.Stopper = (*multiq.Multiq)(nil)
)

func TestDefaults(t *testing.T) {
	q := newMultiq(t, multiq.Config{})
	cfg := q.Config()
	assert.Equal(t, multiq.Config{Bands: 1, Limit: new(1000)}, cfg)
	*cfg.Limit = 5
	assert.Equal(t, 1000, *q.Config().Limit, "the caller's copy is its own")
	for range 1001 {
		q.Enqueue(packet(0, 100), 0)
	}
	assert.Equal(t, []int{1000}, fill(q))
	assert.Equal(t, uint64(1), q.ReadStats().Refused)
}

// TestBandOf: a hardware queue that there is none of goes to band 0.
func TestBandOf(t *testing.T) {
	for queue, band := range map[int]int{0: 0, 1: 1, 2: 2, 3: 0, 4: 0, math.MaxUint16: 0} {
		q := newMultiq(t, multiq.Config{Bands: 3})
		p := packet(queue, 1)
		p.Class, p.Priority = 2, 1 // not read
		require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
		want := make([]int, 3)
		want[band] = 1
		assert.Equal(t, want, fill(q), "queue %d", queue)
	}
}

// TestOrder: band 1 is served first of all, then every band in turn, by packets
// whatever their length; a Reset starts again at band 1.
func TestOrder(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 3})
	put := func(list ...int) {
		for i, queue := range list {
			require.Equal(t, qdisc.Queued, q.Enqueue(packet(queue, uint32(10*queue+i)), 0))
		}
	}
	put(0, 0, 0, 1, 2, 2)
	assert.Equal(t, []int{13, 24, 0, 25, 1, 2}, qtest.Drain(q, 0))
	put(0, 1, 2)
	assert.EqualValues(t, 11, q.Dequeue(0).Len)
	put(1)
	assert.Equal(t, []int{22, 0, 10}, qtest.Drain(q, 0), "band 1 just had its turn")

	put(0, 1, 2)
	q.Dequeue(0)
	q.Reset(0)
	put(0, 1, 2)
	assert.Equal(t, []int{11, 22, 0}, qtest.Drain(q, 0))
}

// TestManyBands goes round sizes at which the search has more levels.
func TestManyBands(t *testing.T) {
	for _, bands := range []int{1, 63, 64, 65, 4096, 5000, multiq.MaxBands} {
		q := newMultiq(t, multiq.Config{Bands: bands})
		used := []int{0, 1, 2, 62, 63, 64, 65, 127, 4095, 4096, 4097, 65534, 65535}
		var want []int
		for _, i := range used {
			if i < bands {
				q.Enqueue(packet(i, uint32(i)), 0)
				q.Enqueue(packet(i, uint32(i)), 0)
				want = append(want, i)
			}
		}
		want = append(want[1:], want[0]) // band 0 comes last
		assert.Equal(t, append(want, want...), qtest.Drain(q, 0), "%d bands", bands)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct {
		cfg   multiq.Config
		texts []string
	}{
		{multiq.Config{Bands: -1}, []string{"Bands = -1: a device has 1 to 65536"}},
		{multiq.Config{Bands: multiq.MaxBands + 1}, []string{"Bands = 65537"}},
		{multiq.Config{Bands: math.MaxInt}, []string{"Bands = "}},
		{multiq.Config{Bands: math.MinInt, Limit: new(-1)}, []string{"Bands = ", "Limit = -1"}},
	} {
		_, err := multiq.New(c.cfg)
		qtest.ConfigErrors(t, err, c.texts...)

		// Change refuses the same, and then changes nothing.
		q := newMultiq(t, multiq.Config{Bands: 5})
		q.Enqueue(packet(4, 100), 0)
		qtest.ConfigErrors(t, q.Change(c.cfg, 1), c.texts...)
		assert.Equal(t, multiq.Config{Bands: 5, Limit: new(1000)}, q.Config())
		assert.Equal(t, []int{0, 0, 0, 0, 1}, fill(q))
	}
}

// TestBandsChange goes 8, 2, 16, 1 bands with packets in each, the sizes that
// indexed past a table in CVE-2024-36978.
func TestBandsChange(t *testing.T) {
	var drops qdisc.List
	q := newMultiq(t, multiq.Config{Bands: 8, Drops: &drops})
	held := 0
	put := func(bands int) {
		for b := range bands {
			for i := range 1 + b%3 {
				require.Equal(t, qdisc.Queued, q.Enqueue(packet(b, uint32(100*(b+1)+i)), 1))
				held++
			}
		}
	}
	change := func(bands, lost int) {
		require.NoError(t, q.Change(multiq.Config{Bands: bands, Drops: &drops}, 2))
		n := 0
		for p := range drops.Drain() {
			n++
			assert.Equal(t, qdisc.Purged, p.Reason)
			assert.GreaterOrEqual(t, int(p.TxQueue), bands)
		}
		require.Equal(t, lost, n)
		held -= lost
		require.Equal(t, held, q.Len())
		require.Len(t, fill(q), bands)
		qtest.CheckSums(t, q)
	}
	put(8)
	for range 5 { // bands 1 to 5: the round stands where there is no band soon
		require.NotNil(t, q.Dequeue(1))
		held--
	}
	assert.Equal(t, []int{1, 1, 2, 0, 1, 2, 1, 2}, fill(q))
	change(2, 2+0+1+2+1+2)
	assert.Equal(t, []int{1, 1}, fill(q))
	assert.Nil(t, q.Child(3))
	assert.EqualValues(t, 100, q.Peek(2).Len, "the band served last is gone: band 0 is next")
	change(16, 0)
	put(16)
	change(1, held-2)
	assert.Equal(t, []int{100, 100}, qtest.Drain(q, 3))
	assert.Equal(t, qdisc.Never, q.ReadyAt(3))
	held = 0
	change(3, 0)
	put(3)
	assert.Len(t, qtest.Drain(q, 4), 1+2+3)
}

func TestChangeKeeps(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 3})
	child := qtest.FIFO(7)
	require.NoError(t, q.SetChild(2, child, 0))
	gone := q.Child(3)
	q.Stop(1)
	q.Stop(2)
	q.Enqueue(packet(1, 1), 0)
	require.NoError(t, q.Change(multiq.Config{Bands: 2}, 1))
	assert.Same(t, child, q.Child(2))
	require.NoError(t, newMultiq(t, multiq.Config{}).SetChild(1, gone, 0), "a removed child is free")
	require.NoError(t, q.Change(multiq.Config{Bands: 4, Limit: new(1)}, 1))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(1), "band 1 is still stopped")
	q.Enqueue(packet(2, 2), 1)
	q.Enqueue(packet(2, 3), 1)
	assert.Equal(t, []int{2}, qtest.Drain(q, 1), "band 2 is new: it runs, and has the new limit")
	q.Wake(1)
	assert.Equal(t, []int{1}, qtest.Drain(q, 1))
}

func TestSetChild(t *testing.T) {
	var drops, other qdisc.List
	q := newMultiq(t, multiq.Config{Bands: 3, Limit: new(6), Drops: &drops})
	q.Enqueue(packet(0, 10), 0)
	q.Enqueue(packet(1, 20), 0)

	busy := qtest.FIFO(5)
	busy.Enqueue(packet(0, 1), 0)
	foreign, err := fifo.New(fifo.Config{Drops: &other})
	require.NoError(t, err)
	for _, c := range []struct {
		class uint32
		child qdisc.Qdisc
		text  string
	}{
		{0, qtest.FIFO(1), "Class = 0: the classes are 1 to 3"},
		{4, qtest.FIFO(1), "Class = 4"},
		{math.MaxUint32, nil, "Class"},
		{1, busy, "holds packets"},
		{1, q.Child(2), "has a parent"},
		{1, q, "own descendant"},
		{1, foreign, "drop list"},
	} {
		qtest.ConfigErrors(t, q.SetChild(c.class, c.child, 1), c.text)
		assert.Equal(t, []int{1, 1, 0}, fill(q))
	}
	assert.True(t, drops.Empty())

	require.NoError(t, q.SetChild(1, qtest.FIFO(1), 1))
	require.Equal(t, 1, drops.Len())
	assert.Equal(t, qdisc.Purged, drops.Pop().Reason)
	assert.Equal(t, []int{0, 1, 0}, fill(q))
	qtest.CheckSums(t, q)

	assert.Equal(t, qdisc.Queued, q.Enqueue(packet(0, 10), 1))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(0, 11), 1))
	require.NoError(t, q.SetChild(1, nil, 2))
	assert.Equal(t, fifo.Config{Limit: new(6)}, q.Child(1).(*fifo.FIFO).Config())
	assert.Equal(t, []int{20}, qtest.Drain(q, 2))
	qtest.CheckSums(t, q)
	assert.Nil(t, q.Child(0))
}

func TestDropLists(t *testing.T) {
	var drops, other qdisc.List
	top := newMultiq(t, multiq.Config{Drops: &drops})
	below := newMultiq(t, multiq.Config{Bands: 2})
	require.NoError(t, top.SetChild(1, below, 0))
	qtest.ConfigErrors(t, below.Change(multiq.Config{Bands: 4, Drops: &other}, 0), "Drops")
	assert.Equal(t, 2, below.Config().Bands)
	require.NoError(t, below.SetChild(2, qtest.FIFO(0), 0))
	p := packet(1, 9)
	assert.Equal(t, qdisc.Dropped, top.Enqueue(p, 0))
	assert.Same(t, p, drops.Pop())
	assert.Equal(t, uint64(1), top.ReadStats().Refused)
	assert.Zero(t, top.ReadStats().Drops[qdisc.Overlimit], "only who drops counts the reason")
}

func TestReset(t *testing.T) {
	var drops qdisc.List
	q := newMultiq(t, multiq.Config{Bands: 3, Drops: &drops})
	q.Stop(2)
	for i := range 3 {
		q.Enqueue(packet(i, 100), 1000)
	}
	q.Reset(5)
	assert.Equal(t, 3, drops.Len())
	assert.Equal(t, []int{0, 0, 0}, fill(q))
	assert.Equal(t, qdisc.Never, q.ReadyAt(5))
	p := packet(2, 100)
	q.Enqueue(p, 6)
	assert.Equal(t, qdisc.Time(6), p.Stamp, "the clock was set back")
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(6), "the device's queue is still stopped")
	qtest.CheckSums(t, q)
}

func TestSojourn(t *testing.T) {
	var h qdisc.Histogram
	q := newMultiq(t, multiq.Config{Bands: 2, Sojourn: &h})
	q.Enqueue(packet(0, 1), 100)
	q.Enqueue(packet(1, 1), 100)
	q.Dequeue(130)
	q.Dequeue(110) // counts as 130
	assert.Equal(t, uint64(2), h.Count())
	assert.EqualValues(t, 30, h.Max())
	assert.EqualValues(t, 30, h.Mean())
}

// TestPeekLooks: an arrival in a band before it in the round goes before what
// Peek showed, and Peek does not move the round.
func TestPeekLooks(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 3})
	assert.Nil(t, q.Peek(0))
	q.Enqueue(packet(2, 2), 0)
	for range 3 {
		assert.EqualValues(t, 2, q.Peek(0).Len)
	}
	q.Enqueue(packet(1, 1), 0)
	assert.EqualValues(t, 1, q.Peek(0).Len)
	q.Stop(1)
	assert.EqualValues(t, 2, q.Peek(0).Len)
	q.Wake(1)
	assert.Equal(t, []int{1, 2}, qtest.Drain(q, 0))
}
