package txq

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestBlock: producers wait for room in turn, nothing is dropped, and Close
// ends the waiting.
func TestBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const producers, each, batch, limit = 4, 500, 5, 20
		var back returned
		clock := RuntimeClock()
		d := newMem(t, MemConfig{Clock: clock, Ring: 8, Rate: 100 * qdisc.Mbit, Latency: time.Microsecond})
		q := newQueue(t, Config{Qdisc: qtest.FIFO(limit + producers*batch), Clock: clock, Free: back.free, Block: limit})
		result := start(q, d)
		var most atomic.Int64
		var wg sync.WaitGroup
		for range producers {
			wg.Go(func() {
				for ps := packets(each, 1000); len(ps) > 0; ps = ps[batch:] {
					assert.NoError(t, q.Send(ps[:batch]))
					most.Store(max(most.Load(), int64(q.Len())))
				}
			})
		}
		began := time.Now()
		wg.Wait()
		assert.Less(t, most.Load(), int64(limit+batch), "a Send lets the next in only if there is room")
		assert.InEpsilon(t, producers*each*80e3, float64(time.Since(began)), 0.02, "they wait for the line")
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, producers*each, back.reasons[qdisc.NotDropped])
		assert.Greater(t, q.Stats().Blocks, uint64(100))

		q.Stop(0)
		require.NoError(t, q.Send(packets(limit, 100)))
		for range producers {
			wg.Go(func() { assert.ErrorIs(t, q.Send(packets(2, 100)), ErrClosed) })
		}
		synctest.Wait()
		assert.Equal(t, limit, q.Len())
		require.NoError(t, q.Close())
		wg.Wait()
		assert.Equal(t, limit+2*producers, back.reasons[qdisc.Closed])
		assert.ErrorIs(t, result(), ErrClosed)
		require.NoError(t, d.Close())
	})
}

// TestBlockEnds: whatever makes room lets a Send go on.
func TestBlockEnds(t *testing.T) {
	for name, makeRoom := range map[string]func(*testing.T, *Queue){
		"Recv": func(t *testing.T, q *Queue) {
			_, err := q.Recv(make([]*qdisc.Packet, 1))
			require.NoError(t, err)
		},
		"Do": func(t *testing.T, q *Queue) {
			require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) { root.Reset(now) }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Block: 3})
				require.NoError(t, q.Send(packets(3, 100)))
				sent := false
				var wg sync.WaitGroup
				wg.Go(func() { assert.NoError(t, q.Send(packets(1, 100))); sent = true })
				synctest.Wait()
				require.False(t, sent)
				makeRoom(t, q)
				wg.Wait()
				require.NoError(t, q.Close())
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Block: 3})
		result := start(q, new(card))
		require.NoError(t, q.Send(packets(3, 100)))
		var wg sync.WaitGroup
		wg.Go(func() { assert.NoError(t, q.Send(packets(1, 100))) })
		synctest.Wait()
		assert.Equal(t, 3, q.Len(), "in flight is not out")
		q.Completed(0, 1, 0)
		wg.Wait()
		wg.Go(func() {
			for q.Len() < 3 {
				assert.NoError(t, q.Send(packets(1, 100)))
			}
			assert.ErrorIs(t, q.Send(packets(1, 100)), ErrClosed)
		})
		synctest.Wait()
		require.NoError(t, q.Close()) // the device still has three
		wg.Wait()
		assert.ErrorIs(t, result(), ErrClosed)
	})
}
