package txq

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// DefaultRing is how many packets a hardware queue of a MemDevice holds unless
// MemConfig says otherwise.
const DefaultRing = 256

// MemConfig describes a MemDevice.
type MemConfig struct {
	Clock   Clock         // that of the Queue; nil: SystemClock()
	Queues  int           // hardware queues, 1 to MaxQueues; 0: 1. Those of the Queue
	Ring    int           // packets that each holds, reported ones not; 0: DefaultRing
	Rate    qdisc.Rate    // of each one's line, in bit/s; 0: sending takes no time
	Latency time.Duration // from the end of sending to the report; 0: none

	// Sink, if not nil, is shown each packet when it is reported. The packet
	// is the queue's. Sink must not call the device.
	Sink func(queue int, p *qdisc.Packet)
}

// MemDevice is a [Completer] that sends packets nowhere: a network card with a
// ring and a line of its own for each hardware queue, for tests, simulations
// and benchmarks. It stops the hardware queue whose ring is full. The cost of a
// write or a report grows with the number of hardware queues. It serves one
// Queue, and has a goroutine until Close.
type MemDevice struct {
	clock   Clock
	timer   Timer
	rate    uint64
	latency time.Duration
	sink    func(int, *qdisc.Packet)

	mu     sync.Mutex // guards all below; taken before the queue's
	q      *Queue
	rings  []memRing
	until  qdisc.Time // when the timer is to ring
	closed bool
}

// memRing is one hardware queue.
type memRing struct {
	slots   []memSlot
	head, n int
	idle    qdisc.Time // when all is sent
	stopped bool
}

// memSlot is a packet and when it is reported.
type memSlot struct {
	p  *qdisc.Packet
	at qdisc.Time
}

// due returns when the oldest packet is reported.
func (r *memRing) due() qdisc.Time {
	if r.n == 0 {
		return qdisc.Never
	}
	return r.slots[r.head].at
}

// NewMemDevice returns a device with empty rings.
func NewMemDevice(cfg MemConfig) (*MemDevice, error) {
	var errs qdisc.ConfigErrors
	if cfg.Queues == 0 {
		cfg.Queues = 1
	}
	if cfg.Queues < 0 || cfg.Queues > MaxQueues {
		errs.Add("Queues", cfg.Queues, fmt.Sprintf("a device has 1 to %d hardware queues", MaxQueues))
	}
	if cfg.Ring == 0 {
		cfg.Ring = DefaultRing
	}
	if cfg.Ring < 0 {
		errs.Add("Ring", cfg.Ring, "a number of packets, 1 or more")
	}
	if cfg.Latency < 0 {
		errs.Add("Latency", cfg.Latency, "a time of 0 or more")
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if cfg.Clock == nil {
		cfg.Clock = SystemClock()
	}
	d := &MemDevice{
		clock: cfg.Clock, timer: cfg.Clock.NewTimer(), rate: uint64(cfg.Rate), latency: cfg.Latency, sink: cfg.Sink,
		rings: make([]memRing, cfg.Queues), until: qdisc.Never,
	}
	for i := range d.rings {
		d.rings[i].slots = make([]memSlot, cfg.Ring)
	}
	return d, nil
}

// Attach tells where to report. The first one starts the goroutine that does.
func (d *MemDevice) Attach(q *Queue) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.q == nil && !d.closed {
		go d.run()
	}
	d.q = q
}

// Write puts packets into their rings until one does not fit.
func (d *MemDevice) Write(ps []*qdisc.Packet) (int, error) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return 0, net.ErrClosed
	}
	now := d.clock.Now()
	first := qdisc.Never
	n := 0
	for ; n < len(ps); n++ {
		i := int(ps[n].TxQueue)
		if i >= len(d.rings) {
			i = 0
		}
		r := &d.rings[i]
		if r.n == len(r.slots) {
			d.q.Stop(i) // somebody else has woken it
			break
		}
		first = min(first, d.push(r, ps[n], now))
		if r.n == len(r.slots) {
			r.stopped = true
			d.q.Stop(i)
		}
	}
	d.mu.Unlock()
	if first <= now {
		d.report(now)
	}
	d.hurry()
	return n, nil
}

// hurry wakes run if something is due before it would look.
func (d *MemDevice) hurry() {
	d.mu.Lock()
	next := d.due()
	early := next < d.until
	if early {
		d.until = next
	}
	d.mu.Unlock()
	if early {
		d.timer.Wake()
	}
}

// due returns when the next packet is to be reported.
func (d *MemDevice) due() qdisc.Time {
	due := qdisc.Never
	for i := range d.rings {
		due = min(due, d.rings[i].due())
	}
	return due
}

// push puts p into r and returns when it is reported.
func (d *MemDevice) push(r *memRing, p *qdisc.Packet, now qdisc.Time) qdisc.Time {
	at := max(now, r.idle)
	if d.rate != 0 {
		// At most 2^30 * 8e9, which a uint64 holds.
		at = at.Add(time.Duration((uint64(p.Len)*8e9 + d.rate - 1) / d.rate))
	}
	r.idle = at
	at = at.Add(d.latency)
	i := r.head + r.n
	if i >= len(r.slots) {
		i -= len(r.slots)
	}
	r.slots[i] = memSlot{p, at}
	r.n++
	return at
}

// report tells the queue of all that is due.
func (d *MemDevice) report(now qdisc.Time) {
	for i := range d.rings {
		d.mu.Lock()
		n, bytes := d.pop(i, now)
		q, r := d.q, &d.rings[i]
		if n > 0 && r.stopped {
			r.stopped = false
			q.Wake(i)
		}
		d.mu.Unlock()
		if n > 0 {
			q.Completed(i, n, bytes)
		}
	}
}

// pop takes what is due from a ring.
func (d *MemDevice) pop(i int, now qdisc.Time) (n int, bytes int64) {
	r := &d.rings[i]
	for r.due() <= now {
		p := r.slots[r.head].p
		r.slots[r.head].p = nil
		if r.head++; r.head == len(r.slots) {
			r.head = 0
		}
		r.n--
		n++
		bytes += int64(p.Len)
		if d.sink != nil {
			d.sink(i, p)
		}
	}
	return n, bytes
}

// run reports what is not due at once.
func (d *MemDevice) run() {
	for {
		d.mu.Lock()
		d.until = d.due()
		until, closed := d.until, d.closed
		d.mu.Unlock()
		if closed {
			return
		}
		d.timer.Wait(until)
		d.report(d.clock.Now())
	}
}

// Held returns the packets that a hardware queue has not reported yet, the one
// being sent included; 0 for unknown queues.
func (d *MemDevice) Held(queue int) int {
	if uint(queue) >= uint(len(d.rings)) {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rings[queue].n
}

// Close makes the device lose what it holds, and report it as completed. Writes
// return net.ErrClosed from then on. It always returns nil and may be called
// more than once.
func (d *MemDevice) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	d.sink = nil
	d.mu.Unlock()
	d.timer.Stop()
	d.report(qdisc.Blocked)
	return nil
}
