package udp

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Values of <linux/net_tstamp.h>.
const (
	sofTxSoftware = 1 << 1
	sofSoftware   = 1 << 4
	sofOptID      = 1 << 7
	sofOptTSOnly  = 1 << 11

	wanted = sofTxSoftware | sofSoftware | sofOptID | sofOptTSOnly
)

// epollET is EPOLLET of <sys/epoll.h>; package syscall has it negative.
const epollET = 1 << 31

const (
	// lookEvery is how long no report comes, with something in flight, before
	// the send buffer is looked at.
	lookEvery = 20 * time.Millisecond
	// maxLooks is how often, before the first report ever, it is found empty
	// until no report is waited for any more.
	maxLooks = 10
)

// events reads transmit timestamps from the socket's error queue.
//
// It waits on an epoll instance of its own, which the runtime polls, for
// nothing but errors of the socket. Waiting on the socket would keep everybody
// else from reading, and be woken by all that arrives.
type events struct {
	d     *Device
	flags int // SO_TIMESTAMPING before
	epoll *os.File
	raw   syscall.RawConn // of epoll
	queue errQueue

	step func(fd uintptr) bool // woken, allocated once
	read func(fd uintptr)      // queue.read, allocated once

	armed   bool      // a deadline is set; guarded by the device's mu
	lookAt  time.Time // the earliest time to look; guarded likewise
	reports uint64    // so far; the goroutine's
	seen    uint64    // of them, at the last look
	looks   int
}

// startEvents turns timestamps on.
func (d *Device) startEvents() error {
	epfd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	syscall.SetNonblock(epfd, true) // so that the runtime polls it
	e := &events{d: d, epoll: os.NewFile(uintptr(epfd), "epoll")}
	e.step, e.read = e.woken, e.readQueue
	e.queue.init()
	if e.raw, err = e.epoll.SyscallConn(); err == nil {
		err = e.epoll.SetReadDeadline(time.Time{})
	}
	if err == nil {
		cerr := d.send.raw.Control(func(fd uintptr) { err = e.enable(int(fd), epfd) })
		if cerr != nil {
			err = cerr
		}
	}
	if err != nil {
		e.epoll.Close()
		return err
	}
	d.events = e
	return nil
}

func (e *events) enable(fd, epfd int) error {
	var err error
	if e.flags, err = syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPING); err != nil {
		return os.NewSyscallError("getsockopt", err)
	}
	// The numbers start at 0 when OPT_ID, off before, is turned on.
	if e.flags&sofOptID != 0 {
		e.set(fd, e.flags&^sofOptID)
	}
	if err := e.set(fd, e.flags|wanted); err != nil {
		return err
	}
	ev := syscall.EpollEvent{Events: epollET} // EPOLLERR is always included
	return os.NewSyscallError("epoll_ctl", syscall.EpollCtl(epfd, syscall.EPOLL_CTL_ADD, fd, &ev))
}

func (e *events) set(fd, flags int) error {
	return os.NewSyscallError("setsockopt",
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPING, flags))
}

// stop leaves the socket as it was found. If the device goes on, the send
// buffer tells of completions from now on.
func (e *events) stop() {
	d := e.d
	d.send.raw.Control(func(fd uintptr) { e.set(int(fd), e.flags) })
	d.mu.Lock()
	d.events = nil
	if !d.closed {
		d.stats.Method = OutQueue
	}
	d.mu.Unlock()
	e.epoll.Close()
}

// expect sets a deadline, unless there is one.
func (e *events) expect() {
	if !e.armed {
		e.armed = true
		e.lookAt = time.Now().Add(lookEvery)
		e.epoll.SetReadDeadline(e.lookAt)
	}
}

// rouse ends the wait by a deadline in the past.
func (e *events) rouse() {
	e.armed = true
	e.epoll.SetReadDeadline(time.Unix(1, 0))
}

func (e *events) follow() {
	for {
		// It returns at a deadline only, or if it cannot wait.
		if err := e.raw.Read(e.step); !errors.Is(err, os.ErrDeadlineExceeded) || !e.deadline() {
			e.stop()
			return
		}
	}
}

// woken is called before each wait and after it. It returns false: wait on.
func (e *events) woken(epfd uintptr) bool {
	var ev [1]syscall.EpollEvent
	syscall.EpollWait(int(epfd), ev[:], 0) // so that the next error is an event again
	e.queue.calls++
	e.collect()
	e.d.tell()
	return false
}

// collect takes all reports from the error queue.
func (e *events) collect() { e.d.send.raw.Control(e.read) }

func (e *events) readQueue(fd uintptr) {
	d := e.d
	for more := true; more; {
		more = e.queue.read(fd)
		d.mu.Lock()
		for _, num := range e.queue.sent() {
			e.reports++
			done := d.flight.report(num)
			d.owed.add(done)
			d.stats.Missed += uint64(max(0, done.packets-1))
		}
		if n, last := e.queue.errors(); n > 0 {
			d.stats.ICMP += uint64(n)
			d.stats.LastICMP = last
		}
		d.mu.Unlock()
	}
}

// deadline is called when the deadline has passed. It sets the next one, and
// returns whether to follow reports any longer.
func (e *events) deadline() bool {
	d := e.d
	now := time.Now()
	d.mu.Lock()
	end := d.flight.sent
	busy := d.flight.held() > 0
	look := busy && !now.Before(e.lookAt)
	if look || !busy {
		e.lookAt = now.Add(lookEvery)
	}
	e.armed = busy
	if busy {
		e.epoll.SetReadDeadline(e.lookAt)
	} else {
		e.epoll.SetReadDeadline(time.Time{})
	}
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return false
	}
	if look {
		e.look(end)
	}
	d.tell()
	return e.looks < maxLooks || d.cfg.Completion != Auto
}

// look is for reports that do not come: of datagrams dropped inside the system,
// of all if the network device makes none, or if the receive buffer, which the
// error queue shares, is full. If no report came since the last look, and the
// send buffer is empty, then all up to end have left.
func (e *events) look(end uint32) {
	d := e.d
	if e.seen != e.reports {
		e.seen = e.reports
		return
	}
	if used, _ := d.outQueue(); used > 0 {
		return
	}
	e.collect() // what came before it was empty
	d.mu.Lock()
	done := d.flight.popTo(end)
	d.owed.add(done)
	d.stats.Missed += uint64(done.packets)
	d.mu.Unlock()
	if e.seen == 0 && e.reports == 0 {
		e.looks++
	}
}
