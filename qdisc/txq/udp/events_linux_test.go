package udp

import (
	"net"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// control calls f with conn's descriptor.
func control(t testing.TB, conn *net.UDPConn, f func(fd int) error) {
	raw, err := conn.SyscallConn()
	require.NoError(t, err)
	var ferr error
	require.NoError(t, raw.Control(func(fd uintptr) { ferr = f(int(fd)) }))
	require.NoError(t, ferr)
}

func timestamping(t testing.TB, conn *net.UDPConn) (flags int) {
	control(t, conn, func(fd int) (err error) {
		flags, err = syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPING)
		return err
	})
	return flags
}

func setTimestamping(t testing.TB, conn *net.UDPConn, flags int) {
	control(t, conn, func(fd int) error {
		return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPING, flags)
	})
}

// unused is a socket connected to a port that nobody has.
func unused(t *testing.T) *net.UDPConn {
	to := listen(t, false)
	conn := dial(t, to)
	require.NoError(t, to.Close())
	return conn
}

// A refused port makes the system refuse every other datagram: each of the
// others brings the error for the next.
func TestRefusedPort(t *testing.T) {
	told := newTold(t)
	d := newDevice(t, unused(t), Config{Done: told.done, Completion: Timestamps})
	ps, bytes := packets(100, 1400)
	for i, p := range ps {
		told.expect(ps[i : i+1])
		writeAll(t, d, ps[i:i+1], 1)
		told.wait(i + 1)
		bytes -= int64(p.Len)
	}
	assert.Zero(t, bytes)
	s := d.Stats()
	assert.EqualValues(t, 50, s.Lost)
	assert.EqualValues(t, 50, s.Sent)
	assert.ErrorIs(t, s.LastLost, syscall.ECONNREFUSED)
	assert.Zero(t, s.ICMP)
	assert.Zero(t, s.Missed)
}

// With IP_RECVERR the errors come through the error queue, among the reports.
func TestICMPInErrorQueue(t *testing.T) {
	conn := unused(t)
	control(t, conn, func(fd int) error {
		return syscall.SetsockoptInt(fd, syscall.IPPROTO_IP, syscall.IP_RECVERR, 1)
	})
	told := newTold(t)
	d := newDevice(t, conn, Config{Done: told.done, Completion: Timestamps})
	ps, _ := packets(50, 1400)
	for i := range ps {
		told.expect(ps[i : i+1])
		writeAll(t, d, ps[i:i+1], 1)
		told.wait(i + 1)
	}
	require.NoError(t, d.Close())
	s := d.Stats()
	assert.EqualValues(t, 50, s.Sent+s.Lost)
	assert.Greater(t, s.ICMP, uint64(20))
	assert.LessOrEqual(t, s.ICMP, s.Sent)
	assert.ErrorIs(t, s.LastICMP, syscall.ECONNREFUSED)
	assert.Zero(t, s.Missed)
}

// The indices wrap while datagrams are under way.
func TestWrap(t *testing.T) {
	told := newTold(t)
	d := newDevice(t, dial(t, listen(t, false)), Config{Done: told.done, Completion: Timestamps})
	d.mu.Lock()
	startAt(&d.flight, 1<<32-500)
	d.mu.Unlock()
	ps, bytes := packets(1000, 1400)
	for i := 0; i < 1000; i += 50 {
		told.expect(ps[i : i+50])
		writeAll(t, d, ps[i:i+50], 20)
		told.wait(i + 50)
	}
	assert.EqualValues(t, bytes, told.sum.bytes)
	assert.EqualValues(t, 500, d.flight.head)
	assert.Zero(t, d.Stats().Missed)
}

// A socket that somebody else sends on, too.
func TestForeignDatagrams(t *testing.T) {
	conn := dial(t, listen(t, false))
	told := newTold(t)
	d := newDevice(t, conn, Config{Done: told.done, Completion: Timestamps})
	ps, _ := packets(100, 100)
	told.expect(ps)
	for i := range ps {
		_, err := conn.Write([]byte("x"))
		require.NoError(t, err)
		writeAll(t, d, ps[i:i+1], 1)
	}
	told.wait(100)
	require.NoError(t, d.Close())
	assert.EqualValues(t, 100, d.Stats().Completed)
}

