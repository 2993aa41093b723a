package txq

import (
	"errors"
	"io"
	"syscall"

	"github.com/netsched/netsched/qdisc"
)

// Device takes packets to where they are sent.
type Device interface {
	// Write takes the first n of ps and returns n, together with the error
	// that kept it from taking more; n < len(ps) without one means that there
	// is no room now. It should block rather than return 0. It must not keep
	// ps, nor a packet, beyond the call.
	Write(ps []*qdisc.Packet) (n int, err error)
}

// Completer is a Device that is not finished with a packet when Write returns:
// the packets that Write took remain in flight, and their bytes may be read,
// until [Queue.Completed] has been told. It must report the packets of each
// hardware queue in the order in which it took them. Stop and Wake are for it
// too. Two Runs cannot share one.
type Completer interface {
	Device
	// Attach tells where to report. Run calls it before anything else.
	Attach(q *Queue)
}

// temporary tells whether trying again may help: an error whose Temporary
// method says so (EINTR, EAGAIN and timeouts among them) or a full buffer of
// the system's.
func temporary(err error) bool {
	var t interface{ Temporary() bool }
	if errors.As(err, &t) && t.Temporary() {
		return true
	}
	return errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM)
}

// WriterDevice returns a Device that writes each packet to w by one Write of
// what bytes returns for it. w must take a packet whole or not at all, as a
// TUN file or a connected datagram socket does.
func WriterDevice(w io.Writer, bytes func(*qdisc.Packet) []byte) Device {
	return &writerDevice{w, bytes}
}

type writerDevice struct {
	w     io.Writer
	bytes func(*qdisc.Packet) []byte
}

func (d *writerDevice) Write(ps []*qdisc.Packet) (int, error) {
	for i, p := range ps {
		data := d.bytes(p)
		n, err := d.w.Write(data)
		if err == nil && n < len(data) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return i, err
		}
	}
	return len(ps), nil
}
