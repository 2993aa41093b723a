package codel

import (
	"iter"

	"github.com/netsched/netsched/qdisc"
)

// flow is one queue with its CoDel state and its place in the rounds of an
// FQ: a cache line. A CoDel is one flow.
type flow struct {
	list       qdisc.List
	next       *flow      // in a flowList, itself at the end; nil: in none
	firstAbove qdisc.Time // ticks; when the delay will have been above target for an interval; 0: it is below
	dropNext   qdisc.Time // ticks; when to signal next, if dropping
	count      uint32     // signals since dropping began
	lastCount  uint32     // count when dropping began last
	backlog    uint32     // bytes in list
	deficit    int32      // bytes that may be sent in this round
	root       uint16     // Linux: the reciprocal root of count
	index      uint16     // in FQ.flows
	dropping   bool
}

// add raises the number of signals, which stays at its largest value.
func (f *flow) add(n int) { f.count += uint32(min(uint64(n), uint64(^uint32(0)-f.count))) }

// push appends p, whose length the backlog must have room for.
func (f *flow) push(p *qdisc.Packet) {
	f.list.Push(p)
	f.backlog += p.Len
}

// flowList is a FIFO of flows. A flow is in one list at most.
type flowList struct{ head, tail *flow }

func (l *flowList) push(f *flow) {
	f.next = f
	if l.tail != nil {
		l.tail.next = f
	} else {
		l.head = f
	}
	l.tail = f
}

// pop takes the head, which must exist.
func (l *flowList) pop() *flow {
	f := l.head
	if f.next != f {
		l.head = f.next
	} else {
		l.head, l.tail = nil, nil
	}
	f.next = nil
	return f
}

// rotate moves the head to the end.
func (l *flowList) rotate() {
	if f := l.head; f.next != f {
		l.head = f.next
		f.next = f
		l.tail.next = f
		l.tail = f
	}
}

// all ranges over the flows, leaving them in the list.
func (l *flowList) all() iter.Seq[*flow] {
	return func(yield func(*flow) bool) {
		for f := l.head; f != nil; f = f.next {
			if !yield(f) || f.next == f {
				return
			}
		}
	}
}
