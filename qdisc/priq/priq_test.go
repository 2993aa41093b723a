package priq_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

// TestOrder: the largest priority first, whatever the class numbers, with gaps.
func TestOrder(t *testing.T) {
	q := newPRIQ(t, priq.Config{})
	for class, priority := range map[uint32]int{1: 7, 2: 15, 3: 0, 16: 1} {
		add(t, q, class, priority, nil)
	}
	for i := range uint32(2) {
		for _, class := range []uint32{1, 2, 3, 16} {
			q.Enqueue(packet(class, 10*class+i), 0)
		}
	}
	assert.EqualValues(t, 20, q.Peek(0).Len)
	assert.Equal(t, []int{20, 21, 10, 11, 160, 161, 30, 31}, qtest.Drain(q, 0))
	qtest.CheckSums(t, q)
}

// TestDefaultClass: what names no class, or none that exists, goes to the
// default class, or is refused.
func TestDefaultClass(t *testing.T) {
	var drops qdisc.List
	q := newPRIQ(t, priq.Config{Default: 2, Drops: &drops})
	for _, class := range []uint32{0, 2, 17, 1 << 31} {
		assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(class, 1), 0))
		assert.Equal(t, qdisc.Unclassified, drops.Pop().Reason)
	}
	add(t, q, 1, 3, nil)
	add(t, q, 2, 9, nil)
	for _, class := range []uint32{0, 2, 3, 17, 1 << 31} {
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(class, 1), 0))
	}
	assert.Equal(t, 5, q.Child(2).Len())
	require.NoError(t, q.Change(priq.Config{Default: 1, Classify: func(*qdisc.Packet) uint32 { return 0 }}, 0))
	q.Enqueue(packet(2, 1), 0)
	assert.Equal(t, 1, q.Child(1).Len())
	require.NoError(t, q.RemoveClass(1, 0))
	assert.Equal(t, qdisc.Purged, drops.Pop().Reason)
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(2, 1), 0))
	qtest.CheckSums(t, q)
}

func TestLimits(t *testing.T) {
	q := filled(t, priq.Config{}, 1)
	for range 60 {
		q.Enqueue(packet(1, 1), 0)
	}
	assert.Equal(t, priq.DefaultLimit, q.Len())
	assert.Equal(t, uint64(10), q.ReadStats().Refused)

	// A new limit is for new classes; a limit of 0 holds nothing.
	require.NoError(t, q.Change(priq.Config{Limit: new(0)}, 0))
	add(t, q, 2, 5, nil)
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(2, 1), 0))
	assert.Len(t, qtest.Drain(q, 0), priq.DefaultLimit)
	limit := q.Config().Limit
	*limit = 9
	assert.Zero(t, *q.Config().Limit, "the caller's copy is its own")
}

func TestErrors(t *testing.T) {
	_, err := priq.New(priq.Config{Default: 17, Limit: new(-1)})
	qtest.ConfigErrors(t, err, "Default = 17", "Limit = -1")
	q := filled(t, priq.Config{}, 2)
	q.Enqueue(packet(1, 1), 0)
	for _, c := range []struct {
		err  error
		says string
	}{
		{q.Change(priq.Config{Default: 17}, 0), "Default = 17"},
		{q.AddClass(0, priq.ClassConfig{Priority: 3}, 0), "Class = 0"},
		{q.AddClass(17, priq.ClassConfig{Priority: 3}, 0), "Class = 17"},
		{q.AddClass(2, priq.ClassConfig{Priority: 3}, 0), "already"},
		{q.AddClass(3, priq.ClassConfig{Priority: 16}, 0), "Priority = 16"},
		{q.AddClass(3, priq.ClassConfig{Priority: -1}, 0), "Priority = -1"},
		{q.AddClass(3, priq.ClassConfig{Priority: 1}, 0), "another class has it"},
		{q.AddClass(3, priq.ClassConfig{Priority: 3, Child: q}, 0), "descendant"},
		{q.ChangeClass(3, priq.ClassConfig{}, 0), "no such class"},
		{q.ChangeClass(1, priq.ClassConfig{Priority: 1}, 0), "another class has it"},
		{q.ChangeClass(1, priq.ClassConfig{Child: qtest.FIFO(1)}, 0), "SetChild"},
		{q.RemoveClass(3, 0), "no such class"},
		{q.SetChild(3, nil, 0), "no such class"},
		{q.SetChild(1, q, 0), "descendant"},
	} {
		qtest.ConfigErrors(t, c.err, c.says)
	}
	assert.Equal(t, []uint32{1, 2}, slices.Sorted(maps.Keys(maps.Collect(q.Children()))), "nothing changed")
	assert.Equal(t, 1, q.Child(1).Len())
	_, ok := q.Class(3)
	assert.False(t, ok)
}

