package tbf_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestOneClass(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: 1})
	all := maps.Collect(q.Children())
	require.Len(t, all, 1)
	assert.IsType(t, (*fifo.FIFO)(nil), all[1])
	assert.Same(t, all[1], q.Child(1))
	assert.Nil(t, q.Child(0))
	assert.Nil(t, q.Child(2))
	q.Sync(7, 100)
	assert.Equal(t, []string{"Class"}, qtest.Fields(t, q.SetChild(2, nil, 0)))
	var _ qdisc.Parent = q
}

func TestSetChild(t *testing.T) {
	var drops qdisc.List
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, LimitBytes: new(int64(3000)), Drops: &drops})
	fill(t, q, 3, 1000, 0)
	parked := q.Peek(0)
	require.NotNil(t, parked)
	require.Error(t, q.SetChild(1, q.Child(1), 0), "it has a parent: this one")
	require.Error(t, q.SetChild(1, q, 0))
	require.Equal(t, 3, q.Len())

	inner := mustNew(t, tbf.Config{Rate: qdisc.Tbit})
	require.NoError(t, q.SetChild(1, inner, 0))
	assert.Same(t, inner, q.Child(1))
	assert.Same(t, inner, q.Config().Child)
	assert.Nil(t, q.Config().LimitBytes)
	assert.Equal(t, 2, drops.Len(), "the old child's packets")
	for p := range drops.Drain() {
		assert.Equal(t, qdisc.Purged, p.Reason)
	}
	assert.Equal(t, 1, q.Len())
	assert.Same(t, parked, q.Dequeue(0), "which the parked one had left")
	fill(t, q, 1, 1000, 0)
	assert.Equal(t, 1, inner.Len())

	cfg := q.Config()
	assert.NoError(t, q.Change(cfg, 0))
	cfg.Child = nil
	assert.NoError(t, q.Change(cfg, 0), "nil keeps the child")
	assert.Same(t, inner, q.Child(1))
	cfg.LimitBytes = new(int64(1))
	assert.Equal(t, []string{"LimitBytes"}, qtest.Fields(t, q.Change(cfg, 0)))

	require.Nil(t, q.Dequeue(0))
	require.Equal(t, s, q.ReadyAt(0))
	require.NoError(t, q.SetChild(1, nil, 0))
	fill(t, q, 1, 10, 0)
	require.Equal(t, qdisc.Time(0), q.ReadyAt(0), "that wait was for another head")
	assert.Equal(t, 1, drops.Len())
	assert.Nil(t, q.Config().Child)
	assert.EqualValues(t, tbf.DefaultLimitBytes, *q.Config().LimitBytes)
	fill(t, q, 1500, 1000, 0)
	require.NoError(t, inner.Change(tbf.Config{Rate: 1}, 0))
	require.NoError(t, q.SetChild(1, inner, 0), "a child let go can be attached again")
	qtest.Balanced(t, q)
}

// TestChildThatWaits: a slow filter below a fast one.
func TestChildThatWaits(t *testing.T) {
	slow := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000})
	q := mustNew(t, tbf.Config{Rate: 2 * byteAMs, Burst: 1000, Child: slow})
	fill(t, q, 3, 1000, 0)
	require.Equal(t, 1, leave(q, 0))
	assert.Equal(t, s, q.ReadyAt(0), "the child's time")
	assert.Zero(t, q.ReadStats().Overlimits, "the child held it back, not this one")
	assert.Equal(t, 1, leave(q, s))
	assert.Equal(t, 2*s, q.ReadyAt(s))
	fill(t, q, 1, 1000, s)
	assert.Equal(t, s, q.ReadyAt(s), "an arrival may change what the child offers")
	require.Nil(t, q.Dequeue(s))
	require.NoError(t, slow.Change(tbf.Config{Rate: 4 * byteAMs, Burst: 1000}, s))
	assert.Equal(t, 2*s, q.ReadyAt(s))
	err := slow.Change(tbf.Config{Rate: 1, Drops: new(qdisc.List)}, s)
	assert.Equal(t, []string{"Drops"}, qtest.Fields(t, err), "the root's list serves the tree")
	assert.Equal(t, 4*byteAMs, slow.Config().Rate)
	q.Sync(1, s)
	assert.Equal(t, s, q.ReadyAt(s), "Sync forgets")
	require.Nil(t, q.Dequeue(s))
	assert.Equal(t, s+250*ms, q.ReadyAt(s))
}

// TestWaitSurvivesArrivals: behind a FIFO's head nothing changes, so the
// wake-up stays known, whether the arrival fits or not.
func TestWaitSurvivesArrivals(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, LimitBytes: new(int64(2000))})
	fill(t, q, 2, 1000, 0)
	require.Equal(t, 1, leave(q, 0))
	fill(t, q, 1, 1000, 0)
	assert.Equal(t, s, q.ReadyAt(0))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1), 0))
	assert.Equal(t, s, q.ReadyAt(0))
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1001), 0))
	assert.Equal(t, s, q.ReadyAt(0))
}

// TestHeadDropChildForgetsTheWait: the big head that was waited for is gone.
func TestHeadDropChildForgetsTheWait(t *testing.T) {
	leaf, err := fifo.New(fifo.Config{Limit: new(2), HeadDrop: true})
	require.NoError(t, err)
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1000, Child: leaf})
	fill(t, q, 2, 1000, 0)
	require.Equal(t, 1, leave(q, 0))
	fill(t, q, 1, 10, 0)
	require.Equal(t, qdisc.Congested, q.Enqueue(packet(10), 0))
	assert.Equal(t, qdisc.Time(0), q.ReadyAt(0))
	require.Nil(t, q.Dequeue(0))
	assert.Equal(t, 10*ms, q.ReadyAt(0))
}

// fickle is a child that answers as it is told.
type fickle struct {
	qdisc.Base
	p         *qdisc.Packet
	peek, out bool
	ready     qdisc.Time
}

func (f *fickle) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = f.Arrive(p, now)
	f.Accept(p, now)
	f.p = p
	return qdisc.Queued
}

func (f *fickle) Peek(qdisc.Time) *qdisc.Packet {
	if f.peek {
		return f.p
	}
	return nil
}

func (f *fickle) Dequeue(qdisc.Time) *qdisc.Packet {
	if !f.out {
		return nil
	}
	p := f.p
	f.Release(p)
	f.Sent(p)
	return p
}

func (f *fickle) ReadyAt(qdisc.Time) qdisc.Time { return f.ready }

func (f *fickle) Reset(now qdisc.Time) { f.Rewind(now) }

// TestIllBehavedChild: whatever a child says, the answer after a nil lies in
// the future, and nothing panics.
func TestIllBehavedChild(t *testing.T) {
	f := &fickle{}
	q := mustNew(t, tbf.Config{Rate: byteAMs, Child: f})
	fill(t, q, 1, 1000, 5)
	for _, tt := range []struct{ ready, want qdisc.Time }{
		{0, 6}, {5, 6}, {9, 9}, {qdisc.Never, qdisc.Blocked}, {qdisc.Blocked, qdisc.Blocked},
	} {
		f.ready = tt.ready
		require.Nil(t, q.Dequeue(5))
		assert.Equal(t, tt.want, q.ReadyAt(5))
	}
	f.peek = true // but Dequeue then gives nothing
	require.Nil(t, q.Dequeue(5))
	assert.Greater(t, q.ReadyAt(5), qdisc.Time(5))
	f.out = true
	assert.NotNil(t, q.Dequeue(5))
	assert.Equal(t, qdisc.Never, q.ReadyAt(5))
	qtest.Balanced(t, q)
}
