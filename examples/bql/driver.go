package main

import (
	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// ringSize is how many frames the device's ring holds, far more than a line of
// 10 Mbit/s needs.
const ringSize = 64

// line transmits one frame at a time and calls sent at its end; delivered is
// false if the line gave the frame up.
type line interface {
	transmit(p *qdisc.Packet, sent func(delivered bool))
}

// driver moves packets from a discipline into a device's ring, as long as the
// limiter allows. The device transmits them in order, and reports by an
// interrupt, latency after the first frame not yet reported has gone, all that
// have gone by then.
type driver struct {
	sim     *sim
	q       qdisc.Qdisc
	limiter *bql.Limiter // nil: the ring alone is the limit
	line    line
	latency qdisc.Time

	ring   qdisc.List // waiting or on the line
	gone   qdisc.List // transmitted, not reported
	slots  int        // frames in either
	bytes  int64      // of them: in flight
	active bool       // a frame is on the line

	sent     func(p *qdisc.Packet, delivered bool) // a frame has left the line
	reported func(p *qdisc.Packet)                 // and the device says so: p is the caller's again
	filled   func()                                // the driver has handed over what it could
}

// fill hands over packets until the limiter or the ring says stop. That is the
// whole of a driver's part: Queued at each packet, Completed at an interrupt,
// and no packet while Available is negative.
func (d *driver) fill() {
	for d.slots < ringSize && (d.limiter == nil || d.limiter.Available() >= 0) {
		p := d.q.Dequeue(d.sim.now)
		if p == nil {
			break
		}
		if d.limiter != nil {
			d.limiter.Queued(p.Len)
		}
		d.ring.Push(p)
		d.slots++
		d.bytes += int64(p.Len)
	}
	d.transmit()
	d.filled()
}

// transmit starts the next frame if the line is free.
func (d *driver) transmit() {
	if d.active || d.ring.Empty() {
		return
	}
	d.active = true
	d.line.transmit(d.ring.Head(), func(delivered bool) {
		d.active = false
		p := d.ring.Pop()
		if d.gone.Empty() {
			d.sim.at(d.sim.now+d.latency, d.interrupt)
		}
		d.gone.Push(p)
		d.sent(p, delivered)
		d.transmit()
	})
}

// interrupt reports the frames that have gone.
func (d *driver) interrupt() {
	done := int64(0)
	for p := range d.gone.Drain() {
		done += int64(p.Len)
		d.slots--
		d.reported(p)
	}
	d.bytes -= done
	if d.limiter != nil {
		d.limiter.Completed(uint64(done), d.sim.now)
	}
	d.fill()
}
