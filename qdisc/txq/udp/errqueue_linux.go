package udp

import (
	"syscall"
	"unsafe"
)

// Values of <linux/errqueue.h>.
const (
	originICMP         = 2
	originICMP6        = 3
	originTimestamping = 4
	tstampSnd          = 0 // handed to the network device's driver, or by it to the hardware
)

// sockExtendedErr is struct sock_extended_err of <linux/errqueue.h>. The
// address of who reported it follows.
type sockExtendedErr struct {
	errno                   uint32
	origin, typ, code, zero uint8
	info, data              uint32
}

const (
	reportsAtOnce = 32
	// controlLen holds a timestamp (64 bytes), an error with an address (64)
	// and the other control messages that a socket may have asked for.
	controlLen = 512
)

// errQueue reads a socket's error queue.
type errQueue struct {
	hdr   [reportsAtOnce]mmsghdr
	ctl   [reportsAtOnce][controlLen / 8]uint64 // aligned as a Cmsghdr
	nums  [reportsAtOnce]uint32
	n     int // of nums
	icmp  int
	last  error
	calls uint64
}

func (q *errQueue) init() {
	for i := range q.hdr {
		q.hdr[i].hdr.Control = (*byte)(unsafe.Pointer(&q.ctl[i]))
	}
}

// read takes up to reportsAtOnce messages, and tells whether there may be more.
func (q *errQueue) read(fd uintptr) (more bool) {
	q.n, q.icmp = 0, 0
	for i := range q.hdr {
		q.hdr[i].hdr.SetControllen(controlLen)
	}
	q.calls++
	n, _, errno := syscall.Syscall6(syscall.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&q.hdr[0])),
		reportsAtOnce, syscall.MSG_ERRQUEUE|syscall.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return errno == syscall.EINTR
	}
	for i := range int(n) {
		q.message(&q.hdr[i].hdr)
	}
	return n == reportsAtOnce
}

// sent are the numbers of datagrams that left, in the order of the queue.
func (q *errQueue) sent() []uint32 { return q.nums[:q.n] }

// errors is how many ICMP errors came, and the last of them.
func (q *errQueue) errors() (n int, last error) { return q.icmp, q.last }

// message looks for an error report among the control messages.
func (q *errQueue) message(h *syscall.Msghdr) {
	const hdrLen = syscall.SizeofCmsghdr
	for b := unsafe.Slice(h.Control, int(h.Controllen)); len(b) >= hdrLen; {
		c := (*syscall.Cmsghdr)(unsafe.Pointer(unsafe.SliceData(b)))
		n := int(c.Len)
		if n < hdrLen || n > len(b) {
			return
		}
		data := b[min(syscall.CmsgLen(0), n):n]
		if isErr(c) && len(data) >= int(unsafe.Sizeof(sockExtendedErr{})) {
			q.report((*sockExtendedErr)(unsafe.Pointer(unsafe.SliceData(data))))
		}
		b = b[min(syscall.CmsgSpace(n-syscall.CmsgLen(0)), len(b)):]
	}
}

func isErr(c *syscall.Cmsghdr) bool {
	return c.Level == syscall.IPPROTO_IP && c.Type == syscall.IP_RECVERR ||
		c.Level == syscall.IPPROTO_IPV6 && c.Type == syscall.IPV6_RECVERR
}

func (q *errQueue) report(e *sockExtendedErr) {
	switch {
	case e.origin == originTimestamping && e.info == tstampSnd && q.n < len(q.nums):
		q.nums[q.n] = e.data
		q.n++
	case e.origin == originICMP, e.origin == originICMP6:
		q.icmp++
		q.last = syscall.Errno(e.errno)
	}
}
