package heap

import "math/bits"

// Entry is a slot and what it is ordered by: Key, then Tie, then Seq, the
// smallest first. With an insertion number as the last of them that matters,
// equal keys keep their order.
type Entry struct {
	Key, Tie, Seq uint64
	Slot          uint32
}

// Heap is a priority queue with four children a node. It knows where each slot
// stands. The zero value is empty and holds no slot until Grow.
type Heap struct {
	// The root stands at place 3 and the children of place i from 4i-8 on, so
	// that the four of a node fill a cache line. Places behind the end hold
	// keys that are larger than any, and differ within the four: a node always
	// has four children, and ties are only where two entries have them.
	at    []item
	place []uint32 // of each slot; 0: not in the heap
	ties  []tie    // of each slot
	end   uint32   // the first place that is not used; 0 stands for root
}

type item struct {
	key  uint64
	slot uint32
}

type tie struct{ tie, seq uint64 }

const root = 3

// MaxKey is the largest key; a larger one counts as it.
const MaxKey = 1<<64 - 5

// none is the key at a place behind the end.
func none(place uint32) uint64 { return MaxKey + 1 + uint64(place&3) }

// Grow makes room for slots 0 to slots-1.
func (h *Heap) Grow(slots int) {
	if slots <= len(h.place) {
		return
	}
	slots = max(slots, 2*len(h.place))
	h.end = max(h.end, root)
	at := make([]item, (root+slots+3)&^3)
	for i := copy(at, h.at); i < len(at); i++ {
		at[i].key = none(uint32(i))
	}
	place, ties := make([]uint32, slots), make([]tie, slots)
	copy(place, h.place)
	copy(ties, h.ties)
	h.at, h.place, h.ties = at, place, ties
}

// Len returns the number of entries.
func (h *Heap) Len() int { return int(max(h.end, root)) - root }

// Empty tells whether there is no entry.
func (h *Heap) Empty() bool { return h.end <= root }

// First returns the smallest key; the heap must not be empty.
func (h *Heap) First() uint64 { return h.at[root].key }

// Top returns the smallest entry's slot; the heap must not be empty.
func (h *Heap) Top() uint32 { return h.at[root].slot }

// Lone tells whether no entry but the top has a key up to most.
func (h *Heap) Lone(most uint64) bool {
	if h.end == root+1 {
		return true
	}
	g := h.at[root+1 : root+5 : root+5] // there are four places: there are two entries
	return min(g[0].key, g[1].key, g[2].key, g[3].key) > most
}

// Has tells whether the slot is in the heap.
func (h *Heap) Has(slot uint32) bool { return h.place[slot] != 0 }

// Push puts in a slot that is not there.
func (h *Heap) Push(e Entry) {
	i := h.end
	h.end++
	h.ties[e.Slot] = tie{e.Tie, e.Seq}
	h.rise(i, min(e.Key, MaxKey), e.Slot)
}

// Pop takes out the smallest entry and returns its slot.
func (h *Heap) Pop() uint32 {
	slot := h.at[root].slot
	h.Remove(slot)
	return slot
}

// Remove takes out a slot that is there.
func (h *Heap) Remove(slot uint32) {
	i := h.place[slot]
	h.place[slot] = 0
	h.end--
	last := h.at[h.end]
	h.at[h.end].key = none(h.end)
	if i < h.end {
		h.put(i, last.key, last.slot)
	}
}

// Update gives a slot that is there another key.
func (h *Heap) Update(e Entry) {
	h.ties[e.Slot] = tie{e.Tie, e.Seq}
	key := min(e.Key, MaxKey)
	if h.end == root+1 {
		h.at[root].key = key
		return
	}
	h.put(h.place[e.Slot], key, e.Slot)
}

// Clear takes out everything.
func (h *Heap) Clear() {
	for h.end > root {
		h.end--
		h.place[h.at[h.end].slot] = 0
		h.at[h.end].key = none(h.end)
	}
}

// put finds a slot's place above or below the hole i.
func (h *Heap) put(i uint32, key uint64, slot uint32) {
	if i > root && h.before(key, slot, h.at[i/4+2]) {
		h.rise(i, key, slot)
	} else {
		h.sink(i, key, slot)
	}
}

func (h *Heap) rise(i uint32, key uint64, slot uint32) {
	for i > root {
		up := h.at[i/4+2]
		if !h.before(key, slot, up) {
			break
		}
		h.at[i], h.place[up.slot] = up, i
		i = i/4 + 2
	}
	h.at[i], h.place[slot] = item{key, slot}, i
}

func (h *Heap) sink(i uint32, key uint64, slot uint32) {
	at, place := h.at, h.place
	for {
		first := 4*i - 8
		if first >= h.end {
			break
		}
		// The smallest of the four. Which one that is cannot be predicted, so
		// it takes no branch.
		g := at[first : first+4 : first+4]
		a, b := min(g[0].key, g[1].key), min(g[2].key, g[3].key)
		_, m := bits.Sub64(g[1].key, g[0].key, 0)
		_, n := bits.Sub64(g[3].key, g[2].key, 0)
		k, second := bits.Sub64(b, a, 0)
		if k == 0 || g[0].key == g[1].key || g[2].key == g[3].key {
			m = h.leastTied(first)
		} else {
			m = (m ^ (m^(2+n))&-second) & 3
		}
		up := g[m]
		if up.key >= key && !h.before(up.key, up.slot, item{key, slot}) {
			break
		}
		at[i], place[up.slot] = up, i
		i = first + uint32(m)
	}
	at[i], place[slot] = item{key, slot}, i
}

// leastTied returns which of the up to four from place first on is the
// smallest, where two have the same key.
//
//go:noinline
func (h *Heap) leastTied(first uint32) uint64 {
	m := first
	for i := first + 1; i < min(first+4, h.end); i++ {
		if h.before(h.at[i].key, h.at[i].slot, h.at[m]) {
			m = i
		}
	}
	return uint64(m-first) & 3
}

// before tells whether a slot with that key comes before b.
func (h *Heap) before(key uint64, slot uint32, b item) bool {
	return key < b.key || key == b.key && h.tied(slot, b.slot)
}

// tied tells whether slot a comes before slot b, their keys being equal.
func (h *Heap) tied(a, b uint32) bool {
	x, y := &h.ties[a], &h.ties[b]
	return x.tie < y.tie || x.tie == y.tie && x.seq < y.seq
}
