package main

import (
	"sync/atomic"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// A meter measures one run. It counts only what is sent or received between
// from and to, when the queue is in its steady state: before, it fills, and
// afterwards it is thrown away.
type meter struct {
	from, to time.Duration
	flows    [len(flows)]flowMeter

	// The receiver's own.
	delay       [len(flows)]qdisc.Histogram
	bytes       int64 // between the first and the last datagram in the window
	first, last time.Duration

	received atomic.Int64 // packets and bytes of the whole run
	wire     atomic.Int64
}

// flowMeter is what the senders and the queue count.
type flowMeter struct {
	offered, dropped atomic.Int64
}

func (m *meter) counts(t time.Duration) bool { return m.from <= t && t < m.to }

func (m *meter) offered(flow int, now time.Duration, n int) {
	if m.counts(now) {
		m.flows[flow].offered.Add(int64(n))
	}
}

// dropped notes a packet that the queue refused or threw away. What closing
// the queue left unsent is no loss.
func (m *meter) dropped(d *datagram) {
	if d.Reason != qdisc.Closed && m.counts(d.sent) {
		m.flows[d.flow].dropped.Add(1)
	}
}

// arrived notes a datagram of so many bytes that was received now.
func (m *meter) arrived(h header, now time.Duration, bytes int) {
	m.received.Add(1)
	m.wire.Add(int64(bytes))
	if !m.counts(now) {
		return
	}
	m.delay[h.flow].Record(now - h.sent)
	if m.first == 0 {
		m.first = now
	} else {
		m.bytes += int64(bytes)
	}
	m.last = now
}

// rate returns what passed between the first and the last datagram, in bit/s.
func (m *meter) rate() float64 {
	if m.last <= m.first {
		return 0
	}
	return float64(m.bytes) * 8 / (m.last - m.first).Seconds()
}
