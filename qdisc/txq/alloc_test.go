package txq

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// mallocs counts the allocations of 1e5 calls.
func mallocs(f func()) uint64 {
	f()
	return qdisctest.Mallocs(func() {
		for range 100_000 {
			f()
		}
	})
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	dst := make([]*qdisc.Packet, 32)
	t.Run("sendrecv", func(t *testing.T) {
		ps := packets(32, 1000)
		q := newQueue(t, Config{Qdisc: qtest.FIFO(1000)})
		assert.Zero(t, mallocs(func() {
			q.Send(ps)
			q.Recv(dst)
		}))
		assert.Zero(t, q.Len())
	})
	t.Run("drops", func(t *testing.T) {
		back := new(returned)
		q := newQueue(t, Config{Qdisc: qtest.FIFO(8), Free: back.free})
		ps := packets(32, 1000)
		assert.Zero(t, mallocs(func() {
			q.Send(ps)
			n, _ := q.Recv(dst)
			ps = append(ps[:0], dst[:n]...)
			for p := back.Pop(); p != nil; p = back.Pop() {
				ps = append(ps, p)
			}
		}))
		assert.Len(t, ps, 32)
	})
	t.Run("shaped", func(t *testing.T) {
		clock := &virtual{t: t, late: time.Millisecond}
		q := newQueue(t, Config{Qdisc: newTBF(t, qdisc.Gbit), Clock: clock})
		require.NoError(t, q.Send(packets(200, 1500)))
		assert.Zero(t, mallocs(func() {
			n, _ := q.Recv(dst)
			q.Send(dst[:n])
		}))
		assert.Equal(t, 200, q.Len())
		assert.Greater(t, clock.waits, 10_000)
	})
	t.Run("run", func(t *testing.T) {
		back := new(returned)
		q := newQueue(t, Config{Qdisc: qtest.FIFO(1000), Free: back.free, Batch: 32})
		dev := &loop{q: q, back: back, ps: make([]*qdisc.Packet, 0, 32)}
		require.NoError(t, q.Send(packets(64, 1000)))
		assert.ErrorIs(t, q.Run(dev), ErrClosed)
		assert.Zero(t, dev.allocs)
	})
	t.Run("memdevice", func(t *testing.T) {
		q, f := circuit(t, 4)
		f.left = 1 << 30
		f.Attach(q)
		r := &runner{q: q, dev: f, later: true, timer: q.clock.NewTimer()}
		batch := make([]*qdisc.Packet, q.batch)
		assert.Zero(t, mallocs(func() {
			n, _ := q.recv(batch, r)
			r.write(batch[:n])
		}))
		assert.Greater(t, q.Stats().SentPackets, uint64(1_000_000))
		assert.Greater(t, q.HardwareStats(3).Limit, int64(0))
		require.NoError(t, q.Close())
		require.NoError(t, f.Close())
	})
	t.Run("timer", func(t *testing.T) {
		clock := SystemClock()
		timer := clock.NewTimer()
		defer timer.Stop()
		var before, after runtime.MemStats
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		runtime.ReadMemStats(&before)
		for range 1000 {
			timer.Wait(clock.Now().Add(20 * time.Microsecond))
			timer.Wake()
			timer.Wait(qdisc.MaxTime)
		}
		runtime.ReadMemStats(&after)
		assert.Less(t, after.Mallocs-before.Mallocs, uint64(100), "1000 waits that expire, 1000 that are woken")
	})
}

// loop is a Device that sends back what it has written, every other packet of
// a batch at a time, and counts the allocations of 1e5 calls.
type loop struct {
	q      *Queue
	back   *returned
	ps     []*qdisc.Packet
	calls  int
	before runtime.MemStats
	allocs uint64
}

func (l *loop) Write(ps []*qdisc.Packet) (int, error) {
	l.ps = l.ps[:0]
	for p := l.back.Pop(); p != nil; p = l.back.Pop() {
		l.ps = append(l.ps, p)
	}
	l.q.Send(l.ps)
	switch l.calls++; l.calls {
	case 100:
		runtime.ReadMemStats(&l.before)
	case 100_100:
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		l.allocs = after.Mallocs - l.before.Mallocs
		l.q.Close()
	}
	return (len(ps) + 1) / 2, nil
}
