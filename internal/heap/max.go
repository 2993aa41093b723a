package heap

// Max is a Tournament whose changes may be saved up: Touch notes a slot, once,
// and when the largest is asked for Settle gives back what was noted, to Set
// each. So a key that changes often and is seldom compared costs nothing. The
// zero value has no slot until Grow.
type Max struct {
	Tournament
	touched []uint32
}

// Grow makes room for slots 0 to slots-1. New ones have key 0.
func (m *Max) Grow(slots int) {
	m.Tournament.Grow(slots)
	if n := len(m.tree) / 2; cap(m.touched) < n {
		m.touched = append(make([]uint32, 0, n), m.touched...)
	}
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

// Clear sets every key to 0 and forgets what was noted.
func (m *Max) Clear() {
	m.Tournament.Clear()
	m.touched = m.touched[:0]
}
