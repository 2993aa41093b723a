package txq

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"syscall"

	"github.com/netsched/netsched/qdisc"
)

// UDPConn is what a UDPDevice needs of a socket; *net.UDPConn has it.
type UDPConn interface {
	Write(b []byte) (int, error)                                   // connected
	WriteToUDPAddrPort(b []byte, addr netip.AddrPort) (int, error) // not connected
}

// UDPDevice is a Device that sends each packet as one datagram, by one system
// call each.
//
// UDP does not promise delivery: a datagram that the system refuses (too
// long, no route, or the ICMP error of an earlier one is reported in its
// place) is lost, and counted, and the next one is tried. Only a closed
// socket, and one whose being connected does not fit the device, is an error
// to Run.
type UDPDevice struct {
	conn  UDPConn
	bytes func(*qdisc.Packet) []byte
	addr  func(*qdisc.Packet) netip.AddrPort

	mu   sync.Mutex
	lost uint64
	last error
}

// NewUDPDevice returns a device that sends what bytes returns for a packet
// through conn, to the address that addr returns for it; addr is nil if conn
// is connected.
func NewUDPDevice(conn UDPConn, bytes func(*qdisc.Packet) []byte, addr func(*qdisc.Packet) netip.AddrPort) *UDPDevice {
	return &UDPDevice{conn: conn, bytes: bytes, addr: addr}
}

// Write sends ps.
func (d *UDPDevice) Write(ps []*qdisc.Packet) (int, error) {
	for i, p := range ps {
		var err error
		if d.addr != nil {
			_, err = d.conn.WriteToUDPAddrPort(d.bytes(p), d.addr(p))
		} else {
			_, err = d.conn.Write(d.bytes(p))
		}
		switch {
		case err == nil:
		case temporary(err), misfit(err):
			return i, err
		default:
			d.mu.Lock()
			d.lost++
			d.last = err
			d.mu.Unlock()
		}
	}
	return len(ps), nil
}

// misfit tells an error that every datagram would meet.
func misfit(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, net.ErrWriteToConnected) ||
		errors.Is(err, syscall.EDESTADDRREQ)
}

// Lost returns the number of datagrams that the system refused, and why it
// did so last.
func (d *UDPDevice) Lost() (n uint64, last error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost, d.last
}
