package udp

import (
	"os"
	"syscall"
	"unsafe"
)

// initMethod chooses the method and starts what it needs.
func (d *Device) initMethod() (err error) {
	want := d.cfg.Completion
	d.queue.ask = d.queue.ioctl
	if want == Auto || want == Timestamps {
		if err = d.startEvents(); err == nil {
			d.stats.Method = Timestamps
			return nil
		}
		if want == Timestamps {
			return err
		}
	}
	d.stats.Method = WriteReturn
	if want == Auto || want == OutQueue {
		if _, err = d.outQueue(); err == nil {
			d.stats.Method = OutQueue
		} else if want == OutQueue {
			return err
		}
	}
	return nil
}

// outQueue asks how much of the socket's send buffer is in use.
type outQueue struct {
	used int32 // bytes
	err  error
	ask  func(fd uintptr) // ioctl, allocated once
}

func (q *outQueue) ioctl(fd uintptr) {
	// SIOCOUTQ of <linux/sockios.h> is TIOCOUTQ.
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&q.used)))
	q.err = nil
	if errno != 0 {
		q.err = os.NewSyscallError("ioctl", errno)
	}
}

// outQueue returns how much of the send buffer is in use, in bytes: nothing, if
// the socket is closed. Only the goroutine calls it, and New before that.
func (d *Device) outQueue() (int64, error) {
	q := &d.queue
	if err := d.send.raw.Control(q.ask); err != nil {
		return 0, err
	}
	if q.err != nil {
		return 0, q.err
	}
	return int64(q.used), nil
}
