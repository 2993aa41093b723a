package txq

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// ring is a device whose ring buffer drains onto a wire of 1 Mbit/s. It stops
// when another packet might not fit.
type ring struct {
	mu      sync.Mutex
	change  sync.Cond
	lens    []uint32
	bytes   uint32
	blocked bool // a Write waits for room
	closed  bool
	stopped func(packets int, bytes uint32) bool
}

func newRing(stopped func(int, uint32) bool) *ring {
	r := &ring{stopped: stopped}
	r.change.L = &r.mu
	return r
}

func (r *ring) full() bool { return r.stopped(len(r.lens), r.bytes) }

func (r *ring) Write(ps []*qdisc.Packet) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.full() {
		r.blocked = true
		r.change.Wait()
	}
	r.blocked = false
	n := 0
	for ; n < len(ps) && !r.full(); n++ {
		r.lens = append(r.lens, ps[n].Len)
		r.bytes += ps[n].Len
	}
	r.change.Broadcast()
	return n, nil
}

// wire sends, at 8 us a byte, until close.
func (r *ring) wire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.closed {
		if len(r.lens) == 0 {
			r.change.Wait()
			continue
		}
		size := r.lens[0]
		r.lens = r.lens[1:]
		r.bytes -= size
		r.change.Broadcast()
		r.mu.Unlock()
		time.Sleep(time.Duration(size) * 8 * time.Microsecond)
		r.mu.Lock()
	}
}

func (r *ring) close() {
	r.mu.Lock()
	r.closed = true
	r.change.Broadcast()
	r.mu.Unlock()
}

// fillAt is what ring and queue hold 1 ms after a packet has started.
type fillAt struct {
	ms          int
	ring, queue int
	stopped     bool
}

// flowControl sends n packets of 1000 bytes at once and checks each row.
func flowControl(t *testing.T, n, batch int, r *ring, rows []fillAt) {
	synctest.Test(t, func(t *testing.T) {
		r := newRing(r.stopped)
		q := newQueue(t, Config{Qdisc: qtest.FIFO(1000), Clock: RuntimeClock(), Batch: batch})
		result := start(q, r)
		var wg sync.WaitGroup
		wg.Go(r.wire)
		began := time.Now()
		require.NoError(t, q.Send(packets(n, 1000)))
		for _, want := range rows {
			time.Sleep(time.Duration(want.ms)*time.Millisecond - time.Since(began))
			got := fillAt{ms: want.ms, queue: q.Len()}
			r.mu.Lock()
			got.ring, got.stopped = len(r.lens), r.full()
			assert.Equal(t, got.queue > 0, r.blocked, "%d ms: the queue waits for room if it holds any", want.ms)
			r.mu.Unlock()
			assert.Equal(t, want, got)
		}
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
		r.close()
		wg.Wait()
	})
}

// The flow control cases of ns-3's traffic-control module.
func TestFlowControl(t *testing.T) {
	const packetTime = 8 // ms
	for _, c := range [][2]int{{1, 10}, {5, 10}, {9, 10}, {10, 10}, {11, 10}, {15, 10}, {1, 1}, {2, 1}, {5, 1}} {
		limit, n := c[0], c[1]
		var rows []fillAt
		for k := 1; k <= n+1; k++ {
			left := max(0, n-k)
			held := min(left, limit)
			rows = append(rows, fillAt{packetTime*(k-1) + 1, held, left - held, held == limit})
		}
		for _, batch := range []int{1, 64} {
			t.Run(fmt.Sprintf("packets/limit=%d/n=%d/batch=%d", limit, n, batch), func(t *testing.T) {
				flowControl(t, n, batch, newRing(func(packets int, _ uint32) bool { return packets >= limit }), rows)
			})
		}
	}
	// A ring of 5000 bytes that stops when an MTU of 2500 might not fit.
	byBytes := newRing(func(_ int, bytes uint32) bool { return bytes+2500 > 5000 })
	rows := []fillAt{
		{1, 3, 6, true}, {9, 3, 5, true}, {17, 3, 4, true}, {25, 3, 3, true}, {33, 3, 2, true},
		{41, 3, 1, true}, {49, 3, 0, true}, {57, 2, 0, false}, {81, 0, 0, false},
	}
	for _, batch := range []int{1, 64} {
		t.Run(fmt.Sprintf("bytes/limit=5000/n=10/batch=%d", batch), func(t *testing.T) {
			flowControl(t, 10, batch, byBytes, rows)
		})
	}
}
