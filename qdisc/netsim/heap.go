package netsim

import "github.com/netsched/netsched/qdisc"

// event is a timer that is set. The order of the Set calls breaks ties, so no
// two events are equal and any heap is stable.
type event struct {
	at    qdisc.Time
	order uint64
	timer *Timer
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// eventHeap is a heap with four children a node: half the levels of a binary
// one, and the children of a node share two cache lines. Each timer knows its
// slot. The root that is firing stays in place as a hole until its function
// returns: mostly that sets a timer, which then sinks from the root, one pass
// where a removal and an insertion would take two. The hole's key is the least
// of all, so the other operations need not know.
type eventHeap struct {
	list []event
	hole bool // list[0] is firing
}

const arity = 4

// open takes the earliest timer and leaves the hole.
func (h *eventHeap) open() *Timer {
	t := h.list[0].timer
	t.slot = 0
	h.hole = true
	return t
}

// close removes the hole if nothing has filled it.
func (h *eventHeap) close() {
	if h.hole {
		h.hole = false
		h.cut(0)
	}
}

// set inserts an event, or moves that of its timer.
func (h *eventHeap) set(e event) {
	switch {
	case e.timer.slot != 0:
		h.fix(int(e.timer.slot)-1, e)
	case h.hole:
		h.hole = false
		h.down(0, e)
	default:
		h.list = append(h.list, e)
		h.up(len(h.list)-1, e)
	}
}

// remove takes out the event in slot i.
func (h *eventHeap) remove(i int) {
	h.list[i].timer.slot = 0
	h.cut(i)
}

// cut closes the gap at slot i with the last event.
func (h *eventHeap) cut(i int) {
	n := len(h.list) - 1
	last := h.list[n]
	h.list[n] = event{}
	h.list = h.list[:n]
	if i < n {
		h.fix(i, last)
	}
}

// fix puts e where it belongs when slot i is free.
func (h *eventHeap) fix(i int, e event) {
	if i > 0 && e.before(&h.list[(i-1)/arity]) {
		h.up(i, e)
	} else {
		h.down(i, e)
	}
}

func (h *eventHeap) up(i int, e event) {
	for i > 0 {
		parent := (i - 1) / arity
		if !e.before(&h.list[parent]) {
			break
		}
		h.put(i, h.list[parent])
		i = parent
	}
	h.put(i, e)
}

func (h *eventHeap) down(i int, e event) {
	for n := len(h.list); ; {
		first := i*arity + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+arity, n); c++ {
			if h.list[c].before(&h.list[least]) {
				least = c
			}
		}
		if !h.list[least].before(&e) {
			break
		}
		h.put(i, h.list[least])
		i = least
	}
	h.put(i, e)
}

func (h *eventHeap) put(i int, e event) {
	h.list[i] = e
	e.timer.slot = int32(i + 1)
}

// earliest returns when the first timer is due, Never if there is none.
func (h *eventHeap) earliest() qdisc.Time {
	at := qdisc.Never
	switch {
	case len(h.list) == 0:
	case !h.hole:
		at = h.list[0].at
	default: // the hole's children are the candidates
		for _, e := range h.list[1:min(1+arity, len(h.list))] {
			at = min(at, e.at)
		}
	}
	return at
}
