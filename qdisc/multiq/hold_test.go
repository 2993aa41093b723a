package multiq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

// gated returns a Multiq whose first bands are gates, the others FIFOs.
func gated(t require.TestingT, bands int, opens ...qdisc.Time) (*multiq.Multiq, []*qtest.Gate) {
	q := newMultiq(t, multiq.Config{Bands: bands})
	var gates []*qtest.Gate
	for i, at := range opens {
		g := &qtest.Gate{Opens: at}
		require.NoError(t, q.SetChild(uint32(i+1), g, 0))
		gates = append(gates, g)
	}
	return q, gates
}

// TestHeldBand: a band whose child holds packets and gives none is passed over
// and not asked before the child's time; then it has its turn.
func TestHeldBand(t *testing.T) {
	for _, peeks := range []bool{false, true} {
		q, g := gated(t, 2, 100)
		q.Enqueue(packet(0, 1), 0)
		for i := range uint32(5) {
			q.Enqueue(packet(1, 10+i), 0)
		}
		for now := qdisc.Time(10); now < 40; now += 10 {
			if peeks {
				require.EqualValues(t, 9+now/10, q.Peek(now).Len)
			}
			require.EqualValues(t, 9+now/10, q.Dequeue(now).Len)
		}
		assert.Equal(t, 2, g[0].Asked+g[0].AskedTime, "for a packet, and for its time")
		assert.Equal(t, qdisc.Time(40), q.ReadyAt(40), "band 1 can give at once")
		assert.Equal(t, []int{1, 13, 14}, qtest.Drain(q, 100))
		qtest.CheckSums(t, q)
	}
}

func TestReadyAt(t *testing.T) {
	q, g := gated(t, 3, 300, 200)
	assert.Equal(t, qdisc.Never, q.ReadyAt(0))
	q.Enqueue(packet(0, 1), 0)
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0), "the children know before they are asked")
	assert.Nil(t, q.Dequeue(0))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0))
	q.Enqueue(packet(1, 2), 0)
	assert.Equal(t, qdisc.Time(200), q.ReadyAt(0))
	assert.Nil(t, q.Peek(0))
	assert.Equal(t, qdisc.Time(200), q.ReadyAt(0))
	assert.Equal(t, qdisc.Time(250), q.ReadyAt(250))
	q.Enqueue(packet(2, 3), 0)
	assert.Equal(t, qdisc.Time(5), q.ReadyAt(5))
	assert.Equal(t, []int{3}, qtest.Drain(q, 5))

	assert.Equal(t, []int{2}, qtest.Drain(q, 299))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(299))

	// Only an outside event can help, and it says so by Sync.
	g[0].Opens = qdisc.Blocked
	q.Sync(1, 299)
	assert.Nil(t, q.Dequeue(299))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(299))
	assert.Nil(t, q.Dequeue(qdisc.MaxTime-1))
	g[0].Opens = 0
	q.Sync(0, qdisc.MaxTime-1)
	q.Sync(4, qdisc.MaxTime-1)
	assert.Nil(t, q.Dequeue(qdisc.MaxTime-1), "no such classes")
	q.Sync(1, qdisc.MaxTime-1)
	assert.Equal(t, []int{1}, qtest.Drain(q, qdisc.MaxTime-1))
	assert.Equal(t, qdisc.Never, q.ReadyAt(qdisc.MaxTime-1))
}

// TestReplacedWhileHeld: what a child said does not bind the one after it.
func TestReplacedWhileHeld(t *testing.T) {
	q, _ := gated(t, 2, 300, 200)
	q.Enqueue(packet(0, 1), 0)
	q.Enqueue(packet(1, 2), 0)
	assert.Nil(t, q.Dequeue(0))
	require.NoError(t, q.SetChild(2, nil, 0))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0))
	q.Enqueue(packet(1, 3), 0)
	assert.Equal(t, []int{3}, qtest.Drain(q, 0))
	require.NoError(t, q.Change(multiq.Config{Bands: 1}, 0))
	assert.Equal(t, qdisc.Time(300), q.ReadyAt(0))
	assert.Equal(t, []int{1}, qtest.Drain(q, 300))
	qtest.CheckSums(t, q)
}

// TestManyHeldBands: the calls of children are of the order of the packets,
// not of the bands for each packet.
func TestManyHeldBands(t *testing.T) {
	const bands = 1024
	opens := make([]qdisc.Time, bands)
	for i := range opens {
		opens[i] = qdisc.Time(1000 + i*7919%bands)
	}
	q, gates := gated(t, bands, opens...)
	for i := range bands {
		q.Enqueue(packet(i, uint32(opens[i])), 0)
	}
	assert.Equal(t, qdisc.Time(0), q.ReadyAt(0), "to ask 1024 children would take too long")
	assert.Nil(t, q.Dequeue(0))
	assert.Equal(t, qdisc.Time(1000), q.ReadyAt(0))
	for n := range bands {
		now := q.ReadyAt(0)
		require.Equal(t, qdisc.Time(1000+n), now)
		require.Equal(t, []int{int(now)}, qtest.Drain(q, now))
	}
	asked := 0
	for _, g := range gates {
		asked += g.Asked + g.AskedTime
	}
	assert.LessOrEqual(t, asked, 64+3*bands)
}

// dreamer lies about when it is ready.
type dreamer struct {
	qtest.Gate
	says qdisc.Time
}

func (d *dreamer) ReadyAt(qdisc.Time) qdisc.Time { return d.says }

func TestLyingChild(t *testing.T) {
	for _, says := range []qdisc.Time{-5, 0, 50, qdisc.Never} {
		q := newMultiq(t, multiq.Config{})
		d := &dreamer{qtest.Gate{Opens: qdisc.Blocked}, says}
		require.NoError(t, q.SetChild(1, d, 0))
		q.Enqueue(packet(0, 1), 0)
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
	q := newMultiq(t, multiq.Config{Bands: 3})
	for i := range 3 {
		q.Enqueue(packet(i, uint32(10*(i+1))), 0)
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
