package qdisc_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func newFIFO(t require.TestingT, cfg fifo.Config) *fifo.FIFO {
	q, err := fifo.New(cfg)
	require.NoError(t, err)
	return q
}

func TestClock(t *testing.T) {
	var b qdisc.Base
	for _, c := range []struct{ now, want qdisc.Time }{
		{math.MinInt64, 0}, {-1, 0}, {0, 0}, {5, 5}, {3, 5}, {-3, 5}, {7, 7},
		{qdisc.Never, qdisc.MaxTime}, {8, qdisc.MaxTime}, {qdisc.Blocked, qdisc.MaxTime},
	} {
		assert.Equal(t, c.want, b.Clock(c.now), "Clock(%d)", int64(c.now))
	}
	assert.EqualValues(t, 4, b.Rewind(4))
	assert.EqualValues(t, 4, b.Clock(3))
	assert.EqualValues(t, 0, b.Rewind(-4))
	assert.Equal(t, qdisc.MaxTime, b.Rewind(qdisc.Never))
}

// TestRefuseTooLong: a packet above MaxLen is too long, whatever else it is.
func TestRefuseTooLong(t *testing.T) {
	var b qdisc.Base
	for _, c := range []struct {
		len  uint32
		want qdisc.Reason
	}{{qdisc.MaxLen, qdisc.Unclassified}, {qdisc.MaxLen + 1, qdisc.TooLong}, {math.MaxUint32, qdisc.TooLong}} {
		p := &qdisc.Packet{Len: c.len}
		assert.Equal(t, qdisc.Dropped, b.Refuse(p, qdisc.Unclassified))
		assert.Equal(t, c.want, p.Reason)
	}
	assert.EqualValues(t, 2, b.ReadStats().Drops[qdisc.TooLong])
}

func TestBaseReadyAt(t *testing.T) {
	var b qdisc.Base
	assert.Equal(t, qdisc.Never, b.ReadyAt(5))
	p := &qdisc.Packet{Len: 100}
	b.Accept(p, b.Arrive(p, 10))
	assert.EqualValues(t, 10, p.Stamp)
	assert.EqualValues(t, 20, b.ReadyAt(20), "not known: now")
	assert.Equal(t, qdisc.MaxTime, b.ReadyAt(qdisc.Never), "Never is for the empty alone")
	b.Wait(50)
	assert.EqualValues(t, 50, b.ReadyAt(20))
	assert.EqualValues(t, 60, b.ReadyAt(60), "past: now")
	b.Clock(70)
	assert.EqualValues(t, 20, b.ReadyAt(20), "past on the discipline's own clock")
	b.Wait(qdisc.Blocked)
	assert.Equal(t, qdisc.Blocked, b.ReadyAt(80))
	b.Forget()
	assert.EqualValues(t, 80, b.ReadyAt(80))

	b.Wait(500)
	b.Release(p)
	b.Park(p)
	assert.EqualValues(t, 80, b.ReadyAt(80), "a parked packet may leave at once")
	assert.Same(t, p, b.Parked())
	assert.Equal(t, 1, b.Len())
	assert.EqualValues(t, 100, b.Backlog())
	assert.Same(t, p, b.Unpark())
	assert.Nil(t, b.Unpark())
	assert.Zero(t, b.Len())
	assert.Zero(t, b.Backlog())
}

// TestLosses: each way to lose a packet goes to its counter, to its reason and
// onto the drop list, and the identities hold.
func TestLosses(t *testing.T) {
	var drops qdisc.List
	var b qdisc.Base
	require.NoError(t, b.Attend(&drops, nil))
	take := func() *qdisc.Packet {
		p := &qdisc.Packet{Len: 10}
		b.Accept(p, b.Arrive(p, 1))
		return p
	}
	assert.Equal(t, qdisc.Dropped, b.Refuse(new(qdisc.Packet), qdisc.Unclassified))
	p := take()
	b.Release(p)
	b.Drop(p, qdisc.HeadDrop)
	p = take()
	b.Release(p)
	b.Purge(p)
	var list qdisc.List
	list.Push(take())
	list.Push(take())
	b.PurgeList(&list)
	p = take()
	b.Release(p)
	b.Park(p)
	b.PurgeParked()
	b.PurgeParked()
	p = take()
	b.Release(p)
	b.Sent(p)
	take()
	b.SplitInto(3)
	b.Overlimit()

	want := qdisc.Stats{
		Received: 6, Split: 2, Queued: 7, Refused: 1, Dequeued: 1, SentBytes: 10, Dropped: 1, Purged: 4, Overlimits: 1,
	}
	want.Drops[qdisc.Unclassified], want.Drops[qdisc.HeadDrop], want.Drops[qdisc.Purged] = 1, 1, 4
	got := b.ReadStats()
	assert.Equal(t, want, got)
	assert.EqualValues(t, 6, got.Lost())
	assert.Equal(t, 1, b.Len())
	assert.Equal(t, got.Queued, got.Dequeued+got.Dropped+got.Purged+uint64(b.Len()))

	var reasons []qdisc.Reason
	for p := range drops.Drain() {
		reasons = append(reasons, p.Reason)
	}
	assert.Equal(t, []qdisc.Reason{
		qdisc.Unclassified, qdisc.HeadDrop, qdisc.Purged, qdisc.Purged, qdisc.Purged, qdisc.Purged,
	}, reasons)
}

func TestBatches(t *testing.T) {
	q := newFIFO(t, fifo.Config{Limit: new(6)})
	ps := make([]*qdisc.Packet, 8)
	for i := range ps {
		ps[i] = &qdisc.Packet{Len: 100}
	}
	assert.Equal(t, 6, qdisc.EnqueueBatch(q, ps, 0))
	assert.Zero(t, qdisc.EnqueueBatch(q, nil, 0))

	dst := make([]*qdisc.Packet, 4)
	assert.Zero(t, qdisc.DequeueBatch(q, dst, 0, 0))
	assert.Zero(t, qdisc.DequeueBatch(q, dst, 0, -1))
	assert.Zero(t, qdisc.DequeueBatch(q, nil, 0, 1000))
	assert.Equal(t, 2, qdisc.DequeueBatch(q, dst, 0, 101), "a packet beyond the budget is still taken")
	assert.Equal(t, ps[:2], dst[:2])
	assert.Equal(t, 1, qdisc.DequeueBatch(q, dst, 0, 100))
	assert.Equal(t, 3, qdisc.DequeueBatch(q, dst, 0, math.MaxInt64))
	assert.Same(t, ps[5], dst[2])

	head := newFIFO(t, fifo.Config{Limit: new(2), HeadDrop: true})
	assert.Equal(t, 3, qdisc.EnqueueBatch(head, []*qdisc.Packet{new(qdisc.Packet), new(qdisc.Packet), new(qdisc.Packet)}, 0),
		"congested is not refused")
}
