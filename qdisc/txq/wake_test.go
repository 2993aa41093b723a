package txq

import (
	"math/rand/v2"
	"runtime"
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

// watched is a clock whose timer checks, whenever a consumer is about to
// wait, that nothing may leave earlier unless somebody woke the consumer.
type watched struct {
	Clock
	q      *Queue
	missed atomic.Int64
}

func (w *watched) NewTimer() Timer { return &watchedTimer{w.Clock.NewTimer(), w} }

type watchedTimer struct {
	Timer
	w *watched
}

func (t *watchedTimer) Wait(until qdisc.Time) {
	q := t.w.q
	q.mu.Lock()
	if now := q.clock.Now(); q.asleep && q.root.ReadyAt(q.moment(now)) < until && now < until {
		t.w.missed.Add(1)
	}
	q.mu.Unlock()
	t.Timer.Wait(until)
}

// producer sends n single packets from a free channel, at random moments.
func producer(t *testing.T, q *Queue, id uint32, n int, free chan *qdisc.Packet, pause func(*rand.Rand)) {
	rng := rand.New(rand.NewPCG(uint64(id), 47))
	one := make([]*qdisc.Packet, 1)
	for i := range n {
		p := <-free
		p.Flow, p.Mark, p.Len = id, uint32(i), 100
		one[0] = p
		if err := q.Send(one); err != nil {
			t.Error(err)
			return
		}
		pause(rng)
	}
}

// deliver runs two producers and one consumer and returns when total packets
// have arrived, each producer's in order. A lost wake-up is a deadlock.
func deliver(t *testing.T, root qdisc.Qdisc, clock Clock, total, dst int, pause func(*rand.Rand)) Stats {
	w := &watched{Clock: clock}
	q := newQueue(t, Config{Qdisc: root, Clock: w})
	w.q = q
	var free [2]chan *qdisc.Packet
	var wg sync.WaitGroup
	for id := range free {
		ps := packets(256, 100)
		free[id] = make(chan *qdisc.Packet, len(ps))
		for _, p := range ps {
			free[id] <- p
		}
		wg.Go(func() { producer(t, q, uint32(id), total/2, free[id], pause) })
	}
	var next [2]uint32
	rng := rand.New(rand.NewPCG(1, 47))
	batch := make([]*qdisc.Packet, dst)
	for got := 0; got < total; {
		n, err := q.Recv(batch)
		require.NoError(t, err)
		for _, p := range batch[:n] {
			if p.Mark != next[p.Flow] {
				t.Fatalf("packet %d of producer %d is out of order: want %d", p.Mark, p.Flow, next[p.Flow])
			}
			next[p.Flow]++
			free[p.Flow] <- p
		}
		got += n
		yield(rng)
	}
	wg.Wait()
	s := q.Stats()
	require.NoError(t, q.Close())
	assert.Zero(t, w.missed.Load(), "slept with a packet ready")
	assert.Zero(t, s.Len)
	assert.Equal(t, uint64(total), s.Qdisc.Dequeued)
	assert.LessOrEqual(t, s.Wakeups, s.Sleeps, "woken more than once")
	t.Logf("%d packets: %d sleeps, %d wake-ups", total, s.Sleeps, s.Wakeups)
	return s
}

func yield(rng *rand.Rand) {
	for range rng.Uint32() & 3 {
		runtime.Gosched()
	}
}

func total(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func TestNoLostWakeup(t *testing.T) {
	t.Run("bubble", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			deliver(t, qtest.FIFO(1000), RuntimeClock(), total(1_000_000), 3, yield)
		})
	})
	t.Run("system", func(t *testing.T) {
		deliver(t, qtest.FIFO(1000), SystemClock(), total(1_000_000), 64, yield)
	})
}

// Shaped, on virtual time: the consumer also wakes by itself.
func TestNoLostWakeupShaped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := deliver(t, newTBF(t, 100*qdisc.Mbit), RuntimeClock(), total(100_000), 8, func(rng *rand.Rand) {
			time.Sleep(time.Duration(rng.IntN(30_000))) // 100 bytes take 8 us
		})
		assert.Greater(t, s.Sleeps, s.Wakeups)
		assert.Zero(t, s.LateMax)
	})
	// With real timers, at a rate that keeps the consumer waiting.
	deliver(t, newTBF(t, 400*qdisc.Mbit), SystemClock(), total(200_000), 8, yield)
}

