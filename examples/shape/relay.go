package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// A relay's classes go by payload length, which is all that a UDP socket tells
// of a datagram beside its source: calls and acknowledgements are short, bulk
// transfers fill their packets.
const (
	smallPayload = 256  // bytes; up to it class 1
	largePayload = 1000 // bytes; from it class 3
)

// relay sends what arrives at one address to another, shaped, until ctx ends
// or the time is over.
func relay(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	under, err := o.relayDiscipline()
	if err != nil {
		return err
	}
	in, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(o.listen))
	if err != nil {
		return err
	}
	defer in.Close()
	if err := in.SetReadBuffer(socketBuffer); err != nil {
		return err
	}
	out, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(o.forward))
	if err != nil {
		return err
	}
	defer out.Close()
	r := new(relayMeter)
	line, err := newLine(o.rate, under, out, r.dropped)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "relaying %v to %v at %v\n", in.LocalAddr(), out.RemoteAddr(), o.rate)

	// A goroutine that fails ends the rest, as Ctrl-C and the time do.
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var reader, transmitter sync.WaitGroup
	reader.Go(func() { stop(read(in, newClassifier(o.forward.Addr()), line, r)) })
	transmitter.Go(func() { stop(line.run()) })
	r.watch(running, line, newProgress(stderr))
	failure := context.Cause(running)

	in.Close()
	reader.Wait()
	line.queue.Close()
	transmitter.Wait()
	r.totals(stdout, line)
	if ctx.Err() != nil {
		return nil // ended as asked for
	}
	return failure
}

func (o *options) relayDiscipline() (qdisc.Qdisc, error) {
	if o.qdisc != "" {
		return o.discipline()
	}
	return prio.New(prio.Config{Bands: 3})
}

// read queues what arrives until the socket is closed. UDP sockets of the
// standard library give one datagram at a time, so a batch has one packet.
func read(c *net.UDPConn, by classifier, l *line, r *relayMeter) error {
	var (
		buf   = make([]byte, maxDatagram)
		take  [1]*datagram
		batch [1]*qdisc.Packet
	)
	for {
		n, from, err := c.ReadFromUDPAddrPort(buf)
		if err != nil {
			return err
		}
		l.pool.take(take[:])
		d := take[0]
		d.data = append(d.data[:0], buf[:n]...)
		by.classify(d, from)
		r.received.Add(1)
		batch[0] = &d.Packet
		if err := l.queue.Send(batch[:]); err != nil {
			return err
		}
	}
}

// A classifier fills what the disciplines read. Its key keeps a sender from
// choosing its bucket in a fair queue.
type classifier struct {
	headers int // bytes of the IP and UDP headers on the way out
	key     maphash.Seed
}

func newClassifier(forward netip.Addr) classifier {
	c := classifier{headers: udpHeaders, key: maphash.MakeSeed()}
	if forward.Is6() && !forward.Is4In6() {
		c.headers += 20 // IPv6's header has 40 bytes
	}
	return c
}

func (c *classifier) classify(d *datagram, from netip.AddrPort) {
	f := &flows[1]
	switch n := len(d.data); {
	case n <= smallPayload:
		f = &flows[0]
	case n >= largePayload:
		f = &flows[2]
	}
	d.Len = uint32(len(d.data) + c.headers)
	d.Class, d.Priority, d.Proto = f.class, f.priority, 17

	var source [18]byte
	host := from.Addr().As16()
	copy(source[:], host[:])
	binary.BigEndian.PutUint16(source[16:], from.Port())
	d.SrcHost = uint32(maphash.Bytes(c.key, source[:16]))
	d.Flow = uint32(maphash.Bytes(c.key, source[:]))
}

// relayMeter counts what a relay did with the datagrams.
type relayMeter struct {
	received, lost, tooLong, unsent atomic.Int64
}

func (r *relayMeter) dropped(d *datagram) {
	switch d.Reason {
	case qdisc.Closed:
		r.unsent.Add(1)
	case qdisc.TooLong:
		r.tooLong.Add(1)
	default:
		r.lost.Add(1)
	}
}

// watch prints a status line every second until ctx ends.
func (r *relayMeter) watch(ctx context.Context, l *line, show *progress) {
	defer show.done()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for before, then := int64(0), clock(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, bytes := clock(), l.sentBytes.Load()
		rate := float64(bytes-before) * 8 / (now - then).Seconds()
		refused, _ := l.device.Lost()
		show.show("received %d, sent %d, lost %d, queued %d, %.2f Mbit/s", r.received.Load(),
			l.sent.Load()-int64(refused), r.lost.Load()+r.tooLong.Load()+int64(refused), l.queue.Len(), rate/1e6)
		before, then = bytes, now
	}
}

func (r *relayMeter) totals(w io.Writer, l *line) {
	refused, why := l.device.Lost()
	fmt.Fprintf(w, "received %d datagrams, sent %d\n", r.received.Load(), l.sent.Load()-int64(refused))
	fmt.Fprintf(w, "lost in the queue %d, too long for the shaper's burst %d, still queued at the end %d\n",
		r.lost.Load(), r.tooLong.Load(), r.unsent.Load())
	if refused > 0 {
		fmt.Fprintf(w, "refused by the system %d, last because: %v\n", refused, why)
	}
}
