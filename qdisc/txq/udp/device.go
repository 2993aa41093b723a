package udp

import (
	"net"
	"sync"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/txq"
)

// batch is the most datagrams in one system call. What a call costs is a few
// per cent of what 64 datagrams cost.
const batch = 64

// Device is a txq.Device that sends each packet as one datagram, many by one
// system call, and tells when each has left the system.
//
// UDP does not promise delivery: a datagram that the system refuses (too long,
// no route, or the ICMP error of an earlier one is reported in its place) is
// lost, and counted, and the next one is tried.
type Device struct {
	conn *net.UDPConn
	cfg  Config
	send sender

	write sync.Mutex // held by Write: one at a time

	mu     sync.Mutex // guards all below
	room   sync.Cond  // for Write, when flight is full
	flight flight
	owed   sum // done and not told yet
	stats  Stats
	closed bool
	idle   bool // the goroutine sleeps until woken

	events watcher   // with Timestamps; set by New, cleared by the goroutine
	queue  outQueue  // the goroutine's
	timer  txq.Timer // what the goroutine waits on otherwise
	clock  txq.Clock
	ended  chan struct{} // closed when the goroutine has ended; nil: there is none
}

// Stats are a device's counters. Every packet that Write took is in Sent or
// Lost, and in Completed once it is no longer in flight.
type Stats struct {
	Sent      uint64 // datagrams that the system accepted
	Lost      uint64 // datagrams that it refused
	LastLost  error  // why it refused the last of those
	Completed uint64 // packets told to Config.Done; without it, all
	// ICMP counts errors that routers and receivers reported of datagrams
	// sent earlier. The system tells them here only if IP_RECVERR is set on
	// the socket; otherwise the next datagram is Lost by them.
	ICMP     uint64
	LastICMP error
	// Missed counts the packets that completed without a report of their own:
	// by that of a later one, or because the send buffer was empty. Timestamps
	// only.
	Missed uint64
	// Method is how completions are known now; never Auto.
	Method Completion
}

// New returns a device that sends through conn. Its errors are
// *qdisc.ConfigErrors, and the system's if cfg asks for a method that it does
// not have.
//
// The device does not own conn. With Timestamps it changes the socket's
// SO_TIMESTAMPING until Close and reads its error queue, which nobody else may
// then do; nobody else should send on the socket. Reading from it is free.
func New(conn *net.UDPConn, cfg Config) (*Device, error) {
	if err := cfg.check(conn); err != nil {
		return nil, err
	}
	d := &Device{conn: conn, cfg: cfg, clock: txq.SystemClock()}
	d.room.L = &d.mu
	if err := d.initSend(); err != nil {
		return nil, err
	}
	if cfg.Done == nil {
		d.stats.Method = WriteReturn
		return d, nil
	}
	if err := d.initMethod(); err != nil {
		return nil, err
	}
	d.timer, d.ended = d.clock.NewTimer(), make(chan struct{})
	go d.run()
	return d, nil
}

// Write sends ps. It waits until the socket has room for one, then takes what
// it has room for. The first n are sent, or lost: see Stats. An error is a full
// buffer of the system's, a deadline of the socket's, which are temporary, or
// what every datagram would meet, such as a closed socket or device.
func (d *Device) Write(ps []*qdisc.Packet) (n int, err error) {
	d.write.Lock()
	for n < len(ps) && err == nil {
		k := d.begin(ps[n:min(n+batch, len(ps))])
		if k == 0 {
			err = net.ErrClosed
			break
		}
		var took int
		took, err = d.transmit(ps[n : n+k])
		n += took
		if took < k {
			break
		}
	}
	d.write.Unlock()
	return n, err
}

// begin waits for room in flight and puts the first n of ps there.
func (d *Device) begin(ps []*qdisc.Packet) (n int) {
	d.mu.Lock()
	for !d.closed && d.flight.room() == 0 {
		d.room.Wait()
	}
	if !d.closed {
		n = min(len(ps), d.flight.room())
		for _, p := range ps[:n] {
			d.flight.push(p.Len)
		}
	}
	d.mu.Unlock()
	return n
}

// refused counts the packet at place among those being sent as lost.
func (d *Device) refused(place int, why error) {
	d.mu.Lock()
	d.owed.add(d.flight.lose(place))
	d.stats.Lost++
	d.stats.LastLost = why
	d.mu.Unlock()
}

// finish ends what begin began: n were sent.
func (d *Device) finish(n int) {
	d.mu.Lock()
	d.stats.Sent += uint64(n)
	d.owed.add(d.flight.confirm(n))
	if d.stats.Method == WriteReturn {
		d.owed.add(d.flight.popTo(d.flight.sent))
	}
	switch {
	case d.closed:
	case d.ended == nil:
		d.take()
	default:
		d.alert()
	}
	d.mu.Unlock()
}

// take empties owed and counts it.
func (d *Device) take() sum {
	s := d.owed
	d.owed = sum{}
	d.stats.Completed += uint64(s.packets)
	return s
}

// tell reports what is owed. Only the goroutine calls it.
func (d *Device) tell() {
	d.mu.Lock()
	s := d.take()
	d.room.Signal()
	d.mu.Unlock()
	if s.packets > 0 {
		d.cfg.Done(s.packets, s.bytes)
	}
}

// Stats returns the counters.
func (d *Device) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stats
}

// Close ends the completions. It tells Config.Done of what is still in flight,
// waits until that has returned, so Done must not call Close, and leaves the
// socket open. Call it when the last Write has returned; of a Write still in
// progress nothing is told any more, and later ones return net.ErrClosed.
func (d *Device) Close() error {
	d.mu.Lock()
	first := !d.closed
	d.closed = true
	d.room.Broadcast()
	if first && d.ended != nil {
		d.rouse()
	}
	d.mu.Unlock()
	if d.ended != nil {
		<-d.ended
	}
	return nil
}
