package qdisc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/tbf"
)

// A time after the last instant is the last instant, to ReadyAt as well.
func TestReadyAtEndOfTime(t *testing.T) {
	q, err := tbf.New(tbf.Config{Rate: 8, Burst: 100})
	require.NoError(t, err)
	for range 2 {
		q.Enqueue(&qdisc.Packet{Len: 100}, qdisc.Never)
	}
	require.NotNil(t, q.Dequeue(qdisc.Never))
	require.Nil(t, q.Dequeue(qdisc.Never))
	for _, now := range []qdisc.Time{qdisc.MaxTime, qdisc.Blocked, qdisc.Never} {
		assert.Equal(t, qdisc.Blocked, q.ReadyAt(now))
	}
}

// Peek, too, is passed the present time.
func TestPeekAdvancesTheClock(t *testing.T) {
	f, err := fifo.New(fifo.Config{})
	require.NoError(t, err)
	b, err := tbf.New(tbf.Config{Rate: qdisc.Mbit})
	require.NoError(t, err)
	for _, q := range []qdisc.Qdisc{f, b} {
		q.Enqueue(&qdisc.Packet{Len: 100}, 0)
		require.NotNil(t, q.Peek(0))
		require.NotNil(t, q.Peek(1000))
		late := &qdisc.Packet{Len: 100}
		q.Enqueue(late, 500)
		assert.Equal(t, qdisc.Time(1000), late.Stamp, "%T", q)
	}
}

func TestHistogramMeanOfTheLongest(t *testing.T) {
	var h qdisc.Histogram
	h.Record(qdisc.MaxTime.Sub(0))
	assert.Equal(t, qdisc.MaxTime.Sub(0), h.Mean())
}

// A wake-up that was noted for one head says nothing of the next: here a band
// that is itself held to a rate puts a cheaper packet in front.
func TestWakeUpIsForgottenWithItsHead(t *testing.T) {
	slow, err := tbf.New(tbf.Config{Rate: 8000, Burst: 100}) // a byte a millisecond
	require.NoError(t, err)
	bands, err := prio.New(prio.Config{})
	require.NoError(t, err)
	require.NoError(t, bands.SetChild(1, slow, 0))
	q, err := tbf.New(tbf.Config{Rate: 80_000, Burst: 10_000, Child: bands})
	require.NoError(t, err)
	send := func(class, size uint32) {
		q.Enqueue(&qdisc.Packet{Len: size, Class: class}, 0)
	}
	send(2, 9800)
	require.NotNil(t, q.Dequeue(0))
	send(1, 100)
	require.NotNil(t, q.Dequeue(0))
	send(1, 10)
	send(1, 10)
	send(2, 9000)
	require.Nil(t, q.Dequeue(0), "the big packet waits for tokens")
	const ms = 1_000_000
	require.Equal(t, qdisc.Time(890*ms), q.ReadyAt(0))
	require.NotNil(t, q.Dequeue(20*ms), "a small one was freed meanwhile")
	assert.Equal(t, qdisc.Time(20*ms), q.ReadyAt(20*ms))
}