// Where no report ever comes, the send buffer tells instead, if the caller
// leaves the choice.
func TestNoReports(t *testing.T) {
	for method, want := range map[Completion]Completion{Auto: OutQueue, Timestamps: Timestamps} {
		t.Run(method.String(), func(t *testing.T) {
			conn := dial(t, listen(t, false))
			told := newTold(t)
			d := newDevice(t, conn, Config{Done: told.done, Completion: method})
			setTimestamping(t, conn, 0)
			ps, _ := packets(maxLooks+2, 1400)
			told.expect(ps)
			for i := range ps {
				writeAll(t, d, ps[i:i+1], 1)
				told.wait(i + 1)
			}
			assert.Equal(t, want, d.Stats().Method)
		})
	}
}

// The socket is left as it was found, with its datagrams numbered from 0.
func TestTimestampingRestored(t *testing.T) {
	const rxSoftware = 1 << 3 // SOF_TIMESTAMPING_RX_SOFTWARE
	for _, before := range []int{0, rxSoftware | sofSoftware, sofTxSoftware | sofSoftware | sofOptID} {
		conn := dial(t, listen(t, false))
		setTimestamping(t, conn, before)
		_, err := conn.Write([]byte("takes a number"))
		require.NoError(t, err)
		told := newTold(t)
		d := newDevice(t, conn, Config{Done: told.done, Completion: Timestamps})
		assert.Equal(t, before|wanted, timestamping(t, conn))
		ps, _ := packets(10, 100)
		told.expect(ps)
		writeAll(t, d, ps, 10)
		told.wait(10)
		require.NoError(t, d.Close())
		assert.Equal(t, before, timestamping(t, conn))
	}
}

// Reading from the socket goes on beside the device, and deadlines are the
// caller's.
func TestReadBeside(t *testing.T) {
	a := listen(t, false)
	b := dial(t, a)
	told := newTold(t)
	d := newDevice(t, b, Config{Done: told.done, Completion: Timestamps})
	go func() { // echo
		buf := make([]byte, 2000)
		for {
			n, from, err := a.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			a.WriteToUDPAddrPort(buf[:n], from)
		}
	}()
	require.NoError(t, b.SetReadDeadline(time.Now().Add(atMost)))
	ps, _ := packets(100, 1400)
	buf := make([]byte, 2000)
	for i, p := range ps {
		told.expect(ps[i : i+1])
		writeAll(t, d, ps[i:i+1], 1)
		n, err := b.Read(buf)
		require.NoError(t, err)
		require.EqualValues(t, p.Len, n)
		told.wait(i + 1)
	}
}

type cmsg struct {
	syscall.Cmsghdr
	err sockExtendedErr
}

// What the error queue may hold beside reports says nothing.
func TestErrQueueMessages(t *testing.T) {
	q := new(errQueue)
	q.init()
	h := &q.hdr[0].hdr
	put := func(level, typ int32, n int, e sockExtendedErr) {
		c := (*cmsg)(unsafe.Pointer(&q.ctl[0]))
		*c = cmsg{Cmsghdr: syscall.Cmsghdr{Level: level, Type: typ}, err: e}
		c.SetLen(n)
		h.SetControllen(n)
		q.n, q.icmp = 0, 0
		q.message(h)
	}
	whole := syscall.CmsgLen(16)
	report := sockExtendedErr{errno: uint32(syscall.ENOMSG), origin: originTimestamping, data: 7}
	put(syscall.IPPROTO_IP, syscall.IP_RECVERR, whole, report)
	assert.Equal(t, []uint32{7}, q.sent())
	put(syscall.IPPROTO_IPV6, syscall.IPV6_RECVERR, whole, report)
	assert.Equal(t, []uint32{7}, q.sent())
	put(syscall.IPPROTO_IP, syscall.IP_TTL, whole, report)
	assert.Empty(t, q.sent())
	put(syscall.IPPROTO_IP, syscall.IP_RECVERR, whole-1, report)
	assert.Empty(t, q.sent(), "cut short")
	put(syscall.IPPROTO_IP, syscall.IP_RECVERR, 1, report)
	assert.Empty(t, q.sent(), "shorter than its header")
	report.info = 1 // SCM_TSTAMP_SCHED: not sent yet
	put(syscall.IPPROTO_IP, syscall.IP_RECVERR, whole, report)
	assert.Empty(t, q.sent())
	for origin, icmp := range map[uint8]int{1: 0, originICMP: 1, originICMP6: 1, 5: 0} {
		put(syscall.IPPROTO_IP, syscall.IP_RECVERR, whole, sockExtendedErr{errno: 111, origin: origin})
		assert.Empty(t, q.sent())
		n, _ := q.errors()
		assert.Equal(t, icmp, n, "origin %d", origin)
	}
}
