package cbq

import "iter"

// index numbers things; numbers given back are used again. The zero value of T
// stands where none is.
type index[T comparable] struct {
	at   []T
	free []uint32
}

// put gives x a number.
func (l *index[T]) put(x T) uint32 {
	if n := len(l.free); n > 0 {
		i := l.free[n-1]
		l.free = l.free[:n-1]
		l.at[i] = x
		return i
	}
	l.at = append(l.at, x)
	return uint32(len(l.at) - 1)
}

// pull takes back the number i.
func (l *index[T]) pull(i uint32) {
	var none T
	l.at[i] = none
	l.free = append(l.free, i)
}

// len returns how many have a number.
func (l *index[T]) len() int { return len(l.at) - len(l.free) }

// all ranges over all that have a number.
func (l *index[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		var none T
		for _, x := range l.at {
			if x != none && !yield(x) {
				return
			}
		}
	}
}
