package trace

import "slices"

// device is the layer between a root discipline and hardware queues that a
// run of the second format models: it has room for one packet whose queue is
// stopped.
type device struct {
	stopped []int
	parked  *packet
}

func (d *device) stop(queue int, stop bool) {
	d.stopped = slices.DeleteFunc(d.stopped, func(q int) bool { return q == queue })
	if stop {
		d.stopped = append(d.stopped, queue)
	}
}

// transmit is one attempt to send. A packet whose queue is stopped stays
// before all others, whichever queues those are for.
func (p *classfulReplay) transmit(got *ClassfulOutcome) {
	d := &p.device
	if d.parked == nil {
		q := p.q.Dequeue(p.now)
		if q == nil {
			return
		}
		d.parked = p.take(q)
	}
	got.ID = d.parked.id
	if got.Blocked = slices.Contains(d.stopped, int(d.parked.TxQueue)); !got.Blocked {
		d.parked = nil
	}
}
