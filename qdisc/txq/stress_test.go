package txq

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// TestMillions: four producers, a device with four hardware queues and limiters,
// all on real clocks. Each packet is sent and comes back once, each hardware queue's in order,
// and all ends clean.
func TestMillions(t *testing.T) {
	each := 2_500_000
	if testing.Short() {
		each = 25_000
	}
	const producers, batch, stock = 4, 32, 800 // multiq takes 1000 for each
	// A producer's packets come back to it; their number is that of its free
	// list, so that nothing is ever dropped.
	var free [producers]struct {
		sync.Mutex
		sync.Cond
		qdisc.List
		back uint32 // packets that came back
	}
	q := newQueue(t, Config{
		Qdisc: newMultiq(t, producers), Queues: producers, Limit: &bql.Config{HoldTime: time.Millisecond},
		Free: func(ps *qdisc.List) {
			for p := range ps.Drain() {
				f := &free[p.Flow]
				f.Lock()
				if p.Reason != qdisc.NotDropped {
					t.Errorf("packet %d of producer %d: %v", p.Mark, p.Flow, p.Reason)
				}
				f.back++
				f.Push(p)
				f.Signal()
				f.Unlock()
			}
		},
	})
	var next [producers]uint32 // sequence numbers of what the device sends
	d := newMem(t, MemConfig{
		Queues: producers, Ring: 100, Rate: 20 * qdisc.Gbit, Latency: 5 * time.Microsecond,
		Sink: func(queue int, p *qdisc.Packet) {
			if p.Mark != next[queue] {
				t.Errorf("packet %d of producer %d: the next is %d", p.Mark, p.Flow, next[queue])
			}
			next[queue] = p.Mark + 1
		},
	})
	result := start(q, d)
	var wg sync.WaitGroup
	for id := range free {
		f := &free[id]
		f.L = &f.Mutex
		f.List = qdisc.Alloc(stock)
		wg.Go(func() {
			ps := make([]*qdisc.Packet, 0, batch)
			for i := 0; i < each; {
				ps = ps[:0]
				f.Lock()
				for f.Empty() {
					f.Wait()
				}
				for len(ps) < batch && i < each && !f.Empty() {
					p := f.Pop()
					p.Flow, p.TxQueue, p.Mark, p.Len = uint32(id), uint16(id), uint32(i), uint32(64+i%1000)
					ps = append(ps, p)
					i++
				}
				f.Unlock()
				if err := q.Send(ps); err != nil {
					t.Error(err)
					return
				}
			}
			f.Lock()
			for f.back < uint32(each) {
				f.Wait()
			}
			f.Unlock()
		})
	}
	wg.Wait()
	s := q.Stats()
	assert.Zero(t, s.Len)
	assert.Zero(t, s.Backlog)
	assert.EqualValues(t, producers*each, s.SentPackets)
	assert.EqualValues(t, producers*each, s.Qdisc.Dequeued)
	for i := range free {
		h := q.HardwareStats(i)
		assert.Zero(t, h.Limited)
		assert.Zero(t, h.Excess+h.ExcessBytes)
		assert.False(t, h.Stopped)
		assert.EqualValues(t, each, h.Packets)
		assert.Equal(t, stock, free[i].Len())
		assert.EqualValues(t, each, free[i].back)
	}
	t.Logf("%d stops, %d sleeps, %d requeues, limit %d", s.Stops, s.Sleeps, s.Requeues, q.HardwareStats(0).Limit)
	require.NoError(t, q.Close())
	assert.ErrorIs(t, result(), ErrClosed)
	require.NoError(t, d.Close())
}
