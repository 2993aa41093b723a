package txq

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

// A packet that is done at once does not hide one that is done later.
func TestMemDeviceWithoutBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		clock := RuntimeClock()
		d, err := NewMemDevice(MemConfig{Clock: clock, Rate: 8 * qdisc.Mbit})
		require.NoError(t, err)
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock, Free: back.free})
		result := start(q, d)
		require.NoError(t, q.Send([]*qdisc.Packet{{}, {Len: 100}}))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 2, back.reasons[qdisc.NotDropped])
		assert.Zero(t, q.Len())
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		require.NoError(t, d.Close())
	})
}

// Which hardware queues are stopped is the queue's to say: not what was done
// to the discipline before New, nor inside Do.
func TestStopsAreTheQueues(t *testing.T) {
	root, err := multiq.New(multiq.Config{Bands: 2})
	require.NoError(t, err)
	root.Stop(0)
	q := newQueue(t, Config{Qdisc: root, Clock: &virtual{t: t}, Queues: 2})
	dst := make([]*qdisc.Packet, 4)
	require.NoError(t, q.Send([]*qdisc.Packet{{Len: 1}}))
	n, err := q.Recv(dst)
	require.NoError(t, err)
	require.Equal(t, 1, n)

	require.NoError(t, q.Do(func(qdisc.Qdisc, qdisc.Time) { root.Stop(1) }))
	require.NoError(t, q.Send([]*qdisc.Packet{{Len: 1, TxQueue: 1}}))
	n, err = q.Recv(dst)
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// After Close, too, a packet that comes twice panics and the others go back.
func TestTwiceAfterClose(t *testing.T) {
	var back returned
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: &virtual{t: t}, Free: back.free})
	require.NoError(t, q.Close())
	a, b := new(qdisc.Packet), new(qdisc.Packet)
	assert.Panics(t, func() { q.Send([]*qdisc.Packet{a, b, a}) })
	assert.Equal(t, 2, back.Len())
	assert.ErrorIs(t, q.Send(nil), ErrClosed)
}
