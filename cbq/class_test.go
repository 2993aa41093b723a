package cbq_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestConfigErrors: all that is wrong is said at once.
func TestConfigErrors(t *testing.T) {
	_, err := cbq.New(cbq.Config{EWMA: new(32), Guideline: 3, CatchUp: -1, Default: 1 << 20, Limit: new(-1), AvgPacket: 1<<30 + 1})
	assert.ElementsMatch(t, []string{"Bandwidth", "EWMA", "Guideline", "CatchUp", "Default", "Limit", "AvgPacket"}, qtest.Fields(t, err))
	_, err = cbq.New(cbq.Config{Bandwidth: cbq.MaxRate + 1})
	assert.Equal(t, []string{"Bandwidth"}, qtest.Fields(t, err))

	q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Mbit})
	bad := cbq.ClassConfig{
		Parent: 9, Priority: 9, Weight: 1 << 50, MaxBurst: -1, MinBurst: 1<<20 + 1, MinIdle: -1, EWMA: new(-1), AvgPacket: 1 << 31,
	}
	assert.ElementsMatch(t, []string{"Class", "Parent", "Rate", "Priority", "Weight", "MaxBurst", "MinBurst", "MinIdle", "EWMA", "AvgPacket"},
		qtest.Fields(t, q.AddClass(0, bad, 0)))
	add(t, q, 1, cbq.ClassConfig{Rate: 1000})
	add(t, q, 2, cbq.ClassConfig{Rate: 1000, Parent: 1})
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.AddClass(1, cbq.ClassConfig{Rate: 1}, 0)))
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.RemoveClass(1, 0)), "it has children")
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.RemoveClass(3, 0)))
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.ChangeClass(3, cbq.ClassConfig{Rate: 1}, 0)))
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.SetChild(3, nil, 0)))
	assert.ElementsMatch(t, []string{"Parent", "Child"}, qtest.Fields(t, q.ChangeClass(2, cbq.ClassConfig{Rate: 1, Child: qtest.FIFO(1)}, 0)))
	assert.Equal(t, []string{"Guideline"}, qtest.Fields(t, q.Change(cbq.Config{Bandwidth: 1, Guideline: 9}, 0)))
	for i := uint32(3); i < 64; i++ {
		add(t, q, i, cbq.ClassConfig{Rate: 1000, Parent: i - 1})
	}
	assert.Equal(t, []string{"Parent"}, qtest.Fields(t, q.AddClass(64, cbq.ClassConfig{Rate: 1, Parent: 63}, 0)), "too deep")
	fill(t, q, 63, 3, 100, 0)
	assert.Len(t, qtest.Drain(q, 0), 3, "63 levels down")
}

// TestPriorityOutOfRange: a priority, weight or allot out of range was used to
// index and to divide (Linux e9789c7cc182).
func TestPriorityOutOfRange(t *testing.T) {
	for _, n := range []int{9, 255, -1, 1 << 30} {
		q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Mbit})
		qtest.ConfigErrors(t, q.AddClass(1, cbq.ClassConfig{Rate: 1000, Priority: n}, 0), "1 (served first) to 8")
	}
	q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Mbit})
	for class := uint32(1); class <= 2; class++ { // one alone, and two
		add(t, q, class, cbq.TCClass{Rate: 1000, Prio: 8, Weight: 0, Allot: 0}.Config())
		fill(t, q, class, 5, 100, 0)
	}
	assert.Len(t, qtest.Drain(q, 0), 10)
}

// TestFastLinks: "just stops working" above 10 Mbit/s, as the time of a packet
// became 0 (magnific0/wondershaper#7, #9).
func TestFastLinks(t *testing.T) {
	for _, rate := range []qdisc.Rate{5 * qdisc.Mbit, 10 * qdisc.Mbit, 11 * qdisc.Mbit, 100 * qdisc.Mbit, 10 * qdisc.Gbit} {
		q := newCBQ(t, cbq.Config{Bandwidth: 40 * qdisc.Gbit, AvgPacket: 1000})
		add(t, q, 1, cbq.TCClass{Rate: rate, Bounded: true, AvgPacket: 1000, MaxBurst: 20}.Config())
		var got measure
		n := 0
		link(t, q, 40*qdisc.Gbit, qdisc.Time(2e15/rate), []source{{class: 1, sizes: []uint32{1000}}}, func(p *qdisc.Packet, now qdisc.Time) {
			if n++; n > 21 {
				got.sent(p, now)
			}
		})
		assert.InEpsilon(t, float64(rate), got.rate(), 0.001)
	}
}

