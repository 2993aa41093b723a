package main

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/prio"
)

// driver moves packets from a discipline to the device.
type driver interface {
	enqueue(p *qdisc.Packet, now qdisc.Time)
	completed(queue int)            // a packet of this hardware queue has left
	fill(d *device, now qdisc.Time) // hands over what it can
}

// requeue takes a packet from strict priority before it knows whether the
// hardware queue has room. If not, it keeps the packet, which bars the way for
// all others.
type requeue struct {
	q      qdisc.Qdisc
	parked *qdisc.Packet // its hardware queue was full
}

func newRequeue(queues int) (driver, error) {
	q, err := prio.New(prio.Config{Bands: queues})
	return &requeue{q: q}, err
}

func (r *requeue) enqueue(p *qdisc.Packet, now qdisc.Time) { r.q.Enqueue(p, now) }
func (r *requeue) completed(int)                           {}

func (r *requeue) fill(d *device, now qdisc.Time) {
	for {
		p := r.parked
		if p == nil {
			p = r.q.Dequeue(now)
		}
		if p == nil {
			d.idle++
			return
		}
		if !d.room(p.TxQueue) {
			r.parked = p
			return
		}
		r.parked = nil
		d.push(p, now)
	}
}

// peek looks at the packet before it takes it from strict priority, and leaves
// it there if its hardware queue has no room. It parks nothing, but has still
// only one packet to choose from.
type peek struct{ q qdisc.Qdisc }

func newPeek(queues int) (driver, error) {
	q, err := prio.New(prio.Config{Bands: queues})
	return &peek{q}, err
}

func (k *peek) enqueue(p *qdisc.Packet, now qdisc.Time) { k.q.Enqueue(p, now) }
func (k *peek) completed(int)                           {}

func (k *peek) fill(d *device, now qdisc.Time) {
	for {
		p := k.q.Peek(now)
		if p == nil {
			d.idle++
			return
		}
		if !d.room(p.TxQueue) {
			return
		}
		d.push(k.q.Dequeue(now), now)
	}
}

// aware tells its discipline, which is multiq, when a ring is full and when it
// has room again, and so is given only packets that the device can take.
type aware struct{ q *multiq.Multiq }

func newAware(queues int) (driver, error) {
	q, err := multiq.New(multiq.Config{Bands: queues})
	return &aware{q}, err
}

func (a *aware) enqueue(p *qdisc.Packet, now qdisc.Time) { a.q.Enqueue(p, now) }
func (a *aware) completed(queue int)                     { a.q.Wake(queue) }

func (a *aware) fill(d *device, now qdisc.Time) {
	for p := a.q.Dequeue(now); p != nil; p = a.q.Dequeue(now) {
		d.room(p.TxQueue) // counts; there always is
		if d.push(p, now) {
			a.q.Stop(int(p.TxQueue))
		}
	}
	d.idle++
}
