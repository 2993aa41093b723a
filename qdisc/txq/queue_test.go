package txq

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestNewRefuses(t *testing.T) {
	child := qtest.FIFO(10)
	_, err := tbf.New(tbf.Config{Rate: qdisc.Mbit, Child: child})
	require.NoError(t, err)
	for name, cfg := range map[string]Config{
		"Qdisc":   {},
		"Catchup": {Qdisc: qtest.FIFO(1), Catchup: new(-time.Nanosecond)},
		"Batch":   {Qdisc: qtest.FIFO(1), Batch: MaxBatch + 1},
		"parent":  {Qdisc: child},
	} {
		_, err := New(cfg)
		var ce *qdisc.ConfigError
		assert.ErrorAs(t, err, &ce, name)
	}
	assert.Nil(t, child.Common().DropList(), "a refused discipline is left alone")
}

func TestSendRecv(t *testing.T) {
	var sojourn qdisc.Histogram
	f, err := fifo.New(fifo.Config{Limit: new(5), Sojourn: &sojourn})
	require.NoError(t, err)
	clock := &virtual{t: t}
	var back returned
	q := newQueue(t, Config{Qdisc: f, Clock: clock, Free: back.free})
	ps := packets(8, 100)
	require.NoError(t, q.Send(ps))
	assert.Equal(t, 3, back.reasons[qdisc.Overlimit], "drops are handed back by the Send that caused them")

	n, err := q.Recv(nil)
	assert.Zero(t, n)
	assert.NoError(t, err)
	dst := make([]*qdisc.Packet, 3)
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, ps[:3], dst[:n])
	s := q.Stats()
	assert.Equal(t, 2, s.Len)
	assert.Equal(t, int64(200), s.Backlog)
	assert.Equal(t, s.Len, q.Len())
	assert.Zero(t, s.InFlight)
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, ps[3:5], dst[:n])
	assert.Equal(t, uint64(5), sojourn.Count(), "taking over the drop list keeps the histogram")

	s = q.Stats()
	assert.Equal(t, uint64(5), s.Qdisc.Dequeued)
	assert.Equal(t, uint64(1), s.Sends)
	assert.Equal(t, uint64(2), s.Recvs)
	assert.Equal(t, uint64(1), s.Emptied)
	assert.Zero(t, s.Sleeps)
}

func TestOwnDropListIsKept(t *testing.T) {
	var drops qdisc.List
	f, err := fifo.New(fifo.Config{Limit: new(0), Drops: &drops})
	require.NoError(t, err)
	var back returned
	q := newQueue(t, Config{Qdisc: f, Free: back.free})
	require.NoError(t, q.Send(packets(3, 1)))
	assert.Same(t, &drops, f.Common().DropList())
	assert.True(t, drops.Empty())
	assert.Equal(t, 3, back.Len())
}

// Without Free, dropped packets can at least be used again.
func TestNoFree(t *testing.T) {
	q := newQueue(t, Config{Qdisc: qtest.FIFO(1)})
	ps := packets(3, 1)
	require.NoError(t, q.Send(ps))
	require.NoError(t, q.Close())
	for _, p := range ps {
		assert.False(t, p.Linked())
		assert.NotEqual(t, qdisc.NotDropped, p.Reason)
	}
}

func TestClose(t *testing.T) {
	clock := &virtual{t: t}
	var back returned
	q := newQueue(t, Config{Qdisc: newTBF(t, qdisc.Mbit), Clock: clock, Free: back.free})
	require.NoError(t, q.Send(packets(4, 1500)))
	dst := make([]*qdisc.Packet, 1)
	_, err := q.Recv(dst)
	require.NoError(t, err)
	require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) {
		require.NotNil(t, root.Peek(1e9), "park one")
	}))
	require.NoError(t, q.Close())
	require.NoError(t, q.Close())
	assert.Equal(t, 3, back.reasons[qdisc.Closed])
	assert.Equal(t, 3, back.Len())
	assert.Zero(t, q.Len())

	n, err := q.Recv(dst)
	assert.Zero(t, n)
	assert.ErrorIs(t, err, ErrClosed)
	assert.ErrorIs(t, err, net.ErrClosed)
	assert.ErrorIs(t, q.Send(packets(2, 100)), net.ErrClosed)
	assert.Equal(t, 5, back.reasons[qdisc.Closed], "late packets are handed back as well")
	assert.ErrorIs(t, q.Run(&sink{}), ErrClosed)
	assert.ErrorIs(t, q.Do(func(qdisc.Qdisc, qdisc.Time) { t.Error("called after Close") }), ErrClosed)
}

