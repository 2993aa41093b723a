package heap

import "math/bits"

// Least knows the smallest of the keys that slots have, of equals the one with
// the smallest insertion number. It is a tournament of four: a new key takes a
// fixed way to the top, of which every address is known beforehand and no turn
// depends on a key. Where mostly the smallest gets a new key, that is faster
// than a Heap. The zero value has no slot until Grow.
type Least struct {
	top item // the winner
	// Places are those of a Heap. The players stand in the last level, and in
	// those above the winner of each four. How many levels there are follows
	// the number of players.
	at    []item
	spots []spot // of each slot
	n     uint32 // players
	first uint32 // place with which the last level begins
	end   uint32 // place behind those where a player has stood
	free  uint32 // place of one who left; its slot is the next such; 0: none
}

type spot struct {
	seq   uint64
	place uint32 // 0: no key
}

// Grow makes room for slots 0 to slots-1.
func (l *Least) Grow(slots int) {
	if slots <= len(l.spots) {
		return
	}
	slots = max(slots, 2*len(l.spots))
	last := root
	for n := 1; n < slots; n *= 4 {
		last = 4*last - 8
	}
	at := make([]item, (last+slots+3)&^3)
	for i := copy(at, l.at); i < len(at); i++ {
		at[i].key = none(uint32(i))
	}
	spots := make([]spot, slots)
	copy(spots, l.spots)
	l.at, l.spots = at, spots
	l.first, l.end = max(l.first, root), max(l.end, root)
}

// Empty tells whether no slot has a key.
func (l *Least) Empty() bool { return l.n == 0 }

// First returns the smallest key; there must be one.
func (l *Least) First() uint64 { return l.top.key }

// Top returns the slot with the smallest key; there must be one.
func (l *Least) Top() uint32 { return l.top.slot }

// Has tells whether the slot has a key.
func (l *Least) Has(slot uint32) bool { return l.spots[slot].place != 0 }

// Push gives a slot that has none a key and an insertion number.
func (l *Least) Push(slot uint32, key, seq uint64) {
	i := l.free
	if i != 0 {
		l.free = l.at[i].slot
	} else {
		if next := 4*l.first - 8; l.end == next { // the level is full
			l.move(next)
		}
		i = l.end
		l.end++
	}
	l.n++
	l.spots[slot].place = i
	l.Update(slot, key, seq)
}

// Update gives a slot that has one another key.
func (l *Least) Update(slot uint32, key, seq uint64) {
	l.spots[slot].seq = seq
	l.put(l.spots[slot].place, min(key, MaxKey), slot)
}

// Remove takes a slot's key away.
func (l *Least) Remove(slot uint32) {
	i := l.spots[slot].place
	l.spots[slot].place = 0
	l.put(i, none(i), l.free)
	l.free = i
	l.n--
	switch {
	case l.n == 0:
		l.first, l.end, l.free = root, root, 0
	case l.n <= (3*l.first-8)/16: // a sixteenth of the level is used, or less
		l.move(l.first/4 + 2)
	}
}

// Clear takes all keys away.
func (l *Least) Clear() {
	for i := range l.at[:l.end] {
		if w := l.at[i]; uint32(i) >= l.first && w.key <= MaxKey {
			l.spots[w.slot].place = 0
		}
		l.at[i].key = none(uint32(i))
	}
	l.n, l.free = 0, 0
	l.first, l.end = min(l.first, root), min(l.end, root)
}

// move moves the players to the level that begins at place to. It looks at all
// places, but only after the players have become four times as many, or a
// quarter.
func (l *Least) move(to uint32) {
	first, end := l.first, l.end
	l.first, l.end, l.free = to, to, 0
	for i := uint32(root); i < first; i++ {
		l.at[i].key = none(i)
	}
	for i := first; i < end; i++ {
		w := l.at[i]
		l.at[i].key = none(i)
		if w.key <= MaxKey {
			l.at[l.end], l.spots[w.slot].place = w, l.end
			l.end++
		}
	}
	for i := to; i < l.end; i += 4 {
		l.put(i, l.at[i].key, l.at[i].slot)
	}
}

// put has a slot stand at place i and finds the winners above.
func (l *Least) put(i uint32, key uint64, slot uint32) {
	w := item{key, slot}
	l.at[i] = w
	for i > root {
		first := i &^ 3
		g := l.at[first : first+4 : first+4]
		// As in sink: a function for both is too long to be inlined.
		a, b := min(g[0].key, g[1].key), min(g[2].key, g[3].key)
		_, m := bits.Sub64(g[1].key, g[0].key, 0)
		_, n := bits.Sub64(g[3].key, g[2].key, 0)
		k, second := bits.Sub64(b, a, 0)
		m = (m ^ (m^(2+n))&-second) & 3
		if k == 0 || g[m].key == g[m^1].key {
			m = l.tied(g)
		}
		w = g[m]
		i = i/4 + 2
		l.at[i] = w
	}
	l.top = w
}

// tied returns which of four is the smallest, where two have the same key.
//
//go:noinline
func (l *Least) tied(g []item) uint64 {
	m := 0
	for i := 1; i < 4; i++ {
		if g[i].key < g[m].key || g[i].key == g[m].key && g[i].key <= MaxKey && l.spots[g[i].slot].seq < l.spots[g[m].slot].seq {
			m = i
		}
	}
	return uint64(m) & 3
}
