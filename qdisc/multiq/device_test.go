package multiq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/prio"
)

// nic is a device with 8 hardware queues of 64 packets, of which queue 0 drains
// at 10 Mbit/s and the others at 1 Gbit/s, and the driver above it.
type nic struct {
	q       qdisc.Qdisc
	stopper qdisc.Stopper // nil: q does not know about hardware queues
	rings   [8]struct {
		list qdisc.List
		n    int
		done qdisc.Time // when the first packet has left
	}
	parked *qdisc.Packet // its hardware queue is full

	attempts, blocked int
	sent              int64 // bytes
}

const slots = 64

func period(queue int) qdisc.Time {
	if queue == 0 {
		return 1500 * 8 * 100 // ns
	}
	return 1500 * 8
}

// fill hands packets to the device until there is none, or until one's hardware
// queue is full, which bars the way.
func (d *nic) fill(now qdisc.Time) {
	for {
		if d.parked == nil {
			d.parked = d.q.Dequeue(now)
		}
		if d.parked == nil {
			return
		}
		i := int(d.parked.TxQueue)
		r := &d.rings[i]
		d.attempts++
		if r.n == slots {
			d.blocked++
			return
		}
		if r.n == 0 {
			r.done = now + period(i)
		}
		r.list.Push(d.parked)
		d.parked = nil
		if r.n++; r.n == slots && d.stopper != nil {
			d.stopper.Stop(i)
		}
	}
}

// run runs 1 s. Each packet that has left is queued again.
func (d *nic) run() {
	slab := make([]qdisc.Packet, 8*128)
	for n := range slab {
		p := &slab[n]
		p.TxQueue, p.Class, p.Len = uint16(n%8), uint32(n%8+1), 1500
		d.q.Enqueue(p, 0)
	}
	d.fill(0)
	for {
		next, now := -1, qdisc.Never
		for i := range d.rings {
			if r := &d.rings[i]; r.n > 0 && r.done < now {
				next, now = i, r.done
			}
		}
		if now > 1e9 {
			return
		}
		r := &d.rings[next]
		p := r.list.Pop()
		r.n--
		r.done += period(next)
		d.sent += int64(p.Len)
		d.q.Enqueue(p, now)
		if d.stopper != nil {
			d.stopper.Wake(next)
		}
		d.fill(now)
	}
}

// TestSlowHardwareQueue measures what a discipline that knows about hardware
// queues is for: strict priority above the same device comes to a halt behind
// the slow queue, at 834 blocked attempts of 1731 and 10.0 Mbit/s; multiq is
// never blocked and fills all queues, 7010 Mbit/s. The reference has the same
// figures.
func TestSlowHardwareQueue(t *testing.T) {
	p, err := prio.New(prio.Config{Bands: 8})
	require.NoError(t, err)
	blind := nic{q: p}
	blind.run()
	assert.Equal(t, 1731, blind.attempts)
	assert.Equal(t, 834, blind.blocked)
	assert.InDelta(t, 10.0, float64(blind.sent)*8/1e6, .05)

	q := newMultiq(t, multiq.Config{Bands: 8})
	knows := nic{q: q, stopper: q}
	knows.run()
	assert.Zero(t, knows.blocked)
	assert.InDelta(t, 7010, float64(knows.sent)*8/1e6, .5)
}
