package heap

import "math/bits"

// Max knows the largest of the keys that slots have. Changes may be saved up:
// Touch notes a slot, once, and when the largest is asked for Settle gives
// back what was noted, to Set each. So a key that changes often and is seldom
// compared costs nothing. The zero value has no slot until Grow.
type Max struct {
	tree    []uint64 // leaves in the upper half, each node the larger of its two
	touched []uint32
}

// Grow makes room for slots 0 to slots-1. New ones have key 0.
func (m *Max) Grow(slots int) {
	if slots <= len(m.tree)/2 {
		return
	}
	n := 1 << bits.Len(uint(slots-1))
	tree := make([]uint64, 2*n)
	copy(tree[n:], m.tree[len(m.tree)/2:])
	for i := n - 1; i > 0; i-- {
		tree[i] = max(tree[2*i], tree[2*i+1])
	}
	m.tree = tree
	m.touched = append(make([]uint32, 0, n), m.touched...)
}

// Touch notes that the slot's key changes. A slot must not be noted twice
// before it is given back.
func (m *Max) Touch(slot uint32) { m.touched = append(m.touched, slot) }

// Settle gives back the slots that were noted.
func (m *Max) Settle() []uint32 {
	t := m.touched
	m.touched = t[:0]
	return t
}

// Set gives a slot its key.
func (m *Max) Set(slot uint32, key uint64) {
	i := len(m.tree)/2 + int(slot)
	m.tree[i] = key
	for i > 1 {
		key = max(key, m.tree[i^1])
		i /= 2
		if m.tree[i] == key {
			return
		}
		m.tree[i] = key
	}
}

// Largest returns the largest key, 0 if there is no slot.
func (m *Max) Largest() uint64 {
	if len(m.tree) == 0 {
		return 0
	}
	return m.tree[1]
}

// Clear sets every key to 0 and forgets what was noted.
func (m *Max) Clear() {
	clear(m.tree)
	m.touched = m.touched[:0]
}
