package cbq

import (
	"math/bits"

	"github.com/netsched/netsched/internal/heap"
)

// turns is the weighted round robin among those of one priority: in the long
// run each gets bytes in proportion to its weight, whatever the lengths of its
// packets. It is start-time fair queueing (Goyal, Vin and Cheng, 1996), the
// round robin without rounds: the smallest tag is next, and a turn moves its
// tag on by bytes/weight. So there is no quantum that could be too small for a
// packet or too large for the delay of others, and who leaves and comes back
// keeps what it owes.
type turns struct {
	heap heap.Least
	tags []uint64 // of each slot
	now  uint64   // tag of the last turn: who joins starts there
	seq  uint64   // insertion numbers given: equal tags keep their order
}

// A tag beyond farTag makes all tags of its turns move back. Packets of 1500
// bytes of the smallest weight there is get there after some 10,000 turns.
const (
	farTag  = 1 << 62
	maxTurn = 1 << 61
)

// weightLen is how many bits a weight has at most. Weights are scaled so that the
// largest of a scheduler has as many.
const weightLen = 50

// leastWeight is the smallest weight beside it. One that is less counts as it,
// or tags would move back all the time.
const leastWeight = 1 << 16

// turnCost returns how far a byte moves the tag of a weight, times 2^16: 2^70
// over the weight, rounded by 2^-20 at most.
func turnCost(weight uint64) uint64 {
	cost, _ := bits.Div64(1<<(70-64), 0, max(weight, leastWeight))
	return cost
}

func (t *turns) empty() bool { return t.heap.Empty() }

// join lets a slot take part.
func (t *turns) join(slot uint32) {
	t.tags[slot] = max(t.tags[slot], t.now)
	t.seq++
	t.heap.Push(slot, t.tags[slot], t.seq)
}

// leave takes out a slot.
func (t *turns) leave(slot uint32) { t.heap.Remove(slot) }

// pay counts a turn in which the slot sent n bytes. The slot then requeues or
// leaves. One that did not take part is served as if it had joined.
func (t *turns) pay(slot uint32, n, cost uint64) {
	t.now = max(t.tags[slot], t.now)
	hi, lo := bits.Mul64(max(n, 1), cost)
	turn := hi<<48 | lo>>16
	if hi >= maxTurn>>48 { // also where hi<<48 would wrap
		turn = maxTurn
	}
	t.tags[slot] = t.now + turn
	if t.tags[slot] > farTag {
		t.rebase()
	}
}

// requeue puts a slot that paid where its tag belongs.
func (t *turns) requeue(slot uint32) {
	t.seq++
	t.heap.Update(slot, t.tags[slot], t.seq)
}

// rebase moves all tags back by the same, those of who is away to 0 at least.
//
//go:noinline
func (t *turns) rebase() {
	for i := range t.tags {
		t.tags[i] -= min(t.tags[i], t.now)
	}
	t.reorder()
}

// forget lets everybody begin anew.
func (t *turns) forget() {
	clear(t.tags)
	t.reorder()
}

func (t *turns) reorder() {
	t.now = 0
	for i := range uint32(len(t.tags)) {
		if t.heap.Has(i) {
			t.requeue(i)
		}
	}
}

// drop forgets what a slot owes.
func (t *turns) drop(slot uint32) {
	if int(slot) < len(t.tags) {
		t.tags[slot] = 0
	}
}

func (t *turns) grow(slots int) {
	t.heap.Grow(slots)
	if more := slots - len(t.tags); more > 0 {
		t.tags = append(t.tags, make([]uint64, max(more, len(t.tags)))...)
	}
}

func (t *turns) clear() {
	t.heap.Clear()
	clear(t.tags)
	t.now = 0
}
