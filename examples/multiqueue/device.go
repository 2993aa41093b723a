package main

import "github.com/netsched/netsched/qdisc"

const (
	ringSize  = 64   // packets that a hardware queue holds
	packetLen = 1500 // bytes
	second    = 1e9  // ns
)

// device is a network device with several transmit queues, each a ring that
// feeds a line of its own.
type device struct {
	rings []ring

	attempts int // times that a driver had a packet for a ring
	blocked  int // of these, how often the ring was full
	idle     int // times that a driver was given no packet
}

type ring struct {
	packets qdisc.List
	n       int
	rate    qdisc.Rate // 0: the line is down and nothing leaves
	airtime qdisc.Time // of a packet
	done    qdisc.Time // when the first packet has left; Never: none is leaving
}

func newDevice(w workload) *device {
	d := &device{rings: make([]ring, w.queues)}
	for i := range d.rings {
		r := &d.rings[i]
		r.rate, r.done = w.rate(i), qdisc.Never
		if r.rate != 0 {
			r.airtime = qdisc.Time(packetLen * 8 * second / r.rate)
		}
	}
	return d
}

// room tells whether a packet may go into a ring, which the driver asks when
// it has one.
func (d *device) room(queue uint16) bool {
	d.attempts++
	if d.rings[queue].n == ringSize {
		d.blocked++
		return false
	}
	return true
}

// push puts p into its ring, which must have room, and tells whether the ring
// is full now.
func (d *device) push(p *qdisc.Packet, now qdisc.Time) (full bool) {
	r := &d.rings[p.TxQueue]
	if r.n == 0 && r.rate != 0 {
		r.done = now + r.airtime
	}
	r.packets.Push(p)
	r.n++
	return r.n == ringSize
}

// next returns the queue whose packet leaves next, and when: Never if nothing
// does.
func (d *device) next() (queue int, at qdisc.Time) {
	at = qdisc.Never
	for i := range d.rings {
		if done := d.rings[i].done; done < at {
			queue, at = i, done
		}
	}
	return queue, at
}

// complete takes the packet that has left.
func (d *device) complete(queue int) *qdisc.Packet {
	r := &d.rings[queue]
	r.n--
	if r.done += r.airtime; r.n == 0 {
		r.done = qdisc.Never
	}
	return r.packets.Pop()
}

// simulate runs the device until the end: packets that have left are queued
// again at once, so every queue always has more to send. It returns how many
// packets have left.
func simulate(d *device, drv driver, end qdisc.Time) (sent int) {
	drv.fill(d, 0)
	for queue, now := d.next(); now <= end; queue, now = d.next() {
		p := d.complete(queue)
		sent++
		drv.enqueue(p, now)
		drv.completed(queue)
		drv.fill(d, now)
	}
	return sent
}
