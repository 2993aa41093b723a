package netsim

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// maxQueues is what Packet.TxQueue can name.
const maxQueues = 1 << 16

// DeviceConfig describes a Device.
type DeviceConfig struct {
	Name string // for the event log

	// Qdisc is as in LinkConfig. If it is a qdisc.Stopper (multiq, mq) it is
	// told which hardware queues are full.
	Qdisc qdisc.Qdisc
	// Queues are the hardware queues, 1 to 65536. A packet's is its TxQueue, or
	// queue 0 if there is none of that number.
	Queues []QueueConfig

	To     Receiver        // as in LinkConfig
	OnDrop func(p *Packet) // as in LinkConfig
}

// Device is a link with several hardware queues below one discipline. Each
// has its own ring, limiter and line.
//
// A discipline that is no Stopper gives packets for full queues too. The device
// then keeps the packet, as a kernel requeues it, and takes no other until
// there is room for it: one full queue blocks the others.
type Device struct {
	egress
	ports   []port
	stopped []bool
	running int // queues that are not stopped
	stopper qdisc.Stopper
	held    *Packet // given for a full queue
	filling bool
}

// NewDevice returns an idle device. Its errors are *qdisc.ConfigErrors.
func NewDevice(s *Sim, cfg DeviceConfig) (*Device, error) {
	var errs qdisc.ConfigErrors
	n := len(cfg.Queues)
	if n == 0 || n > maxQueues {
		errs.Add("Queues", n, "a device has 1 to 65536 hardware queues")
	}
	for i := range cfg.Queues {
		cfg.Queues[i].check(s, fmt.Sprintf("Queues[%d].", i), &errs)
	}
	d := &Device{egress: egress{name: cfg.Name, to: cfg.To, onDrop: cfg.OnDrop}}
	d.egress.init(s, cfg.Qdisc, d.fill, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	d.stopper, _ = d.q.(qdisc.Stopper)
	d.ports, d.stopped, d.running = make([]port, n), make([]bool, n), n
	for i := range d.ports {
		d.ports[i].init(&d.egress, &cfg.Queues[i], func() { d.room(i) })
	}
	return d, nil
}

// Receive takes p into the discipline.
func (d *Device) Receive(p *Packet) {
	d.offer(p)
	d.fill()
}

// room lets queue i run again, once it has room, and goes on.
func (d *Device) room(i int) {
	if d.stopped[i] && d.ports[i].room() {
		d.stopped[i] = false
		d.running++
		if d.stopper != nil {
			d.stopper.Wake(i)
		}
	}
	d.fill()
}

// stop notes that queue i is full.
func (d *Device) stop(i int) {
	d.stopped[i] = true
	d.running--
	if d.stopper != nil {
		d.stopper.Stop(i)
	}
}

// fill hands out packets as long as there is room.
func (d *Device) fill() {
	if d.filling {
		return
	}
	d.filling = true
	for d.running > 0 {
		p := d.held
		d.held = nil
		if p == nil {
			p = d.next()
		}
		if p == nil {
			break
		}
		i := d.queue(p)
		if d.stopped[i] {
			d.held = p
			d.stats.Requeues++
			break
		}
		d.ports[i].take(p)
		if !d.stopped[i] && !d.ports[i].room() {
			d.stop(i)
		}
	}
	d.filling = false
}

// queue returns the hardware queue of p.
func (d *Device) queue(p *Packet) int {
	if i := int(p.TxQueue); i < len(d.ports) {
		return i
	}
	return 0
}

// SetRate changes the rate of a hardware queue's line, as Link.SetRate does.
// Queues that there are not are ignored.
func (d *Device) SetRate(queue int, r qdisc.Rate) {
	if uint(queue) < uint(len(d.ports)) {
		d.ports[queue].setRate(r)
	}
}

// Qdisc returns the discipline. Whoever changes it, or anything below it, calls
// Sync afterwards.
func (d *Device) Qdisc() qdisc.Qdisc { return d.q }

// Sync ends the packets that a change of the discipline has dropped, and asks
// it for one to send.
func (d *Device) Sync() {
	d.reap()
	d.fill()
}

// InFlight returns the packets handed to a hardware queue and not reported
// gone.
func (d *Device) InFlight(queue int) int {
	if uint(queue) < uint(len(d.ports)) {
		return d.ports[queue].slots
	}
	return 0
}

// Stats returns the counters. The packet kept for a full queue is neither
// dropped nor transmitted yet.
func (d *Device) Stats() LinkStats { return d.stats }
