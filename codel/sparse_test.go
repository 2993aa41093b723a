package codel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

const queues = 64

// sparseRun is a link with bulk flows of random packets and one sparse flow, in
// queue 0, that sends a quantum at most, and only when it is in no round.
type sparseRun struct {
	t       *testing.T
	rng     *rand.Rand
	q       *codel.FQ
	drops   qdisc.List
	quantum int
	largest []uint32 // of each bulk flow, by queue; 0: none
	byteNs  qdisc.Time
	free    qdisc.Time // when the link has sent what it is sending
	pending map[*qdisc.Packet]qdisc.Time
	waited  int // packets of the sparse flow that came out
	evicted int // packets that a limit took
}

// bound is how long the sparse flow may wait: a quantum and a largest packet
// of each other flow, and the packet on the link.
func (r *sparseRun) bound(now qdisc.Time) qdisc.Time {
	bytes, longest := 0, uint32(0)
	for i := range flows(r.q, now) {
		bytes += r.quantum + int(r.largest[i])
	}
	for _, n := range r.largest {
		longest = max(longest, n)
	}
	return qdisc.Time(bytes+int(longest)) * r.byteNs
}

// transmit runs the link up to now.
func (r *sparseRun) transmit(now qdisc.Time) {
	for r.free <= now {
		p := r.q.Dequeue(r.free)
		r.collect(nil)
		if p == nil {
			r.free = now
			return
		}
		if limit, ok := r.pending[p]; ok {
			if wait := r.free - p.Stamp; wait > limit {
				r.t.Fatalf("a packet of the sparse flow waited %v, not %v at most", wait, limit)
			}
			delete(r.pending, p)
			r.waited++
		}
		r.free += qdisc.Time(p.Len) * r.byteNs
	}
}

// collect looks at what was lost; fill is the bytes of each queue when a limit
// was exceeded.
func (r *sparseRun) collect(fill map[int]int64) {
	for p := range r.drops.Drain() {
		if p.Reason == qdisc.HeadDrop {
			r.evicted++
		}
		if _, ok := r.pending[p]; !ok {
			continue
		}
		delete(r.pending, p)
		if p.Reason != qdisc.HeadDrop {
			r.t.Fatalf("a packet of the sparse flow was lost: %v", p.Reason)
		}
		for i, bytes := range fill {
			if bytes > fill[0] {
				r.t.Fatalf("the sparse flow lost a packet with %d bytes, while flow %d has %d", fill[0], i, bytes)
			}
		}
	}
}

func (r *sparseRun) send(p *qdisc.Packet, queue int, now qdisc.Time) {
	p.Flow = bucket(queue, queues)
	fill := map[int]int64{queue: 0}
	for i, f := range r.q.Flows(now) {
		fill[i] = f.Backlog
	}
	fill[queue] += int64(p.Len)
	r.q.Enqueue(p, now)
	r.collect(fill)
}

// sparse sends a burst of the sparse flow if it may.
func (r *sparseRun) sparse(now qdisc.Time) {
	if _, in := flows(r.q, now)[0]; in {
		return
	}
	limit, left := r.bound(now), r.quantum
	for range 1 + r.rng.IntN(3) {
		p := &qdisc.Packet{Len: uint32(1 + r.rng.IntN(left))}
		r.pending[p] = limit
		r.send(p, 0, now)
		limit += qdisc.Time(p.Len) * r.byteNs // its own packets before the next
		if left -= int(p.Len); left == 0 {
			break
		}
	}
}

func (r *sparseRun) run(until qdisc.Time) {
	bulk := len(r.largest) - 1
	mean := 0.0
	for _, n := range r.largest {
		mean += float64(n) / 2 / float64(bulk)
	}
	load := 0.4 + 1.2*r.rng.Float64()
	for now := qdisc.Time(0); now < until; {
		now += qdisc.Time(r.rng.ExpFloat64() * mean * float64(r.byteNs) / load)
		r.transmit(now)
		if r.rng.IntN(10) == 0 {
			r.sparse(now)
			continue
		}
		queue := 1 + r.rng.IntN(bulk)
		r.send(&qdisc.Packet{Len: 1 + r.rng.Uint32N(r.largest[queue]), DSField: uint8(r.rng.IntN(4))}, queue, now)
	}
	r.transmit(until + 100*s)
	require.Empty(r.t, r.pending)
}

// TestSparseFlow: without a shared queue, a flow that sends a quantum at a time
// waits at most for a quantum and a largest packet of each other active flow
// and for the packet on the link, and loses nothing while it is not the
// fattest (RFC 8290 sections 1.3 and 4.1.3). That a quantum leaves within an
// interval is taken for granted: else the law may signal to it.
func TestSparseFlow(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 10
	}
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		waited, evicted, byLaw := 0, 0, uint64(0)
		for seed := range uint64(seeds) {
			t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 9))
				r := &sparseRun{
					t: t, rng: rng, quantum: []int{256, 300, 1514, 6000}[rng.IntN(4)],
					byteNs:  []qdisc.Time{80, 800, 8000}[rng.IntN(3)], // 100, 10 and 1 Mbit/s
					pending: map[*qdisc.Packet]qdisc.Time{},
				}
				r.largest = make([]uint32, 2+rng.IntN(20))
				for i := range r.largest {
					r.largest[i] = []uint32{200, 1514, 9000}[rng.IntN(3)]
				}
				r.largest[0] = 0
				r.q = newFQ(t, codel.FQConfig{
					Flows: queues, Quantum: r.quantum, Limit: new(5 + rng.IntN(100)), Drops: &r.drops, Compat: mode,
				})
				r.run(3000 * 1500 * r.byteNs)
				waited += r.waited
				evicted += r.evicted
				byLaw += r.q.ReadStats().Drops[qdisc.AQM]
				qtest.Balanced(t, r.q)
			})
		}
		assert.Greater(t, waited, 20*seeds)
		assert.Greater(t, evicted, 10*seeds)
		assert.NotZero(t, byLaw)
	})
}
