//go:build !linux

package udp

import (
	"errors"
	"net"
	"os"
	"syscall"

	"github.com/netsched/netsched/qdisc"
)

const onLinux = false

// sender needs nothing: the socket sends by itself.
type sender struct{}

func (d *Device) initSend() error { return nil }

func (d *Device) initMethod() error {
	d.stats.Method = WriteReturn
	return nil
}

// outQueue is not known.
type outQueue struct{}

func (d *Device) outQueue() (int64, error) { return 0, errors.ErrUnsupported }

// transmit sends ps and ends what begin began. The first n are sent or lost.
func (d *Device) transmit(ps []*qdisc.Packet) (n int, err error) {
	refused := 0
	for err == nil && n < len(ps) {
		p := ps[n]
		if d.cfg.Addr != nil {
			_, err = d.conn.WriteToUDPAddrPort(d.cfg.Bytes(p), d.cfg.Addr(p))
		} else {
			_, err = d.conn.Write(d.cfg.Bytes(p))
		}
		switch {
		case err == nil:
			n++
		case !final(err):
			d.refused(n-refused, err)
			n++
			refused++
			err = nil
		}
	}
	d.finish(n - refused)
	return n, err
}

// final tells an error that is not the datagram's fault.
func final(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary() || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.EDESTADDRREQ)
}
