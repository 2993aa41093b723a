package udp

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// pollEvery is how often the send buffer is looked at with OutQueue.
const pollEvery = 500 * time.Microsecond

// watcher is a source of reports that the goroutine follows.
type watcher interface {
	follow() // until Close, or until another method is better
	expect() // something is in flight from now on; called locked
	rouse()  // something is owed, or closed was set; called locked
}

// run is the goroutine that learns of completions and tells them.
func (d *Device) run() {
	defer close(d.ended)
	if d.events != nil {
		d.events.follow()
	}
	for d.poll() {
	}
	d.mu.Lock()
	d.owed.add(d.flight.popTo(d.flight.sent))
	d.mu.Unlock()
	d.tell()
	d.timer.Stop()
}

// poll waits for a Write if nothing is in flight, else a little, tells what is
// done by then, and returns whether to go on.
func (d *Device) poll() bool {
	d.mu.Lock()
	until := qdisc.Blocked
	busy := d.flight.held() > 0
	if busy {
		until = d.clock.Now().Add(pollEvery)
	}
	d.idle = !busy && d.owed.packets == 0 && !d.closed
	wait, closed := busy || d.idle, d.closed
	d.mu.Unlock()
	if closed {
		return false
	}
	if wait {
		d.timer.Wait(until)
	}
	if busy {
		d.lookAtQueue()
	}
	d.tell()
	return true
}

// lookAtQueue finds what has left by what the send buffer still holds.
func (d *Device) lookAtQueue() {
	d.mu.Lock()
	end := d.flight.sent
	d.mu.Unlock()
	charge, _ := d.outQueue() // of all up to end, at least
	d.mu.Lock()
	d.owed.add(d.flight.leave(charge, end))
	d.mu.Unlock()
}

// alert sees to it that the goroutine looks at what is in flight and owed. It
// is called locked.
func (d *Device) alert() {
	switch {
	case d.events != nil && d.owed.packets > 0:
		d.events.rouse()
	case d.events != nil && d.flight.held() > 0:
		d.events.expect()
	case d.events == nil && d.idle:
		d.idle = false
		d.timer.Wake()
	}
}

// rouse ends the goroutine's wait, whatever it is. It is called locked.
func (d *Device) rouse() {
	if d.events != nil {
		d.events.rouse()
	}
	d.timer.Wake()
}
