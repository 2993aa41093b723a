package main

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// workload is a device and what is known about it.
type workload struct {
	name      string
	queues    int
	slow      qdisc.Rate // of queue 0; 0: its line is down
	reference []row
}

const (
	fast     = qdisc.Gbit // rate of every queue but queue 0
	perQueue = 128        // packets of each queue, in the discipline or in the device
	duration = qdisc.Time(second)
)

func (w *workload) rate(queue int) qdisc.Rate {
	if queue == 0 {
		return w.slow
	}
	return fast
}

// A recorded run of the reference is known for the first workload alone.
var workloads = []workload{
	{"8 queues: queue 0 at 10 Mbit/s, the others at 1 Gbit/s", 8, 10 * qdisc.Mbit, []row{
		{driver: "prio + requeue", mbit: 10.0, attempts: 1731, blocked: 834, ns: 16.0},
		{driver: "multiq", mbit: 7010, ns: 34.2},
	}},
	{"4 queues: queue 0 at 10 Mbit/s, the others at 1 Gbit/s", 4, 10 * qdisc.Mbit, nil},
	{"8 queues: queue 0 stopped for good, the others at 1 Gbit/s", 8, 0, nil},
}

var drivers = []struct {
	name string
	make func(queues int) (driver, error)
}{
	{"prio + requeue", newRequeue},
	{"prio, peek first", newPeek},
	{"multiq", newAware},
}

// row is what one driver did in one workload.
type row struct {
	driver                  string
	sent                    int // packets that have left the device
	mbit                    float64
	attempts, blocked, idle int
	ns                      float64 // real time of the simulation for each packet sent
}

// measure runs each driver, the drivers in turn so that a disturbance of the
// machine meets all of them.
func measure(w workload, repeat int) ([]row, error) {
	rows := make([]row, len(drivers))
	fastest := make([]time.Duration, len(drivers))
	for n := range repeat {
		for i := range drivers {
			drv, err := drivers[i].make(w.queues)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", drivers[i].name, err)
			}
			offer(drv, w.queues)
			d := newDevice(w)
			start := time.Now()
			sent := simulate(d, drv, duration)
			took := time.Since(start)
			if n == 0 || took < fastest[i] {
				fastest[i] = took
			}
			rows[i] = row{
				driver:   drivers[i].name,
				sent:     sent,
				mbit:     float64(sent) * packetLen * 8 / (float64(duration) / second) / 1e6,
				attempts: d.attempts, blocked: d.blocked, idle: d.idle,
			}
			if sent > 0 {
				rows[i].ns = float64(fastest[i].Nanoseconds()) / float64(sent)
			}
		}
	}
	return rows, nil
}

// offer queues the packets of every hardware queue, one of each in turn.
func offer(drv driver, queues int) {
	slab := make([]qdisc.Packet, perQueue*queues)
	for n := range slab {
		p := &slab[n]
		p.TxQueue = uint16(n % queues)
		p.Class = uint32(n%queues) + 1 // a band for each, queue 0 before the others
		p.Len = packetLen
		drv.enqueue(p, 0)
	}
}
