// Package workload runs the two benchmark loops on which the speed of every
// discipline is judged, so that each package's benchmarks and the speed table
// measure the same work. A pair is one packet in and one out.
package workload

import "github.com/netsched/netsched/qdisc"

// AQM is the loop for FIFOs and queue managers: flows round robin, 1000-byte
// packets, 1 us of virtual time a pair, Backlog packets standing.
type AQM struct {
	Flows   int
	Backlog int

	q     qdisc.Qdisc
	drops *qdisc.List
	free  []*qdisc.Packet // a stack
	ids   []identity
	next  int // flow of the next packet
	now   qdisc.Time
}

type identity struct{ flow, src, dst uint32 }

// Setup fills q, whose drop list is drops.
func (w *AQM) Setup(q qdisc.Qdisc, drops *qdisc.List) {
	w.q, w.drops, w.now = q, drops, 1e9
	w.ids = make([]identity, w.Flows)
	for i := range w.ids {
		// The first 1024 flows share no bucket, neither by multiply-shift
		// nor by modulo 1024.
		u := uint32(i)
		w.ids[i] = identity{
			flow: (u&1023)<<22 | (u>>10)<<11 | 0x400 | u&1023,
			src:  1 + u%64,
			dst:  100 + u&7,
		}
	}
	slab := make([]qdisc.Packet, w.Backlog+4096)
	w.free = make([]*qdisc.Packet, 0, len(slab))
	for i := range slab {
		w.free = append(w.free, &slab[i])
	}
	for range w.Backlog {
		w.now += 1000
		q.Enqueue(w.fill(), w.now)
	}
}

// fill takes a packet off the stack and writes it as a driver would.
func (w *AQM) fill() *qdisc.Packet {
	n := len(w.free) - 1
	p := w.free[n]
	w.free = w.free[:n]
	id := &w.ids[w.next]
	if w.next++; w.next == len(w.ids) {
		w.next = 0
	}
	p.Len, p.Truesize = 1000, 1256
	p.Flow, p.SrcHost, p.DstHost = id.flow, id.src, id.dst
	p.Priority, p.Mark, p.DSField, p.Proto = 0, 0, 0, 17
	return p
}

// Run does n pairs.
func (w *AQM) Run(n int) {
	for range n {
		w.now += 1000
		w.q.Enqueue(w.fill(), w.now)
		for p := w.drops.Pop(); p != nil; p = w.drops.Pop() {
			w.free = append(w.free, p)
		}
		if p := w.q.Dequeue(w.now); p != nil {
			w.free = append(w.free, p)
		}
	}
}