// TestChangeClass: a class takes its packets along to another priority.
func TestChangeClass(t *testing.T) {
	q := filled(t, priq.Config{Default: 1}, 3)
	for class := range uint32(3) {
		q.Enqueue(packet(class+1, class+1), 0)
	}
	assert.EqualValues(t, 3, q.Peek(0).Len)
	require.NoError(t, q.ChangeClass(1, priq.ClassConfig{Priority: 15}, 0))
	require.NoError(t, q.ChangeClass(3, priq.ClassConfig{Priority: 0}, 0))
	require.NoError(t, q.ChangeClass(2, priq.ClassConfig{Priority: 1, Child: q.Child(2)}, 0))
	q.Enqueue(packet(0, 4), 0)
	assert.Equal(t, []int{1, 4, 2, 3}, qtest.Drain(q, 0))
	cfg, ok := q.Class(1)
	assert.True(t, ok)
	assert.Equal(t, priq.ClassConfig{Priority: 15}, cfg)
	add(t, q, 4, 2, nil) // what class 3 had
	qtest.CheckSums(t, q)
}

// TestChangeHeldClass: a class that holds its packets back is asked again
// after it has moved.
func TestChangeHeldClass(t *testing.T) {
	q := filled(t, priq.Config{}, 2)
	g := &qtest.Gate{Opens: 100}
	require.NoError(t, q.SetChild(2, g, 0))
	q.Enqueue(packet(2, 2), 0)
	assert.Nil(t, q.Dequeue(0))
	assert.Equal(t, qdisc.Time(100), q.ReadyAt(0))
	require.NoError(t, q.ChangeClass(2, priq.ClassConfig{Priority: 9}, 0))
	assert.Equal(t, qdisc.Time(100), q.ReadyAt(0))
	q.Enqueue(packet(1, 1), 0)
	assert.Equal(t, []int{1}, qtest.Drain(q, 50), "the class below is served meanwhile")
	assert.Equal(t, []int{2}, qtest.Drain(q, 100))
	g.Opens = qdisc.Blocked
	q.Enqueue(packet(2, 2), 100)
	assert.Nil(t, q.Peek(100))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(100))
	g.Opens = 0
	q.Sync(2, 100)
	assert.Equal(t, []int{2}, qtest.Drain(q, 100))
}

// TestRemoveAndSetChild: packets that wait are purged, the classes beside stay.
func TestRemoveAndSetChild(t *testing.T) {
	var drops qdisc.List
	q := filled(t, priq.Config{Drops: &drops}, 3)
	own := qtest.FIFO(1)
	for class := range uint32(3) {
		q.Enqueue(packet(class+1, class+1), 0)
	}
	require.NoError(t, q.SetChild(3, own, 0))
	require.NoError(t, q.RemoveClass(2, 0))
	assert.Equal(t, 2, drops.Len())
	assert.Nil(t, q.Child(2))
	cfg, _ := q.Class(3)
	assert.Same(t, own, cfg.Child)
	for range 2 {
		q.Enqueue(packet(3, 3), 0)
	}
	assert.Equal(t, []int{3, 1}, qtest.Drain(q, 0))
	require.NoError(t, q.SetChild(3, nil, 0))
	assert.False(t, own.HasParent())
	stats := maps.Collect(q.Classes())
	assert.Len(t, stats, 2)
	assert.Equal(t, uint64(1), stats[1].Dequeued)
	qtest.CheckSums(t, q)
}

// TestFull: all 16 classes come, go and come again.
func TestFull(t *testing.T) {
	q := newPRIQ(t, priq.Config{})
	for range 2 {
		for i := range priq.MaxClass {
			add(t, q, uint32(i+1), priq.MaxPriority-i, nil)
			q.Enqueue(packet(uint32(i+1), uint32(i+1)), 0)
		}
		assert.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, qtest.Drain(q, 0))
		for class := range q.Children() {
			require.NoError(t, q.RemoveClass(class, 0))
		}
	}
}

// TestCoDel: a class under CoDel loses packets when it is starved, and those
// lost do not keep the classes below from being served.
func TestCoDel(t *testing.T) {
	var drops qdisc.List
	var h qdisc.Histogram
	q := newPRIQ(t, priq.Config{Default: 1, Drops: &drops, Sojourn: &h})
	managed, err := codel.New(codel.Config{Limit: new(50)})
	require.NoError(t, err)
	add(t, q, 1, 0, nil)
	add(t, q, 2, 1, managed)
	now := qdisc.Time(0)
	for range 1000 {
		q.Enqueue(packet(2, 1500), now)
		q.Enqueue(packet(2, 1500), now)
		q.Enqueue(packet(1, 100), now)
		now = now.Add(time.Millisecond)
		q.Peek(now)
		require.NotNil(t, q.Dequeue(now))
	}
	s := managed.ReadStats()
	assert.Greater(t, s.Dropped, uint64(10))
	assert.Equal(t, s.Dropped+q.Common().ReadStats().Refused, uint64(drops.Len()))
	assert.Equal(t, uint64(1000), h.Count())
	qtest.CheckSums(t, q)
}

func TestReset(t *testing.T) {
	var drops qdisc.List
	q := filled(t, priq.Config{Drops: &drops}, 3)
	require.NoError(t, q.SetChild(3, &qtest.Gate{Opens: 5000}, 0))
	for class := range uint32(3) {
		q.Enqueue(packet(class+1, 100), 1000)
	}
	q.Peek(1000)
	q.Reset(5)
	assert.Equal(t, 3, drops.Len())
	assert.Equal(t, qdisc.Never, q.ReadyAt(5))
	p := packet(1, 100)
	q.Enqueue(p, 6)
	assert.Equal(t, qdisc.Time(6), p.Stamp, "the clock was set back")
	qtest.CheckSums(t, q)
}
