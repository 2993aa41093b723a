package txq

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

var (
	_ Completer     = (*MemDevice)(nil)
	_ qdisc.Stopper = (*Queue)(nil)
)

func newMem(t testing.TB, cfg MemConfig) *MemDevice {
	d, err := NewMemDevice(cfg)
	require.NoError(t, err)
	return d
}

func TestMemDeviceRefuses(t *testing.T) {
	for _, cfg := range []MemConfig{{Queues: -1}, {Queues: MaxQueues + 1}, {Ring: -1}, {Latency: -1}} {
		_, err := NewMemDevice(cfg)
		var ce *qdisc.ConfigError
		assert.ErrorAs(t, err, &ce)
	}
}

// TestMemDevice: packets leave at the line's rate, and are reported Latency
// later; a ring that is full stops its hardware queue.
func TestMemDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := RuntimeClock()
		var at []qdisc.Time
		d := newMem(t, MemConfig{
			Clock: clock, Ring: 3, Rate: 8 * qdisc.Mbit, Latency: time.Millisecond,
			Sink: func(_ int, p *qdisc.Packet) { at = append(at, clock.Now()) },
		})
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock, Free: back.free})
		result := start(q, d)
		require.NoError(t, q.Send(packets(5, 1000)))
		synctest.Wait()
		assert.Equal(t, 3, d.Held(0))
		assert.Zero(t, d.Held(1))
		assert.Equal(t, 5, q.Len())
		assert.True(t, q.HardwareStats(0).Stopped)
		time.Sleep(time.Second)
		synctest.Wait()
		const ms = qdisc.Time(1e6)
		// The fourth finds room when the first is reported, 2 ms.
		assert.Equal(t, []qdisc.Time{2 * ms, 3 * ms, 4 * ms, 5 * ms, 6 * ms}, at)
		assert.Equal(t, 5, back.reasons[qdisc.NotDropped])
		assert.Zero(t, q.Len())

		require.NoError(t, q.Send(packets(5, 1000)))
		synctest.Wait()
		require.NoError(t, d.Close())
		require.NoError(t, d.Close())
		assert.Equal(t, 5+3, back.reasons[qdisc.NotDropped])
		assert.Zero(t, d.Held(0))
		assert.ErrorIs(t, result(), net.ErrClosed)
		assert.Equal(t, 2, q.Len())
		require.NoError(t, q.Close())
		assert.Equal(t, 2, back.reasons[qdisc.Closed])
	})
}

// TestLimitedFlowControl is ns-3's case by bytes with a limiter in the place of
// a ring's: 3000 bytes may wait behind the packet on the line.
func TestLimitedFlowControl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := RuntimeClock()
		d := newMem(t, MemConfig{Clock: clock, Rate: qdisc.Mbit})
		q := newQueue(t, Config{Qdisc: qtest.FIFO(1000), Clock: clock, Limit: fixed(3000)})
		result := start(q, d)
		began := time.Now()
		require.NoError(t, q.Send(packets(10, 1000)))
		for _, want := range []fillAt{
			{1, 3, 6, true}, {9, 3, 5, true}, {17, 3, 4, true}, {25, 3, 3, true}, {33, 3, 2, true},
			{41, 3, 1, true}, {49, 3, 0, true}, {57, 2, 0, false}, {81, 0, 0, false},
		} {
			time.Sleep(time.Duration(want.ms)*time.Millisecond - time.Since(began))
			s := q.Stats()
			got := fillAt{want.ms, max(0, d.Held(0)-1), s.Len - s.InFlight, q.HardwareStats(0).Stopped}
			assert.Equal(t, want, got)
		}
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		require.NoError(t, d.Close())
	})
}

// arrivals is when each packet was sent, for each hardware queue.
type arrivals [4][]string

