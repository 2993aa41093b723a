package hwqueue

import "math/bits"

// none is what a search of an empty bitmap finds.
const none = ^uint32(0)

// bitmap is a set of numbers below its size. Each bit of a level tells whether
// a word of the level below has any.
type bitmap struct {
	words []uint64
	sums  []uint64
	top   uint64
}

// newBitmap returns an empty set of numbers below n, 1 to MaxQueues. A search
// may start at n.
func newBitmap(n int) bitmap {
	words := n/64 + 1
	return bitmap{words: make([]uint64, words), sums: make([]uint64, (words+63)/64)}
}

func (m *bitmap) add(i uint32) {
	m.words[i>>6] |= 1 << (i & 63)
	m.sums[i>>12] |= 1 << (i >> 6 & 63)
	m.top |= 1 << (i >> 12)
}

func (m *bitmap) remove(i uint32) {
	if m.words[i>>6] &^= 1 << (i & 63); m.words[i>>6] != 0 {
		return
	}
	if m.sums[i>>12] &^= 1 << (i >> 6 & 63); m.sums[i>>12] == 0 {
		m.top &^= 1 << (i >> 12)
	}
}

// from returns the first member from i on, then from 0 on; none if the set is
// empty.
func (m *bitmap) from(i uint32) uint32 {
	if w := m.near(i); w != 0 {
		return i + uint32(bits.TrailingZeros64(w))
	}
	return m.beyond(i >> 6)
}

// near returns the members from i on that share a word with i; bit 0 is i.
func (m *bitmap) near(i uint32) uint64 { return m.words[i>>6] >> (i & 63) }

// beyond is from for a word that has no member left.
//
//go:noinline
func (m *bitmap) beyond(word uint32) uint32 {
	if m.top == 0 {
		return none
	}
	j := uint32(0)
	if len(m.words) > 1 {
		if j = m.word(word + 1); j == none {
			j = m.word(0)
		}
	}
	return j<<6 + uint32(bits.TrailingZeros64(m.words[j]))
}

// word returns the first word from j on that is not 0, none if there is none.
func (m *bitmap) word(j uint32) uint32 {
	k := j >> 6
	if k < uint32(len(m.sums)) {
		if s := m.sums[k] >> (j & 63); s != 0 {
			return j + uint32(bits.TrailingZeros64(s))
		}
	}
	t := m.top >> (k + 1) // 0 if k is the last: a shift takes any count
	if t == 0 {
		return none
	}
	k += 1 + uint32(bits.TrailingZeros64(t))
	return k<<6 + uint32(bits.TrailingZeros64(m.sums[k]))
}
