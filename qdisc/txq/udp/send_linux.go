package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"github.com/netsched/netsched/qdisc"
)

const onLinux = true

// mmsghdr is struct mmsghdr of <sys/socket.h>: the padding at its end is the
// same in Go and C.
type mmsghdr struct {
	hdr syscall.Msghdr
	len uint32
}

// sender is what sendmmsg needs, filled anew for each batch.
type sender struct {
	raw syscall.RawConn
	v6  bool
	hdr [batch]mmsghdr
	iov [batch]syscall.Iovec
	to  [batch]syscall.RawSockaddrInet6 // or the shorter RawSockaddrInet4

	step    func(fd uintptr) bool // sendSome, allocated once
	n       int                   // filled
	done    int                   // taken, lost ones included
	refused int                   // the lost ones
	err     error
	calls   uint64

	zone   string // the last one looked up
	zoneID uint32
}

func (d *Device) initSend() error {
	s := &d.send
	raw, err := d.conn.SyscallConn()
	if err != nil {
		return err
	}
	s.raw, s.step = raw, d.sendSome
	var local syscall.Sockaddr
	if cerr := raw.Control(func(fd uintptr) { local, err = syscall.Getsockname(int(fd)) }); cerr != nil {
		return cerr
	}
	if err != nil {
		return os.NewSyscallError("getsockname", err)
	}
	_, s.v6 = local.(*syscall.SockaddrInet6)
	for i := range s.hdr {
		h := &s.hdr[i].hdr
		h.Iov, h.Iovlen = &s.iov[i], 1
		if d.cfg.Addr != nil {
			h.Name = (*byte)(unsafe.Pointer(&s.to[i]))
		}
	}
	return nil
}

// transmit sends ps and ends what begin began. The first n are sent or lost.
func (d *Device) transmit(ps []*qdisc.Packet) (n int, err error) {
	s := &d.send
	for i, p := range ps {
		data := d.cfg.Bytes(p)
		s.iov[i].Base = unsafe.SliceData(data)
		s.iov[i].SetLen(len(data))
		if d.cfg.Addr != nil {
			s.hdr[i].hdr.Namelen = s.name(i, d.cfg.Addr(p))
		}
	}
	s.n, s.done, s.refused, s.err = len(ps), 0, 0, nil
	err = s.raw.Write(s.step)
	if err == nil {
		err = s.err
	}
	for i := range ps {
		s.iov[i].Base = nil
	}
	d.finish(s.done - s.refused)
	return s.done, err
}

// sendSome sends until all is taken, or there is no room, or it makes no sense
// to go on. It returns false when it is to be called again once there is room.
func (d *Device) sendSome(fd uintptr) bool {
	s := &d.send
	for s.done < s.n {
		s.calls++
		n, _, errno := syscall.Syscall6(sysSendmmsg, fd, uintptr(unsafe.Pointer(&s.hdr[s.done])),
			uintptr(s.n-s.done), syscall.MSG_DONTWAIT, 0, 0)
		switch errno {
		case 0:
			s.done += int(n)
		case syscall.EINTR:
		case syscall.EAGAIN:
			return s.done > 0
		case syscall.ENOBUFS, syscall.ENOMEM, syscall.EDESTADDRREQ, syscall.EBADF:
			s.err = os.NewSyscallError("sendmmsg", errno)
			return true
		default:
			// It is the first of those left that was refused: a later one only
			// makes the count short.
			d.refused(s.done-s.refused, errno)
			s.done++
			s.refused++
			s.zone = "" // an interface may have come back under another number
		}
	}
	return true
}

// name writes the address of message i and returns its length. The system
// refuses an address that does not fit the socket, and one of length 1.
func (s *sender) name(i int, to netip.AddrPort) uint32 {
	addr := to.Addr()
	if !addr.IsValid() {
		return 1
	}
	if !s.v6 && (addr.Is4() || addr.Is4In6()) {
		a := (*syscall.RawSockaddrInet4)(unsafe.Pointer(&s.to[i]))
		*a = syscall.RawSockaddrInet4{Family: syscall.AF_INET, Addr: addr.As4()}
		putPort(&a.Port, to.Port())
		return syscall.SizeofSockaddrInet4
	}
	a := &s.to[i]
	*a = syscall.RawSockaddrInet6{Family: syscall.AF_INET6, Addr: addr.As16()}
	putPort(&a.Port, to.Port())
	if zone := addr.Zone(); zone != "" {
		if zone != s.zone {
			s.zone, s.zoneID = zone, scope(zone)
		}
		a.Scope_id = s.zoneID
	}
	return syscall.SizeofSockaddrInet6
}

// putPort writes a port in network byte order.
func putPort(p *uint16, port uint16) {
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(p))[:], port)
}

// scope is the number of the interface that a zone names, 0 if there is none.
func scope(zone string) uint32 {
	if ifi, err := net.InterfaceByName(zone); err == nil {
		return uint32(ifi.Index)
	}
	n, _ := strconv.ParseUint(zone, 10, 32)
	return uint32(n)
}