// Drops that happened before Close keep their own reason.
func TestCloseKeepsReasons(t *testing.T) {
	f := qtest.FIFO(2)
	var back returned
	q := newQueue(t, Config{Qdisc: f, Free: back.free})
	require.NoError(t, q.Send(packets(2, 100)))
	f.Enqueue(packets(1, 100)[0], 0) // behind the queue's back: nobody hands it back
	require.NoError(t, q.Close())
	assert.Equal(t, 1, back.reasons[qdisc.Overlimit])
	assert.Equal(t, 2, back.reasons[qdisc.Closed])
}

func TestBadPacketsPanicUnlocked(t *testing.T) {
	for _, closed := range []bool{false, true} {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Free: back.free, Clock: &virtual{t: t}})
		if closed {
			require.NoError(t, q.Close())
		}
		ps := packets(3, 100)
		assert.PanicsWithValue(t, "qdisc: nil *Packet", func() { q.Send([]*qdisc.Packet{ps[0], nil}) })
		var other qdisc.List
		other.Push(ps[1])
		const linked = "qdisc: the packet is already in a discipline or a list"
		assert.PanicsWithValue(t, linked, func() { q.Send(ps) })
		assert.Zero(t, q.Len())
		assert.Zero(t, back.Len())
		assert.PanicsWithValue(t, linked, func() { q.Send([]*qdisc.Packet{ps[2], ps[2]}) })
		q.Close()
	}
}

// A panic in the middle of a batch loses no wake-up for what was taken.
func TestPanicWakes(t *testing.T) {
	clock := &virtual{t: t}
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock})
	p := packets(1, 100)[0]
	clock.meanwhile = func(qdisc.Time) {
		assert.Panics(t, func() { q.Send([]*qdisc.Packet{p, p}) })
	}
	dst := make([]*qdisc.Packet, 4)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.Same(t, p, dst[0])
}

func TestDo(t *testing.T) {
	clock := &virtual{t: t}
	var back returned
	b := newTBF(t, 8*qdisc.Kbit)
	q := newQueue(t, Config{Qdisc: b, Clock: clock, Free: back.free})
	require.NoError(t, q.Send(packets(3, 1500)))
	dst := make([]*qdisc.Packet, 8)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	require.Equal(t, 1, n)

	// The next packet is 1.5 s away until the rate goes up.
	clock.meanwhile = func(until qdisc.Time) {
		if clock.waits > 1 {
			return
		}
		assert.Equal(t, qdisc.Time(1.5e9), until)
		clock.now = 1e6
		require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) {
			assert.Same(t, b, root)
			assert.Equal(t, clock.now, now)
			cfg := b.Config()
			cfg.Rate = 12 * qdisc.Mbit
			require.NoError(t, b.Change(cfg, now)) // names no drop list
		}))
	}
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.InDelta(t, 2e6, float64(clock.now), 2000)
	assert.Equal(t, uint64(1), q.Stats().Wakeups)

	require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) { root.Reset(now) }))
	assert.Equal(t, 1, back.reasons[qdisc.Purged], "the drop list is in use again after a Change without one")

	boom := errors.New("boom")
	assert.PanicsWithError(t, "boom", func() { q.Do(func(qdisc.Qdisc, qdisc.Time) { panic(boom) }) })
	assert.Zero(t, q.Len(), "unlocked")
}

// Do may replace the drop list.
func TestDoNewDropList(t *testing.T) {
	f := qtest.FIFO(10)
	var back returned
	var drops qdisc.List
	q := newQueue(t, Config{Qdisc: f, Free: back.free})
	require.NoError(t, q.Do(func(_ qdisc.Qdisc, now qdisc.Time) {
		require.NoError(t, f.Change(fifo.Config{Limit: new(1), Drops: &drops}, now))
	}))
	require.NoError(t, q.Send(packets(3, 100)))
	assert.Equal(t, 2, back.Len())
	assert.Same(t, &drops, f.Common().DropList())
}

// Free may call the queue: it runs unlocked.
func TestFreeCallsQueue(t *testing.T) {
	var q *Queue
	again := 0
	q = newQueue(t, Config{Qdisc: qtest.FIFO(0), Free: func(ps *qdisc.List) {
		if again++; again < 10 {
			assert.NoError(t, q.Send([]*qdisc.Packet{ps.Pop()}))
		}
	}})
	require.NoError(t, q.Send(packets(1, 100)))
	assert.Equal(t, 10, again)
}
