package txq

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// explosive is a Free that panics the first time it gets a packet of a reason.
type explosive struct {
	returned
	reason qdisc.Reason
	done   bool
}

func (e *explosive) free(ps *qdisc.List) {
	if !e.done && ps.Head().Reason == e.reason {
		e.done = true
		e.returned.free(ps)
		panic("free")
	}
	e.returned.free(ps)
}

// consistent checks that all n packets are held or back, each once.
func consistent(t *testing.T, q *Queue, back *returned, n int) {
	s := q.Stats()
	assert.Equal(t, s.Qdisc.Queued-s.Qdisc.Dequeued, uint64(s.Len-s.InFlight))
	assert.GreaterOrEqual(t, s.InFlight, 0)
	require.NoError(t, q.Close())
	s = q.Stats()
	assert.Zero(t, s.Len)
	assert.Zero(t, s.Backlog)
	assert.Zero(t, s.InFlightBytes)
	seen := map[uint32]int{}
	for p := range back.Drain() {
		seen[p.Mark]++
	}
	assert.Len(t, seen, n)
	for mark, times := range seen {
		assert.Equal(t, 1, times, "packet %d", mark)
	}
}

// A Free that panics on what the device has taken: the rest stays, once.
func TestFreePanicsOnSent(t *testing.T) {
	for _, taken := range []int{1, 3, 5} {
		back := &explosive{reason: qdisc.NotDropped}
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: &virtual{t: t}, Free: back.free})
		require.NoError(t, q.Send(packets(5, 100)))
		dev := &sink{script: []answer{{taken, nil}}}
		assert.PanicsWithValue(t, "free", func() { q.Run(dev) })
		assert.Equal(t, 5-taken, q.Len())
		assert.Equal(t, taken, back.Len())
		consistent(t, q, &back.returned, 5)
	}
}

// dropping is a discipline that loses a packet whenever it gives one.
type dropping struct{ *fifo.FIFO }

func (d dropping) Dequeue(now qdisc.Time) *qdisc.Packet {
	p := d.FIFO.Dequeue(now)
	if victim := d.FIFO.Dequeue(now); victim != nil {
		victim.Reason = qdisc.HeadDrop
		d.DropList().Push(victim)
	}
	return p
}

// A Free that panics on drops: what the consumer has just taken is not lost.
func TestFreePanicsOnDrops(t *testing.T) {
	for _, run := range []bool{false, true} {
		back := &explosive{reason: qdisc.HeadDrop}
		q := newQueue(t, Config{Qdisc: dropping{qtest.FIFO(100)}, Clock: &virtual{t: t}, Free: back.free})
		require.NoError(t, q.Send(packets(6, 100)))
		assert.PanicsWithValue(t, "free", func() {
			if run {
				q.Run(&sink{})
			} else {
				q.Recv(make([]*qdisc.Packet, 8))
			}
		})
		assert.Equal(t, 3, q.Len())
		assert.Equal(t, 3, q.Stats().InFlight)
		dst := make([]*qdisc.Packet, 2)
		n, err := q.Recv(dst)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		assert.Equal(t, []uint32{0, 2}, []uint32{dst[0].Mark, dst[1].Mark})
		for _, p := range dst {
			back.Push(p)
		}
		consistent(t, q, &back.returned, 6)
	}
}

// A Do that panics after it has replaced the drop list: later drops come back.
func TestDoPanicsWithNewDropList(t *testing.T) {
	f := qtest.FIFO(1)
	var back returned
	var drops qdisc.List
	q := newQueue(t, Config{Qdisc: f, Clock: &virtual{t: t}, Free: back.free})
	ps := packets(5, 100)
	assert.PanicsWithValue(t, "f", func() {
		q.Do(func(_ qdisc.Qdisc, now qdisc.Time) {
			f.Enqueue(ps[0], now)
			f.Enqueue(ps[1], now) // dropped to the old list
			require.NoError(t, f.Change(fifo.Config{Limit: new(1), Drops: &drops}, now))
			f.Enqueue(ps[2], now) // to the new one
			panic("f")
		})
	})
	require.NoError(t, q.Send(ps[3:]))
	assert.True(t, drops.Empty())
	assert.Equal(t, 4, back.reasons[qdisc.Overlimit])
	consistent(t, q, &back, 5)
}
