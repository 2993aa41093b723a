package multiq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestStop(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 3})
	for i := range 3 {
		q.Enqueue(packet(i, uint32(10*i)), 0)
		q.Enqueue(packet(i, uint32(10*i+1)), 0)
	}
	q.Stop(1)
	q.Stop(1) // once is enough
	for _, i := range []int{-1, 3, math.MaxInt, math.MinInt} {
		q.Stop(i)
		q.Wake(i)
	}
	assert.Equal(t, []int{20, 0, 21, 1}, qtest.Drain(q, 0))
	assert.Nil(t, q.Peek(0))
	assert.Equal(t, 2, q.Len(), "it holds on to them")
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(0))

	assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1, 12), 1))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(1), "arrivals wait behind")
	q.Wake(2)
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(1))
	q.Wake(1)
	assert.Equal(t, qdisc.Time(1), q.ReadyAt(1))
	assert.Equal(t, []int{10, 11, 12}, qtest.Drain(q, 1))
	assert.Equal(t, qdisc.Never, q.ReadyAt(1))
	q.Stop(0)
	assert.Equal(t, qdisc.Never, q.ReadyAt(1), "nothing is held")
	qtest.CheckSums(t, q)
}

// TestStoppedShaper: a band that waits for its shaper's time and one that waits
// for its hardware queue do not concern each other.
func TestStoppedShaper(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 3})
	for class := range uint32(2) {
		b, err := tbf.New(tbf.Config{Rate: 8 * qdisc.Mbit, Burst: 1000}) // 1 us a byte
		require.NoError(t, err)
		require.NoError(t, q.SetChild(class+1, b, 0))
	}
	for i := range 3 {
		q.Enqueue(packet(0, 1000), 0)
		if i > 0 {
			q.Enqueue(packet(1, 999), 0)
		}
	}
	assert.Equal(t, []int{999, 1000}, qtest.Drain(q, 0))
	assert.Equal(t, qdisc.Time(998_000), q.ReadyAt(0), "1 byte of tokens is left")
	q.Stop(1)
	assert.Equal(t, qdisc.Time(1_000_000), q.ReadyAt(0))
	assert.Nil(t, q.Dequeue(999_000))
	q.Stop(0)
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(999_000))
	assert.Nil(t, q.Dequeue(2_000_000))
	q.Wake(1)
	assert.Equal(t, qdisc.Time(2_000_000), q.ReadyAt(2_000_000), "a stored answer would be of another time")
	assert.Equal(t, []int{999}, qtest.Drain(q, 2_000_000))
	assert.Equal(t, qdisc.Blocked, q.ReadyAt(2_000_000))
	q.Enqueue(packet(2, 5), 2_000_000)
	assert.Equal(t, []int{5}, qtest.Drain(q, 2_000_000))
	q.Wake(0)
	assert.Equal(t, []int{1000}, qtest.Drain(q, 2_000_000))
	assert.Equal(t, qdisc.Time(3_000_000), q.ReadyAt(2_000_000))
	q.Wake(0) // of a running queue
	assert.Equal(t, qdisc.Time(3_000_000), q.ReadyAt(2_000_000))
	assert.Equal(t, []int{1000}, qtest.Drain(q, 3_000_000))
}

// TestNoBusyLoop: no queue is polled in vain. Each nil comes with a later time
// or with Blocked.
func TestNoBusyLoop(t *testing.T) {
	q := newMultiq(t, multiq.Config{Bands: 2})
	b, err := tbf.New(tbf.Config{Rate: qdisc.Mbit, Burst: 1500})
	require.NoError(t, err)
	require.NoError(t, q.SetChild(1, b, 0))
	for range 20 {
		q.Enqueue(packet(0, 1000), 0)
		q.Enqueue(packet(1, 1000), 0)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	now := qdisc.Time(0)
	for steps := 0; q.Len() > 0; steps++ {
		require.Less(t, steps, 200)
		if q.Dequeue(now) != nil {
			if rng.IntN(2) == 0 {
				q.Stop(rng.IntN(2))
			}
			continue
		}
		switch at := q.ReadyAt(now); at {
		case qdisc.Blocked:
			q.Wake(0)
			q.Wake(1)
		default:
			require.Greater(t, at, now)
			now = at
		}
	}
}

// TestFairUnderStops stops and wakes queues at random: no running queue waits
// while it holds packets and the device asks, and any two queues that run and
// hold packets all the while get the same number of packets, but for one.
func TestFairUnderStops(t *testing.T) {
	for _, bands := range []int{2, 7, 70} {
		q := newMultiq(t, multiq.Config{Bands: bands})
		rng := rand.New(rand.NewPCG(1, uint64(bands)))
		held, stopped := make([]int, bands), make([]bool, bands)
		ready := func(i int) bool { return held[i] > 0 && !stopped[i] }
		// lead[i][k] is how many packets more i got than k since both are ready.
		lead := make([][]int, bands)
		for i := range lead {
			lead[i] = make([]int, bands)
		}
		sent := 0
		for range 50_000 {
			i := rng.IntN(bands)
			switch rng.IntN(8) {
			case 0:
				q.Stop(i)
				stopped[i] = true
			case 1, 2:
				q.Wake(i)
				stopped[i] = false
			case 3, 4:
				q.Enqueue(packet(i, 1), 0)
				held[i]++
			default:
				p := q.Dequeue(0)
				if p == nil {
					for k := range held {
						require.False(t, ready(k), "queue %d runs and waits", k)
					}
					continue
				}
				sent++
				i = int(p.TxQueue)
				require.True(t, ready(i), "queue %d is stopped", i)
				for k := range lead {
					if k == i || !ready(k) {
						continue
					}
					lead[i][k]++
					lead[k][i]--
					if lead[i][k] > 1 {
						t.Fatalf("queue %d got 2 packets while queue %d waited", i, k)
					}
				}
				held[i]--
			}
			if !ready(i) {
				for k := range lead {
					lead[i][k], lead[k][i] = 0, 0
				}
			}
		}
		assert.Greater(t, sent, 10_000)
	}
}
