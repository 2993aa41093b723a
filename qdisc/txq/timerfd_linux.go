package txq

import (
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/netsched/netsched/qdisc"
)

// Values of <time.h> and <sys/timerfd.h>.
const (
	clockMonotonic = 1
	tfdNonblock    = syscall.O_NONBLOCK
	tfdCloexec     = syscall.O_CLOEXEC
)

// itimerspec is the kernel's, in the word size of the system call.
type itimerspec struct {
	interval, value syscall.Timespec
}

// maxAhead is the longest single wait, which a 32-bit Timespec holds. Wait
// may return early.
const maxAhead = 24 * time.Hour

// long past, as a deadline: it ends a read at once.
var past = time.Unix(1, 0)

// fdTimer is a Timer on a timerfd. The Go runtime's own timers end an
// epoll_wait whose timeout counts milliseconds; a timerfd is a descriptor
// among those polled and ends it to the microsecond.
//
// A Wake ends the poll by a deadline in the past, which needs no system call.
// Waits without end do not touch the descriptor.
type fdTimer struct {
	clock systemClock
	alarm alarm
	file  *os.File
	raw   syscall.RawConn
	step  func(fd uintptr) bool // poll, allocated once

	until qdisc.Time // of the poll in progress
	armed bool

	mu      sync.Mutex
	polling bool
	cut     bool // the deadline is set
}

// newSystemTimer returns an fdTimer, or a runtime timer where there are no
// timerfds or the runtime does not poll them.
func newSystemTimer(c systemClock) Timer {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
	if errno != 0 {
		return newRuntimeTimer(c)
	}
	file := os.NewFile(fd, "timerfd")
	raw, err := file.SyscallConn()
	if err == nil {
		err = file.SetReadDeadline(time.Time{})
	}
	if err != nil {
		file.Close()
		return newRuntimeTimer(c)
	}
	t := &fdTimer{clock: c, alarm: newAlarm(), file: file, raw: raw}
	t.step = t.poll
	return t
}

func (t *fdTimer) Wait(until qdisc.Time) {
	if until >= qdisc.Blocked {
		<-t.alarm
		return
	}
	t.mu.Lock()
	t.polling = true
	if t.cut {
		t.cut = false
		t.file.SetReadDeadline(time.Time{})
	}
	t.mu.Unlock()
	// A Wake before polling was set has left its mark in alarm; a later one
	// cuts the poll short.
	if t.alarm.rang() {
		t.endPoll()
		return
	}
	t.until, t.armed = until, false
	t.raw.Read(t.step) // an error means woken, or stopped
	t.endPoll()
	t.alarm.rang()
}

func (t *fdTimer) endPoll() {
	t.mu.Lock()
	t.polling = false
	t.mu.Unlock()
}

// poll is called when the poller has forgotten earlier events, so that it
// cannot miss the one that the timer set here will bring, and again when an
// event has come.
func (t *fdTimer) poll(fd uintptr) bool {
	if t.armed {
		// Read, so that the descriptor rests. Nothing to read means that the
		// event was an old one; returning early is allowed.
		var expirations [8]byte
		syscall.Read(int(fd), expirations[:])
		return true
	}
	t.armed = true
	ahead := min(t.until.Sub(t.clock.Now()), maxAhead)
	if ahead <= 0 {
		return true
	}
	spec := itimerspec{value: syscall.NsecToTimespec(int64(ahead))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	return errno != 0
}

func (t *fdTimer) Wake() {
	t.alarm.ring()
	t.mu.Lock()
	if t.polling && !t.cut {
		t.cut = true
		t.file.SetReadDeadline(past)
	}
	t.mu.Unlock()
}

func (t *fdTimer) Stop() {
	t.alarm.ring()
	t.file.Close()
}
