package prio_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// gated returns a Prio whose first bands are gates.
func gated(t require.TestingT, opens ...qdisc.Time) (*prio.Prio, []*qtest.Gate) {
	q := newPrio(t, prio.Config{})
	var gates []*qtest.Gate
	for i, at := range opens {
		g := &qtest.Gate{Opens: at}
		require.NoError(t, q.SetChild(uint32(i+1), g, 0))
		gates = append(gates, g)
	}
	return q, gates
}

// TestHeldBand: a band whose child holds packets and gives none is passed
// over, not asked before the child's time, and then served first.
func TestHeldBand(t *testing.T) {
	for _, peeks := range []bool{false, true} {
		q, g := gated(t, 100)
		q.Enqueue(packet(1, 1), 0)
		for i := range uint32(4) {
			q.Enqueue(packet(2, 10+i), 0)
		}
		for now := qdisc.Time(10); now < 40; now += 10 {
			if peeks {
				require.EqualValues(t, 9+now/10, q.Peek(now).Len)
			}
			require.EqualValues(t, 9+now/10, q.Dequeue(now).Len)
		}
		assert.Equal(t, 1, g[0].Asked)
		assert.Equal(t, qdisc.Time(40), q.ReadyAt(40), "band 2 can give at once")
		assert.Equal(t, []int{1, 13}, qtest.Drain(q, 100))
		qtest.CheckSums(t, q)
	}
}

func TestReadyAt(t *testing.T) {
	q, g := gated(t, 300, 200)
	assert.Equal(t, qdisc.Never, q.ReadyAt(0))
	q.Enqueue(packet(1, 1), 0)
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0), "the children know before they are asked")
	assert.Nil(t, q.Dequeue(0))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0))
	q.Enqueue(packet(2, 2), 0)
	assert.Equal(t, qdisc.Time(200), q.ReadyAt(0))
	assert.Nil(t, q.Peek(0))
	assert.Equal(t, qdisc.Time(200), q.ReadyAt(0))
	assert.Equal(t, qdisc.Time(250), q.ReadyAt(250))
	q.Enqueue(packet(3, 3), 0)
	assert.Equal(t, qdisc.Time(5), q.ReadyAt(5))
	assert.Equal(t, []int{3}, qtest.Drain(q, 5))
	assert.Equal(t, 2, q.Len())

	assert.Equal(t, []int{2}, qtest.Drain(q, 299))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(299))

	// Only an outside event can help, and it says so by Sync.
	g[0].Opens = qdisc.Blocked
	q.Sync(1, 299)
	assert.Nil(t, q.Dequeue(299))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(299))
	assert.Nil(t, q.Dequeue(qdisc.MaxTime-1))
	g[0].Opens = 0
	q.Sync(1, qdisc.MaxTime-1)
	assert.Equal(t, []int{1}, qtest.Drain(q, qdisc.MaxTime-1))
	assert.Equal(t, qdisc.Never, q.ReadyAt(qdisc.MaxTime-1))
}

// TestHeldBandReturns: besides its time, an arrival or a Sync brings a band
// back.
func TestHeldBandReturns(t *testing.T) {
	q, g := gated(t, 1000)
	q.Enqueue(packet(1, 1), 0)
	assert.Nil(t, q.Dequeue(0))
	g[0].Opens = 0
	assert.Nil(t, q.Dequeue(1), "nobody told it")
	q.Sync(7, 1) // no such class
	q.Sync(0, 1)
	assert.Nil(t, q.Dequeue(1))
	q.Enqueue(packet(1, 2), 2)
	assert.Equal(t, []int{1, 2}, qtest.Drain(q, 2))
}

// dreamer lies about when it is ready.
type dreamer struct {
	qtest.Gate
	says qdisc.Time
}

func (d *dreamer) ReadyAt(qdisc.Time) qdisc.Time { return d.says }

func TestLyingChild(t *testing.T) {
	for _, says := range []qdisc.Time{-5, 0, 50, qdisc.Never} {
		q := newPrio(t, prio.Config{})
		d := &dreamer{qtest.Gate{Opens: qdisc.Blocked}, says}
		require.NoError(t, q.SetChild(1, d, 0))
		q.Enqueue(packet(1, 1), 0)
		for _, now := range []qdisc.Time{50, 60, qdisc.MaxTime} {
			assert.Nil(t, q.Dequeue(now))
			assert.Greater(t, q.ReadyAt(now), now)
			assert.LessOrEqual(t, q.ReadyAt(now), qdisc.Blocked)
		}
		qtest.CheckSums(t, q)
	}
}

// TestChangedBehindItsBack: until Sync packets put into a child may be
// overlooked, and nothing else goes wrong.
func TestChangedBehindItsBack(t *testing.T) {
	q := newPrio(t, prio.Config{})
	for class := range uint32(3) {
		q.Enqueue(packet(class+1, 10*(class+1)), 0)
	}
	q.Child(1).Dequeue(0)
	q.Child(2).Reset(0)
	assert.Equal(t, []int{30}, qtest.Drain(q, 0))
	assert.Equal(t, qdisc.Never, q.ReadyAt(0))

	q.Child(2).Enqueue(packet(0, 5), 0)
	assert.Equal(t, 1, q.Len())
	assert.Nil(t, q.Dequeue(0))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(0))
	q.Sync(2, 0)
	assert.Equal(t, qdisc.Time(0), q.ReadyAt(0))
	assert.Equal(t, []int{5}, qtest.Drain(q, 0))
	qtest.CheckSums(t, q)
}

// TestPeekLooks: an arrival in an earlier band goes before what Peek showed.
func TestPeekLooks(t *testing.T) {
	q := newPrio(t, prio.Config{})
	assert.Nil(t, q.Peek(0))
	q.Enqueue(packet(2, 2), 0)
	assert.EqualValues(t, 2, q.Peek(0).Len)
	assert.Equal(t, 1, q.Len())
	q.Enqueue(packet(1, 1), 0)
	assert.EqualValues(t, 1, q.Peek(0).Len)
	assert.Equal(t, []int{1, 2}, qtest.Drain(q, 0))
}
