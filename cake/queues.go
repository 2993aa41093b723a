package cake

import (
	"iter"

	"github.com/netsched/netsched/internal/ways"
	"github.com/netsched/netsched/qdisc"
)

// numQueues is the number of queues of a tin.
const numQueues = 1024

// queue is one queue with its COBALT state: a cache line.
type queue struct {
	list     qdisc.List
	backlog  uint64     // bytes in list
	dropNext qdisc.Time // when to signal next
	blueTime qdisc.Time // when blue changed last
	dropped  uint64     // packets
	count    uint32     // signals since the delay was above target
	root     uint32     // Linux: the reciprocal root of count
	blue     uint32     // BLUE's drop probability, in 2^-32
	dropping bool
}

// turn is a queue's place in the rounds.
type turn struct {
	deficit    int32  // bytes that may be sent in this round
	next, prev uint16 // in the ring that it stands in
	src, dst   uint16 // slots of its hosts
	state      state
}

// state says what kind of flow a queue is for.
type state uint8

// The states.
const (
	idle     state = iota // in no ring
	sparse                // it may be served before the others
	waiting               // a sparse one that has had its turn
	bulk                  // it always has packets waiting
	decaying              // empty, but its COBALT state still matters
)

// The rings of turns.
const (
	freshRing = iota // new flows, served first
	oldRing
	decayRing
	numRings
)

// none is the head of an empty ring.
const none = numQueues

// queues is the memory of a tin that is in use: 110 kB.
type queues struct {
	queue    [numQueues]queue
	turn     [numQueues]turn
	head     [numRings]uint16 // the turn that is next
	flows    *ways.Table
	hash     [numQueues]uint32 // of the flow that each queue is for; flows knows it too, but not as fast
	src, dst hosts
}

func newQueues(linux bool) *queues {
	table := ways.NewModulo
	if linux {
		table = ways.New // a fresh slot matches hash 0
	}
	q := new(queues)
	q.flows, q.src.slots, q.dst.slots = table(numQueues), table(numQueues), table(numQueues)
	q.reset()
	return q
}

// reset forgets all flows. The queues must be empty.
func (q *queues) reset() {
	clear(q.turn[:])
	q.head = [numRings]uint16{none, none, none}
	clear(q.queue[:])
	clear(q.hash[:])
	q.flows.Reset()
	q.src.reset()
	q.dst.reset()
}

// take takes turn i out of the ring that it heads.
func (q *queues) take(i uint16, ring int) {
	t := &q.turn[i]
	if t.next == i {
		q.head[ring] = none
		return
	}
	q.turn[t.prev].next = t.next
	q.turn[t.next].prev = t.prev
	q.head[ring] = t.next
}

// unlink takes turn i out of whichever ring it stands in.
func (q *queues) unlink(i uint16) {
	for ring := range q.head {
		if q.head[ring] == i {
			q.take(i, ring)
			return
		}
	}
	t := &q.turn[i]
	q.turn[t.prev].next = t.next
	q.turn[t.next].prev = t.prev
}

// add puts turn i at the end of a ring.
func (q *queues) add(i uint16, ring int) {
	first, t := q.head[ring], &q.turn[i]
	if first == none {
		q.head[ring], t.next, t.prev = i, i, i
		return
	}
	f := &q.turn[first]
	t.next, t.prev = first, f.prev
	q.turn[f.prev].next = i
	f.prev = i
}

// move puts the head of a ring to the end of another, or the same one.
func (q *queues) move(i uint16, from, to int) {
	if from == to {
		q.head[from] = q.turn[i].next
		return
	}
	q.take(i, from)
	q.add(i, to)
}

// each ranges over the turns of a ring, the head first.
func (q *queues) each(ring int) iter.Seq2[uint16, *turn] {
	return func(yield func(uint16, *turn) bool) {
		first := q.head[ring]
		for i := first; i != none; {
			if !yield(i, &q.turn[i]) {
				return
			}
			if i = q.turn[i].next; i == first {
				return
			}
		}
	}
}

// hosts counts the bulk flows of each source, or each destination.
type hosts struct {
	slots *ways.Table
	bulk  [numQueues]uint16
}

func (h *hosts) reset() {
	h.slots.Reset()
	clear(h.bulk[:])
}

// find returns the slot of a host. One without bulk flows is free.
func (h *hosts) find(hash uint32) uint16 {
	slot, match := h.slots.Find(hash, int(hash%numQueues))
	if match == ways.Collision {
		h.slots.Give(slot, hash)
	}
	return uint16(slot)
}

func (h *hosts) raise(slot uint16) {
	if n := &h.bulk[slot]; *n < numQueues {
		if *n++; *n == 1 {
			h.slots.Take(int(slot))
		}
	}
}

func (h *hosts) lower(slot uint16) {
	if n := &h.bulk[slot]; *n > 0 {
		if *n--; *n == 0 {
			h.slots.Free(int(slot))
		}
	}
}
