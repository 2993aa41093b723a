package hwqueue

import "github.com/netsched/netsched/qdisc"

// Stop passes over a queue until Wake. Unknown queues are ignored.
func (q *Queues) Stop(queue int) {
	if uint(queue) < uint(len(q.list)) {
		q.list[queue].stopped = true
		q.revive(uint32(queue))
	}
}

// Wake lets a queue take part again. Unknown queues are ignored.
func (q *Queues) Wake(queue int) {
	if uint(queue) < uint(len(q.list)) {
		q.list[queue].stopped = false
		q.revive(uint32(queue))
	}
}

// settle puts queue i into the bitmap or takes it out. It is idempotent, and
// due after every call on the child. One that waits is left waiting.
func (q *Queues) settle(i uint32) {
	c := &q.list[i]
	active := c.Held() != 0 && !c.stopped && !q.wait.waits(i)
	if active == c.active {
		return
	}
	if c.active = active; active {
		q.active.add(i)
	} else {
		q.active.remove(i)
	}
}

// revive forgets what the child of queue i said about its next packet, and
// settles.
//
//go:noinline
func (q *Queues) revive(i uint32) {
	if q.wait.waits(i) {
		q.unwait(i)
	}
	q.settle(i)
}

func (q *Queues) unwait(i uint32) {
	q.wait.remove(i)
	q.wake = q.wait.first()
}

// hold sets queue i, whose child gave no packet, aside until the child says it
// may give one.
//
//go:noinline
func (q *Queues) hold(i uint32, now qdisc.Time) {
	if q.wait.waits(i) {
		q.unwait(i)
	}
	if c := &q.list[i]; c.Held() != 0 {
		q.wait.add(i, c.Due(now))
		q.wake = q.wait.first()
	}
	q.settle(i)
}

// rouse makes the waiting queues that are due active again.
//
//go:noinline
func (q *Queues) rouse(now qdisc.Time) {
	for q.wake <= now {
		q.revive(q.wait.heap[0].queue)
	}
}