// Several consumers get each packet once, and Close ends them all.
func TestManyConsumers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, consumers = 20_000, 5
		q := newQueue(t, Config{Qdisc: newTBF(t, qdisc.Gbit), Clock: RuntimeClock()})
		var got [n]atomic.Int32
		var wg, all sync.WaitGroup
		all.Add(n)
		for c := range consumers {
			wg.Go(func() {
				dst := make([]*qdisc.Packet, 1+c)
				for {
					k, err := q.Recv(dst)
					if err != nil {
						assert.ErrorIs(t, err, ErrClosed)
						return
					}
					for _, p := range dst[:k] {
						got[p.Mark].Add(1)
						all.Done()
					}
				}
			})
		}
		ps := packets(n, 1000)
		rng := rand.New(rand.NewPCG(3, 4))
		for len(ps) > 0 {
			k := min(len(ps), 1+rng.IntN(20))
			require.NoError(t, q.Send(ps[:k]))
			ps = ps[k:]
			time.Sleep(time.Duration(rng.IntN(100_000)))
		}
		all.Wait()
		require.NoError(t, q.Close())
		wg.Wait()
		for i := range got {
			require.Equal(t, int32(1), got[i].Load())
		}
	})
}

// A consumer that leaves lets the next one wait on the timer.
func TestNextConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: qtest.FIFO(10), Clock: RuntimeClock()})
		var got atomic.Int32
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				n, err := q.Recv(make([]*qdisc.Packet, 1))
				assert.NoError(t, err)
				got.Add(int32(n))
			})
		}
		synctest.Wait()
		for i, p := range packets(3, 100) {
			require.NoError(t, q.Send([]*qdisc.Packet{p}))
			synctest.Wait()
			assert.Equal(t, int32(i+1), got.Load())
		}
		wg.Wait()
	})
}

// A Send behind a packet that the shaper holds back wakes nobody; one into an
// empty queue wakes once.
func TestWakesOnlyIfNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: newTBF(t, 12*qdisc.Kbit), Clock: RuntimeClock()}) // 1 s a packet
		var got atomic.Int32
		var wg sync.WaitGroup
		wg.Go(func() {
			dst := make([]*qdisc.Packet, 1)
			for {
				if _, err := q.Recv(dst); err != nil {
					return
				}
				got.Add(1)
			}
		})
		synctest.Wait()
		ps := packets(12, 1500)
		require.NoError(t, q.Send(ps[:2]))
		synctest.Wait()
		assert.Equal(t, int32(1), got.Load())
		assert.Equal(t, uint64(1), q.Stats().Wakeups)
		for i := range 10 {
			require.NoError(t, q.Send(ps[2+i:3+i]))
			synctest.Wait()
		}
		assert.Equal(t, uint64(1), q.Stats().Wakeups)
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		assert.Equal(t, int32(4), got.Load())
		assert.Equal(t, uint64(1), q.Stats().Wakeups)
		require.NoError(t, q.Close())
		wg.Wait()
	})
}

// hiccup is a Device that takes a millisecond and then nothing, once.
type hiccup struct{ once atomic.Bool }

func (d *hiccup) Write(ps []*qdisc.Packet) (int, error) {
	if d.once.CompareAndSwap(false, true) {
		time.Sleep(time.Millisecond)
		return 0, syscall.ENOBUFS
	}
	return len(ps), nil
}

// A Run that pauses needs nothing of a consumer that sleeps without end.
func TestPauseBesideSleeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(10), Clock: RuntimeClock(), Free: back.free})
		dev := new(hiccup)
		first, second := start(q, dev), start(q, dev)
		synctest.Wait()
		require.NoError(t, q.Send(packets(1, 100)))
		time.Sleep(1200 * time.Microsecond)
		synctest.Wait()
		assert.Equal(t, 1, back.reasons[qdisc.NotDropped])
		require.NoError(t, q.Close())
		assert.ErrorIs(t, first(), ErrClosed)
		assert.ErrorIs(t, second(), ErrClosed)
	})
}

// A Run that pauses keeps no other consumer from any packet, not even from what
// its device has left.
func TestPauseDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: qtest.FIFO(10), Clock: RuntimeClock()})
		dev := &sink{}
		for range 12 {
			dev.script = append(dev.script, answer{0, nil})
		}
		result := start(q, dev)
		require.NoError(t, q.Send(packets(1, 100)))
		time.Sleep(30 * time.Millisecond) // pauses are 10 ms long now
		synctest.Wait()
		began := time.Now()
		dst := make([]*qdisc.Packet, 1)
		for _, size := range []uint32{100, 200} {
			n, err := q.Recv(dst)
			require.NoError(t, err)
			require.Equal(t, 1, n)
			assert.Equal(t, size, dst[0].Len)
			assert.Zero(t, time.Since(began))
			require.NoError(t, q.Send(packets(1, size+100)))
		}
		n, err := q.Recv(dst)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		var wg sync.WaitGroup
		wg.Go(func() { // and again, if the consumer is first to wait
			n, err := q.Recv(dst)
			assert.NoError(t, err)
			assert.Equal(t, 1, n)
			assert.Equal(t, time.Millisecond, time.Since(began))
		})
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.NoError(t, q.Send(packets(1, 400)))
		wg.Wait()
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
	})
}