// TestIsolated: what an isolated class leaves is not lent, and what it may have
// it still gets.
func TestIsolated(t *testing.T) {
	for _, isolated := range []bool{false, true} {
		q := newCBQ(t, cbq.Config{Bandwidth: 10 * qdisc.Mbit})
		add(t, q, 1, cbq.ClassConfig{Rate: 4 * qdisc.Mbit, Bounded: true, Isolated: isolated})
		add(t, q, 2, cbq.ClassConfig{Rate: 6 * qdisc.Mbit})
		var bytes [3]float64
		sent := func(p *qdisc.Packet, _ qdisc.Time) { bytes[p.Class] += float64(p.Len) }
		link(t, q, 10*qdisc.Mbit, 2*s, []source{{class: 2, sizes: []uint32{1000}}}, sent)
		want := 10.
		if isolated {
			want = 6
		}
		assert.InDelta(t, want, bytes[2]*8/2e6, .02)
		q.Reset(0)
		bytes = [3]float64{}
		link(t, q, 10*qdisc.Mbit, 2*s, []source{{class: 1, sizes: []uint32{1000}}, {class: 2, sizes: []uint32{1000}}}, sent)
		assert.InDelta(t, 4, bytes[1]*8/2e6, .02)
		assert.InDelta(t, 6, bytes[2]*8/2e6, .02)
	}
	// All of it taken: the others still move.
	q := newCBQ(t, cbq.Config{Bandwidth: 8000})
	add(t, q, 1, cbq.ClassConfig{Rate: 9000, Isolated: true})
	add(t, q, 2, cbq.ClassConfig{Rate: 1})
	fill(t, q, 2, 2, 100, 0)
	require.NotNil(t, q.Dequeue(0))
	assert.Equal(t, 800*s, readyAfterNil(t, q, 0), "100 bytes at 1 bit/s")
}

func readyAfterNil(t *testing.T, q *cbq.CBQ, now qdisc.Time) qdisc.Time {
	require.Nil(t, q.Dequeue(now))
	return q.ReadyAt(now)
}

// TestChangeRate: what a class owes, in bytes, stays; it waits as long as
// the new rate takes for it.
func TestChangeRate(t *testing.T) {
	q := newCBQ(t, cbq.Config{Bandwidth: 10 * qdisc.Mbit})
	cfg := cbq.ClassConfig{Rate: qdisc.Mbit, Bounded: true}
	add(t, q, 1, cfg)
	fill(t, q, 1, 3, 1250, 0) // 10 ms each
	require.NotNil(t, q.Dequeue(0))
	require.Equal(t, 10*ms, readyAfterNil(t, q, 5*ms))
	cfg.Rate = 5 * qdisc.Mbit
	require.NoError(t, q.ChangeClass(1, cfg, 5*ms))
	assert.Equal(t, 6*ms, readyAfterNil(t, q, 5*ms))
	cfg.Rate = 500 * qdisc.Kbit
	require.NoError(t, q.ChangeClass(1, cfg, 5*ms))
	assert.Equal(t, 15*ms, readyAfterNil(t, q, 5*ms))
	require.NotNil(t, q.Dequeue(15*ms))
	cfg.Bounded = false
	require.NoError(t, q.ChangeClass(1, cfg, 15*ms))
	assert.NotNil(t, q.Dequeue(15*ms), "it may borrow at once")

	// Parts of a nanosecond, too: they are half an hour at the other end.
	q = newCBQ(t, cbq.Config{Bandwidth: cbq.MaxRate})
	cfg = cbq.ClassConfig{Rate: cbq.MaxRate, Bounded: true}
	add(t, q, 1, cfg)
	fill(t, q, 1, 2, 1900, 0)
	require.NotNil(t, q.Dequeue(0))
	cfg.Rate = 8
	require.NoError(t, q.ChangeClass(1, cfg, 0))
	assert.Equal(t, 1900*s, readyAfterNil(t, q, 0))
}

