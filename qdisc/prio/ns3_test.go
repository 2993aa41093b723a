package prio_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

// TestNS3FIFO is ns-3's fifo case: ten packets of 1000 bytes fit, however the
// limit was set.
func TestNS3FIFO(t *testing.T) {
	for _, limit := range []fifo.Config{{Limit: new(10)}, {LimitBytes: new(int64(10 * 1000))}} {
		mk := func(cfg fifo.Config) *fifo.FIFO {
			f, err := fifo.New(cfg)
			require.NoError(t, err)
			return f
		}
		changed := mk(fifo.Config{Limit: new(1)})
		require.NoError(t, changed.Change(limit, 0))
		before, after := newPrio(t, prio.Config{}), newPrio(t, prio.Config{})
		require.NoError(t, before.SetChild(1, mk(limit), 0))
		require.NoError(t, after.Child(1).(*fifo.FIFO).Change(limit, 0))
		after.Sync(1, 0)
		for name, q := range map[string]qdisc.Qdisc{
			"set at the start": mk(limit), "set later": changed,
			"inside, at the start": before, "inside, later": after,
		} {
			for i := range 10 {
				p := packet(1, 1000)
				p.Mark = uint32(i)
				require.Equal(t, qdisc.Queued, q.Enqueue(p, 0), name)
				require.Equal(t, i+1, q.Len(), name)
				require.EqualValues(t, 1000*(i+1), q.Backlog(), name)
			}
			assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1, 1000), 0), name)
			for i := range 10 {
				require.EqualValues(t, i, q.Dequeue(0).Mark, name)
				require.Equal(t, 9-i, q.Len(), name)
			}
			assert.Nil(t, q.Dequeue(0), name)
		}
	}
}

// TestNS3Prio is ns-3's prio case.
func TestNS3Prio(t *testing.T) {
	m := [16]uint8{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}
	var class uint32
	q := newPrio(t, prio.Config{Bands: 4, Priomap: &m, Classify: func(*qdisc.Packet) uint32 { return class }})
	assert.Equal(t, "[0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3]", fmt.Sprint(*q.Config().Priomap))

	next := uint32(0)
	put := func(priority uint32) {
		next++
		require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Priority: priority, Len: 100, Mark: next}, 0))
	}
	for _, phase := range []struct {
		name              string
		classes, priority [4]uint32
		fill              []int
	}{
		{"by priority", [4]uint32{}, [4]uint32{0, 1, 2, 3}, []int{1, 1, 1, 1}},
		{"no class found", [4]uint32{}, [4]uint32{4, 5, 6, 7}, []int{2, 2, 2, 2}},
		{"the class wins", [4]uint32{1, 2, 3, 4}, [4]uint32{}, []int{3, 3, 3, 3}},
		{"class out of range", [4]uint32{5, 6, 7, 8}, [4]uint32{1, 1, 1, 1}, []int{7, 3, 3, 3}},
	} {
		for i := range 4 {
			class = phase.classes[i]
			put(phase.priority[i])
		}
		require.Equal(t, phase.fill, fill(q), phase.name)
	}
	var order []uint32
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		order = append(order, p.Mark)
	}
	assert.Equal(t, []uint32{1, 5, 9, 13, 14, 15, 16, 2, 6, 10, 3, 7, 11, 4, 8, 12}, order)
}

// TestNS3PeekAndDrops is ns-3's case of a child that drops when it is asked
// for a packet. Here the parent looks and the child parks, so that a peeked
// packet stays in the child as well; ns-3's parent takes it over.
func TestNS3PeekAndDrops(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Drops: &drops})
	child := &picky{}
	require.NoError(t, q.SetChild(2, child, 0))

	enqueue := func(size uint32) func() int {
		return func() int { q.Enqueue(packet(2, size), 0); return int(size) }
	}
	gives := func(verb func(qdisc.Time) *qdisc.Packet) func() int {
		return func() int {
			if p := verb(0); p != nil {
				return int(p.Len)
			}
			return 0
		}
	}
	peek, dequeue := gives(q.Peek), gives(q.Dequeue)
	for i, s := range []struct {
		do              func() int
		packet          int
		len, backlog    int
		refused, late   uint64
		onDropListBytes int
	}{
		{enqueue(100), 100, 1, 100, 0, 0, 0},
		{enqueue(200), 200, 2, 300, 0, 0, 0},
		{enqueue(300), 300, 3, 600, 0, 0, 0},
		{enqueue(400), 400, 4, 1000, 0, 0, 0},
		{enqueue(500), 500, 4, 1000, 1, 0, 500},
		{peek, 300, 2, 700, 1, 2, 800},
		{peek, 300, 2, 700, 1, 2, 800},
		{dequeue, 300, 1, 400, 1, 2, 800},
		{dequeue, 400, 0, 0, 1, 2, 800},
		{peek, 0, 0, 0, 1, 2, 800},
		{enqueue(100), 100, 1, 100, 1, 2, 800},
		{dequeue, 100, 0, 0, 1, 2, 800},
	} {
		require.Equal(t, s.packet, s.do(), "step %d", i)
		for _, d := range []qdisc.Qdisc{q, child} {
			require.Equal(t, s.len, d.Len(), "step %d", i)
			require.EqualValues(t, s.backlog, d.Backlog(), "step %d", i)
			stats := d.Common().ReadStats()
			require.Equal(t, s.refused, stats.Refused, "step %d", i)
			require.Equal(t, s.late, stats.Dropped, "step %d", i)
		}
		bytes := 0
		for p := range drops.All() {
			bytes += int(p.Len)
		}
		require.Equal(t, s.onDropListBytes, bytes, "step %d", i)
		qtest.CheckSums(t, q)
	}
}
