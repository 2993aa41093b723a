package hwqueue

import "github.com/netsched/netsched/qdisc"

// waitlist is a heap of queues by the time when their child is to be asked
// again. Each queue knows its place, so that any can be taken out.
type waitlist struct {
	heap  []waiter
	place []uint32 // of each queue: its index in heap + 1, 0 if it is not there
}

type waiter struct {
	due   qdisc.Time
	queue uint32
}

func newWaitlist(n int) waitlist {
	return waitlist{heap: make([]waiter, 0, n), place: make([]uint32, n)}
}

// first returns the earliest time, Never if nobody waits.
func (l *waitlist) first() qdisc.Time {
	if len(l.heap) == 0 {
		return qdisc.Never
	}
	return l.heap[0].due
}

func (l *waitlist) waits(queue uint32) bool { return l.place[queue] != 0 }

// due returns the time of a queue that waits.
func (l *waitlist) due(queue uint32) qdisc.Time { return l.heap[l.place[queue]-1].due }

// add puts in a queue that is not there.
func (l *waitlist) add(queue uint32, due qdisc.Time) {
	l.heap = append(l.heap, waiter{})
	l.rise(uint32(len(l.heap)-1), waiter{due, queue})
}

// remove takes out a queue that waits.
func (l *waitlist) remove(queue uint32) {
	i := l.place[queue] - 1
	l.place[queue] = 0
	n := uint32(len(l.heap) - 1)
	last := l.heap[n]
	l.heap = l.heap[:n]
	if i < n {
		l.sink(i, last)
	}
}

// sink finds w's place below the hole i, by way of a leaf.
func (l *waitlist) sink(i uint32, w waiter) {
	n := uint32(len(l.heap))
	for 2*i+1 < n {
		child := 2*i + 1
		if child+1 < n && l.heap[child+1].due < l.heap[child].due {
			child++
		}
		l.put(i, l.heap[child])
		i = child
	}
	l.rise(i, w)
}

// rise finds w's place above the hole i.
func (l *waitlist) rise(i uint32, w waiter) {
	for i > 0 {
		up := (i - 1) / 2
		if l.heap[up].due <= w.due {
			break
		}
		l.put(i, l.heap[up])
		i = up
	}
	l.put(i, w)
}

func (l *waitlist) put(i uint32, w waiter) {
	l.heap[i] = w
	l.place[w.queue] = i + 1
}
