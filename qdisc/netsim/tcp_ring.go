package netsim

// tcpRing is a queue that is also an array: an entry keeps its number, counted
// from the first that was ever pushed, until it is popped. It grows as needed
// and never shrinks.
type tcpRing[T any] struct {
	buf        []T // a power of two long
	head, tail uint64
}

func (r *tcpRing[T]) len() int { return int(r.tail - r.head) }

// at returns entry i, head <= i < tail. The pointer is good until the next push.
func (r *tcpRing[T]) at(i uint64) *T { return &r.buf[i&uint64(len(r.buf)-1)] }

func (r *tcpRing[T]) push(v T) {
	if r.len() == len(r.buf) {
		r.grow()
	}
	*r.at(r.tail) = v
	r.tail++
}

func (r *tcpRing[T]) grow() {
	old := *r
	r.buf = make([]T, max(16, 2*len(old.buf)))
	for i := old.head; i < old.tail; i++ {
		*r.at(i) = *old.at(i)
	}
}

func (r *tcpRing[T]) pop() { r.head++ }

func (r *tcpRing[T]) clear() { r.head = r.tail }
