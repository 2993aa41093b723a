package main

import (
	"container/heap"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Simulated instants and spans share qdisc.Time, in nanoseconds.
const (
	microsecond = qdisc.Time(time.Microsecond)
	millisecond = qdisc.Time(time.Millisecond)
	second      = qdisc.Time(time.Second)
)

// sim is an event loop on a virtual clock. Events of the same instant run in
// the order in which they were asked for, so a run never differs.
type sim struct {
	now    qdisc.Time
	events eventHeap
	asked  int
}

type event struct {
	at    qdisc.Time
	order int
	do    func()
}

// at has do called at a time that is not past.
func (s *sim) at(t qdisc.Time, do func()) {
	s.asked++
	heap.Push(&s.events, event{max(t, s.now), s.asked, do})
}

// run runs the events up to and including the end.
func (s *sim) run(end qdisc.Time) {
	for len(s.events) > 0 && s.events[0].at <= end {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		e.do()
	}
	s.now = end
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].order < h[j].order
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(event)) }
func (h *eventHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
