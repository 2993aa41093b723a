package qdisc

import "iter"

// List is an intrusive FIFO of packets: a queue, a drop list and a free list
// alike. The zero value is empty and ready. A List is not safe for concurrent
// use. After a copy of one that holds packets only the copy may be used.
type List struct {
	head, tail *Packet
}

// Alloc returns a list of n new packets from one allocation: a free list.
func Alloc(n int) List {
	var l List
	slab := make([]Packet, n)
	for i := range slab {
		l.Push(&slab[i])
	}
	return l
}

// Len counts the packets, walking the list: a queue keeps its length in Base.
func (l *List) Len() int {
	n := 0
	for range l.All() {
		n++
	}
	return n
}

// Empty tells whether the list holds no packet.
func (l *List) Empty() bool { return l.head == nil }

// Head returns the oldest packet without taking it, nil if there is none.
func (l *List) Head() *Packet { return l.head }

// Push appends p. It panics if p is nil or already in a list.
func (l *List) Push(p *Packet) {
	if p == nil || p.next != nil {
		misuse(p)
	}
	p.next = p
	if l.tail != nil {
		l.tail.next = p
	} else {
		l.head = p
	}
	l.tail = p
}

// Pop takes the oldest packet, nil if there is none.
func (l *List) Pop() *Packet {
	p := l.head
	if p == nil {
		return nil
	}
	if p.next != p {
		l.head = p.next
	} else {
		l.head, l.tail = nil, nil
	}
	p.next = nil
	return p
}

// Append moves all packets of other to the end of l, in order, in one step.
func (l *List) Append(other *List) {
	if other.head == nil || other == l {
		return
	}
	if l.tail != nil {
		l.tail.next = other.head
	} else {
		l.head = other.head
	}
	l.tail = other.tail
	*other = List{}
}

// All ranges over the packets from the oldest, leaving them in the list. The
// list must not change meanwhile.
func (l *List) All() iter.Seq[*Packet] {
	return func(yield func(*Packet) bool) {
		for p := l.head; p != nil; p = p.next {
			if !yield(p) || p.next == p {
				return
			}
		}
	}
}

// Drain ranges over the packets from the oldest, taking each one; the body
// owns it. What a break leaves stays in the list.
func (l *List) Drain() iter.Seq[*Packet] {
	return func(yield func(*Packet) bool) {
		for p := l.Pop(); p != nil; p = l.Pop() {
			if !yield(p) {
				return
			}
		}
	}
}
