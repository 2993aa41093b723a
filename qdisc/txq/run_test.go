package txq

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// sink is a Device that answers by a script, then takes everything.
type sink struct {
	script []answer
	got    []uint32
	calls  []time.Time
}

type answer struct {
	n   int
	err error
}

func (s *sink) Write(ps []*qdisc.Packet) (int, error) {
	s.calls = append(s.calls, time.Now())
	a := answer{n: len(ps)}
	if len(s.script) > 0 {
		a, s.script = s.script[0], s.script[1:]
	}
	for _, p := range ps[:max(0, min(a.n, len(ps)))] {
		s.got = append(s.got, p.Mark)
	}
	return a.n, a.err
}

// start runs q into dev and returns a function that waits for Run's error.
func start(q *Queue, dev Device) (result func() error) {
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { err = q.Run(dev) })
	return func() error { wg.Wait(); return err }
}

func order(from, to uint32) (ids []uint32) {
	for ; from < to; from++ {
		ids = append(ids, from)
	}
	return ids
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Batch: 4})
		dev := &sink{script: []answer{{n: 4}, {n: 1}, {n: 2}, {n: 1}}}
		result := start(q, dev)
		require.NoError(t, q.Send(packets(10, 100)))
		synctest.Wait()
		assert.Equal(t, order(0, 10), dev.got)
		assert.Equal(t, 10, back.reasons[qdisc.NotDropped])
		s := q.Stats()
		assert.Equal(t, uint64(3+1), s.Requeues, "of the second batch the device left 3, then 1")
		assert.Zero(t, s.Len)
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
	})
}

func TestRunTemporaryErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock()})
		dev := &sink{script: []answer{
			{0, syscall.EAGAIN}, {0, syscall.ENOBUFS}, {0, nil}, {1, syscall.EAGAIN}, {0, nil},
		}}
		began := time.Now()
		result := start(q, dev)
		require.NoError(t, q.Send(packets(5, 100)))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, order(0, 5), dev.got)
		var at []time.Duration
		for _, c := range dev.calls {
			at = append(at, c.Sub(began))
		}
		const us = time.Microsecond
		assert.Equal(t, []time.Duration{0, 100 * us, 300 * us, 700 * us, 800 * us, 1000 * us}, at,
			"pauses double, and start again when a packet was taken")
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
	})
}

// An error ends Run; what was not written goes first in the next one.
func TestRunError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Batch: 8})
		require.NoError(t, q.Send(packets(10, 100)))
		dev := &sink{script: []answer{{2, io.ErrUnexpectedEOF}}}
		assert.Equal(t, io.ErrUnexpectedEOF, q.Run(dev))
		s := q.Stats()
		assert.Equal(t, 8, s.Len)
		assert.Equal(t, int64(800), s.Backlog)
		assert.Equal(t, 6, s.InFlight)
		assert.Equal(t, int64(600), s.InFlightBytes)

		dst := make([]*qdisc.Packet, 3)
		n, err := q.Recv(dst)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		assert.Equal(t, uint32(2), dst[0].Mark)
		assert.Equal(t, 3, q.Stats().InFlight)

		dev.script = []answer{{3, nil}, {-1, nil}}
		assert.ErrorContains(t, q.Run(dev), "took -1 of 2")
		assert.Equal(t, []uint32{0, 1, 5, 6, 7}, dev.got)
		assert.Equal(t, 2, q.Len())
		require.NoError(t, q.Close())
		assert.Equal(t, 2, back.reasons[qdisc.Closed])
		assert.Equal(t, 5, back.reasons[qdisc.NotDropped])
		assert.Zero(t, q.Stats().InFlight)

		var ce *qdisc.ConfigError
		assert.ErrorAs(t, q.Run(nil), &ce)
	})
}

// slow is a Device that takes a second for a packet.
type slow struct{ done atomic.Int32 }

func (d *slow) Write(ps []*qdisc.Packet) (int, error) {
	time.Sleep(time.Second)
	d.done.Add(1)
	return 1, nil
}

func TestCloseDuringWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Batch: 4})
		dev := new(slow)
		result := start(q, dev)
		require.NoError(t, q.Send(packets(10, 100)))
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		assert.Equal(t, 1, back.Len())
		require.NoError(t, q.Close())
		assert.Equal(t, 1+6, back.Len(), "what the device is writing it keeps for now")
		assert.Equal(t, 3, q.Len())
		assert.ErrorIs(t, result(), ErrClosed)
		assert.Equal(t, int32(2), dev.done.Load())
		assert.Equal(t, 2, back.reasons[qdisc.NotDropped])
		assert.Equal(t, 8, back.reasons[qdisc.Closed])
		assert.Zero(t, q.Len())
	})
}

// Close ends a pause at once.
func TestCloseDuringPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free})
		dev := &sink{}
		for range 20 {
			dev.script = append(dev.script, answer{0, nil})
		}
		result := start(q, dev)
		require.NoError(t, q.Send(packets(3, 100)))
		time.Sleep(50 * time.Millisecond)
		synctest.Wait()
		began := time.Now()
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		assert.Zero(t, time.Since(began))
		assert.Equal(t, 3, back.reasons[qdisc.Closed])
	})
}

// A panic of the device leaves a queue that works.
func TestDevicePanics(t *testing.T) {
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: &virtual{t: t}})
	require.NoError(t, q.Send(packets(3, 100)))
	assert.Panics(t, func() { q.Run(panics{}) })
	assert.Equal(t, 3, q.Len())
	dst := make([]*qdisc.Packet, 5)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, 3, n)
}

type panics struct{}

func (panics) Write([]*qdisc.Packet) (int, error) { panic("device") }

// What a Run leaves behind wakes another consumer.
func TestLeftoverWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock()})
		require.NoError(t, q.Send(packets(2, 100)))
		gone := errors.New("gone")
		result := start(q, late{gone})
		synctest.Wait()
		dst := make([]*qdisc.Packet, 5)
		n, err := q.Recv(dst)
		require.NoError(t, err)
		assert.Equal(t, 2, n)
		assert.Equal(t, gone, result())
	})
}

type late struct{ err error }

func (d late) Write([]*qdisc.Packet) (int, error) { time.Sleep(time.Second); return 0, d.err }