// slowed runs random traffic through four hardware queues, limited, and
// stops one of them for random times, or none, and returns what was sent when.
func slowed(t *testing.T, seed uint64, stopped int) (got arrivals, stops uint64) {
	synctest.Test(t, func(t *testing.T) {
		clock := RuntimeClock()
		d := newMem(t, MemConfig{
			Clock: clock, Queues: 4, Ring: 6, Rate: 100 * qdisc.Mbit, Latency: 20 * time.Microsecond,
			Sink: func(i int, p *qdisc.Packet) { got[i] = append(got[i], fmt.Sprint(p.Mark, "@", clock.Now())) },
		})
		q := newQueue(t, Config{Qdisc: newMultiq(t, 4), Clock: clock, Queues: 4, Batch: 16, Limit: fixed(5000)})
		result := start(q, d)
		var wg sync.WaitGroup
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for i, p := range packets(2000, 0) {
				p.Mark, p.Len, p.TxQueue = uint32(i), 60+rng.Uint32N(1440), uint16(rng.IntN(4))
				require.NoError(t, q.Send([]*qdisc.Packet{p}))
				if rng.IntN(20) == 0 {
					time.Sleep(time.Duration(rng.IntN(500_000)))
				}
			}
		})
		if stopped >= 0 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 2))
				for range 200 {
					q.Stop(stopped)
					time.Sleep(time.Duration(rng.IntN(300_000)))
					q.Wake(stopped)
					time.Sleep(time.Duration(rng.IntN(10_000)))
				}
			})
		}
		wg.Wait()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		assert.Zero(t, q.Len())
		stops = q.Stats().Stops
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		require.NoError(t, d.Close())
	})
	return got, stops
}

// TestStoppedDelaysNoOther: whatever becomes of one hardware queue, each packet
// of the others leaves at the same nanosecond.
func TestStoppedDelaysNoOther(t *testing.T) {
	for seed := range uint64(4) {
		free, _ := slowed(t, seed, -1)
		for stopped := range 4 {
			got, stops := slowed(t, seed, stopped)
			assert.Greater(t, stops, uint64(200))
			assert.False(t, slices.Equal(free[stopped], got[stopped]))
			assert.Len(t, got[stopped], len(free[stopped]))
			for i := range got {
				if i != stopped {
					require.True(t, slices.Equal(free[i], got[i]), "hardware queue %d with %d stopped", i, stopped)
				}
			}
		}
	}
}

// socket is a Completer that copies what it is given into a buffer, which
// drains at a rate, once in an interval.
type socket struct {
	q    *Queue
	mu   sync.Mutex
	held int64
	most int64
}

func (s *socket) Attach(q *Queue) { s.q = q }
func (s *socket) Write(ps []*qdisc.Packet) (int, error) {
	s.mu.Lock()
	for _, p := range ps {
		s.held += int64(p.Len)
	}
	s.most = max(s.most, s.held)
	s.mu.Unlock()
	s.q.Completed(0, len(ps), 0) // copied
	return len(ps), nil
}

func (s *socket) drain(most int64) (n int64) {
	s.mu.Lock()
	n = min(most, s.held)
	s.held -= n
	s.mu.Unlock()
	s.q.Completed(0, 0, n)
	return n
}

// TestDeepBuffer: in front of a socket that drains 1 Mbit/s every 200 ms, fed at
// 10 Mbit/s, the limiter keeps the line busy and no more than two intervals (and
// the packet that went over) in the socket; the rest is the discipline's to drop.
func TestDeepBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const interval, service = 200 * time.Millisecond, 1_000_000 / 8 / 5
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Limit: new(bql.Config)})
		dev := new(socket)
		result := start(q, dev)
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 60_000 / 12 * 10 {
				require.NoError(t, q.Send(packets(1, 1500)))
				time.Sleep(1200 * time.Microsecond)
			}
		})
		drained := int64(0)
		for i := range 300 {
			time.Sleep(interval)
			if i == 100 {
				dev.mu.Lock()
				dev.most, drained = 0, 0
				dev.mu.Unlock()
			}
			drained += dev.drain(service)
		}
		wg.Wait()
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		assert.LessOrEqual(t, dev.most, int64(2*service+1500))
		assert.GreaterOrEqual(t, float64(drained), 0.99*200*service)
		assert.Greater(t, back.reasons[qdisc.Overlimit], 30_000)
	})
}
