package main

import (
	"net"
	"sync/atomic"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
	"github.com/netsched/netsched/qdisc/txq"
)

// A line is what a program that shapes its own traffic needs: a transmit queue
// whose discipline is a token bucket over another one, the device that it
// sends to, and a pool of packets.
type line struct {
	rate   qdisc.Rate
	queue  *txq.Queue
	device *txq.UDPDevice
	pool   pool
	lost   func(*datagram) // told of each packet dropped

	sent, sentBytes atomic.Int64
	idle            atomic.Int64 // times that the queue was found empty
}

// newLine returns a line of the given rate to a connected socket, with the
// discipline under between the senders and the shaper.
func newLine(rate qdisc.Rate, under qdisc.Qdisc, out *net.UDPConn, lost func(*datagram)) (*line, error) {
	shaper, err := tbf.New(tbf.Config{Rate: rate, Burst: burst(rate), Child: under})
	if err != nil {
		return nil, err
	}
	l := &line{rate: rate, lost: lost}
	l.device = txq.NewUDPDevice(out, payload, nil)
	l.queue, err = txq.New(txq.Config{Qdisc: shaper, Free: l.free, Catchup: new(catchup)})
	return l, err
}

// payload tells the device what to send of a packet.
func payload(p *qdisc.Packet) []byte { return qdisc.Value[*datagram](p).data }

// burst returns the bytes that may leave at once after a silence.
func burst(rate qdisc.Rate) uint32 {
	bytes := float64(rate) / 8 * burstTime.Seconds()
	return max(uint32(bytes), minBurst)
}

const (
	// After a silence, what the line carries in burstTime may leave at once, or
	// minBurst bytes if that is more. A longer packet could never leave.
	burstTime = 10 * time.Millisecond
	minBurst  = 5000
	// catchup is how late the system may run this process at no loss of rate.
	// A busy machine with few processors is often later than txq's default.
	catchup = 20 * time.Millisecond
)

// run sends what the queue gives, when it gives it, until the queue is closed.
// A program that has no socket, or its own way to write, calls queue.Recv in a
// loop instead.
func (l *line) run() error { return l.queue.Run(l.device) }

// free takes back every packet that was given to the queue, sent or dropped.
// The queue calls it without holding its lock, from run and from senders.
func (l *line) free(ps *qdisc.List) {
	for p := range ps.All() {
		if p.Reason != qdisc.NotDropped {
			l.lost(qdisc.Value[*datagram](p))
			continue
		}
		l.sent.Add(1)
		l.sentBytes.Add(int64(p.Len))
	}
	l.pool.put(ps)
	if l.queue.Len() == 0 {
		l.idle.Add(1)
	}
}
