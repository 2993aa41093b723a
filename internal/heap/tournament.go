package heap

import "math/bits"

// Tournament knows the largest of the keys that slots have. The zero value has
// no slot until Grow.
type Tournament struct {
	tree []uint64 // leaves in the upper half, each node the larger of its two
}

// Grow makes room for slots 0 to slots-1. New ones have key 0.
func (t *Tournament) Grow(slots int) {
	if slots <= len(t.tree)/2 {
		return
	}
	n := 1 << bits.Len(uint(slots-1))
	tree := make([]uint64, 2*n)
	copy(tree[n:], t.tree[len(t.tree)/2:])
	for i := n - 1; i > 0; i-- {
		tree[i] = max(tree[2*i], tree[2*i+1])
	}
	t.tree = tree
}

// Set gives a slot its key.
func (t *Tournament) Set(slot uint32, key uint64) {
	i := len(t.tree)/2 + int(slot)
	t.tree[i] = key
	for i > 1 {
		key = max(key, t.tree[i^1])
		i /= 2
		if t.tree[i] == key {
			return
		}
		t.tree[i] = key
	}
}

// Largest returns the largest key, 0 if there is no slot.
func (t *Tournament) Largest() uint64 {
	if len(t.tree) == 0 {
		return 0
	}
	return t.tree[1]
}

// Clear sets every key to 0.
func (t *Tournament) Clear() { clear(t.tree) }
