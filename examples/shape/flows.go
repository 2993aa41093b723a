package main

import (
	"context"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// A flow sends burst datagrams of size bytes every so often. How it is to be
// treated stands in the fields that disciplines read: prio takes Class, or
// Priority by its priomap; fair queues take the flow's hash; CAKE takes the
// DS field.
type flow struct {
	name     string
	size     int // payload bytes
	burst    int
	every    time.Duration // 0: as often as makes bulkLoad times the line's rate
	class    uint32
	priority uint32 // the kernel's numbers: 6 interactive, 0 best effort, 2 bulk
	dscp     uint8
}

var flows = [...]flow{
	{name: "voice", size: 200, burst: 1, every: 20 * time.Millisecond, class: 1, priority: 6, dscp: 46},
	{name: "web", size: 1200, burst: 10, every: 250 * time.Millisecond, class: 2, priority: 0, dscp: 0},
	{name: "bulk", size: 1200, burst: 1, class: 3, priority: 2, dscp: 8},
}

const voice = 0 // the flow whose delay the program is about

// bulkLoad is how many times the line's rate the bulk flow offers.
const bulkLoad = 3

// period returns the time between two bursts on a line of the given rate.
func (f *flow) period(rate qdisc.Rate) time.Duration {
	if f.every > 0 {
		return f.every
	}
	bits := float64(f.burst*(f.size+udpHeaders)) * 8
	return time.Duration(bits / (bulkLoad * float64(rate)) * float64(time.Second))
}

// maxBatch bounds how many packets go into or out of the queue at a time.
const maxBatch = 64

// send offers flow number i to the line until ctx ends, at the pace of its
// period. A sender that wakes late sends what has become due in one batch.
func send(ctx context.Context, i int, l *line, m *meter) error {
	f := &flows[i]
	var (
		period  = f.period(l.rate)
		due     = clock()
		timer   = time.NewTimer(0)
		batch   [maxBatch]*datagram
		packets [maxBatch]*qdisc.Packet
	)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		for now := clock(); due <= now; {
			n := 0
			for ; due <= now && n+f.burst <= maxBatch; due += period {
				n += f.burst
			}
			l.pool.take(batch[:n])
			for k, d := range batch[:n] {
				f.fill(d, i, now)
				packets[k] = &d.Packet
			}
			m.offered(i, now, n)
			if err := l.queue.Send(packets[:n]); err != nil {
				return err
			}
		}
		// Asking for less than a millisecond would only burn the processor.
		timer.Reset(max(due-clock(), time.Millisecond))
	}
}

// fill makes d a datagram of the flow.
func (f *flow) fill(d *datagram, i int, now time.Duration) {
	if cap(d.data) < f.size {
		d.data = make([]byte, f.size)
	}
	d.data = d.data[:f.size]
	header{i, now}.write(d.data)
	d.flow, d.sent = i, now

	d.Len = uint32(f.size + udpHeaders)
	d.Class = f.class
	d.Priority = f.priority
	d.Flow = uint32(i+1) * 0x9e3779b1 // a hash: fair queues take its high bits
	d.DSField = f.dscp << 2
	d.Proto = 17 // UDP
}