// TestClassIsACopy: what Class and Config return is the caller's own.
func TestClassIsACopy(t *testing.T) {
	q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Mbit, EWMA: new(7)})
	add(t, q, 1, cbq.ClassConfig{Rate: 1000, EWMA: new(4)})
	class, _ := q.Class(1)
	*class.EWMA = 99
	all := q.Config()
	*all.EWMA, *all.Limit = 99, -1
	class, _ = q.Class(1)
	assert.Equal(t, 4, *class.EWMA)
	assert.Equal(t, 7, *q.Config().EWMA)
}

// TestManyClassesInADeepTree: memory follows the number of classes, not that
// number times the levels (it was 180 MB).
func TestManyClassesInADeepTree(t *testing.T) {
	before := heapInUse()
	q := newCBQ(t, cbq.Config{Bandwidth: qdisc.Gbit})
	for class := uint32(1); class <= 63; class++ {
		add(t, q, class, cbq.ClassConfig{Parent: class - 1, Rate: qdisc.Mbit, Priority: 1 + int(class%8)})
	}
	for class := uint32(100); class < 10_000; class += 2 {
		add(t, q, class, cbq.ClassConfig{Rate: qdisc.Kbit, Priority: 1 + int(class%8)})
		add(t, q, class+1, cbq.ClassConfig{Parent: class, Rate: qdisc.Kbit, Priority: 1 + int(class%8)})
	}
	assert.Less(t, heapInUse()-before, 50e6)
	runtime.KeepAlive(q)
}

func heapInUse() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// TestInnerClass: a class with packets gets a child and loses it; nothing it
// holds is lost, and its own packets have what the child leaves.
func TestInnerClass(t *testing.T) {
	var drops qdisc.List
	q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Drops: &drops})
	add(t, q, 1, cbq.ClassConfig{Rate: 10 * qdisc.Mbit, Bounded: true})
	fill(t, q, 1, 2, 1250, 0)
	add(t, q, 2, cbq.ClassConfig{Parent: 1, Rate: 4 * qdisc.Mbit})
	assert.Equal(t, 1, stats(t, q, 1).Level)
	var bytes [3]float64
	link(t, q, 100*qdisc.Mbit, s, []source{{class: 1, sizes: []uint32{1250}}, {class: 2, sizes: []uint32{1250}}}, func(p *qdisc.Packet, _ qdisc.Time) { bytes[p.Class] += float64(p.Len) })
	assert.InDelta(t, 6, bytes[1]*8/1e6, .05)
	assert.InDelta(t, 4, bytes[2]*8/1e6, .05)
	held := stats(t, q, 2).Len
	require.NoError(t, q.RemoveClass(2, s))
	assert.Equal(t, held, drops.Len())
	assert.Zero(t, stats(t, q, 1).Level)
	assert.NotZero(t, q.Len())
	n, now := q.Len(), s
	for ; n > 0; now = q.ReadyAt(now) {
		for q.Dequeue(now) != nil {
			n--
		}
	}
	assert.Equal(t, qdisc.Never, q.ReadyAt(now))
}

// TestCatchUp: a class that others kept from sending catches up what it may.
func TestCatchUp(t *testing.T) {
	for _, c := range []struct {
		catchUp time.Duration
		want    int
	}{{10 * time.Millisecond, 11}, {time.Second, 101}} {
		q := newCBQ(t, cbq.Config{Bandwidth: 10 * qdisc.Mbit, CatchUp: c.catchUp})
		add(t, q, 1, cbq.ClassConfig{Rate: 8 * qdisc.Mbit, Bounded: true}) // 1 ms a packet
		fill(t, q, 1, 300, 1000, 0)
		require.NotNil(t, q.Dequeue(0))
		n := 0
		for q.Dequeue(101*ms) != nil {
			n++
		}
		assert.Equal(t, c.want, n)
	}
}
