package txq

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

func payload(p *qdisc.Packet) []byte { return *qdisc.Value[*[]byte](p) }

// words are packets whose payloads are the words.
func words(words ...string) []*qdisc.Packet {
	ps := packets(len(words), 0)
	for i, w := range words {
		data := []byte(w)
		ps[i].Payload, ps[i].Len = &data, uint32(len(w))
	}
	return ps
}

func TestWriterDevice(t *testing.T) {
	var w bytes.Buffer
	n, err := WriterDevice(&w, payload).Write(words("one ", "two ", "three"))
	assert.Equal(t, 3, n)
	assert.NoError(t, err)
	assert.Equal(t, "one two three", w.String())

	n, err = WriterDevice(half{}, payload).Write(words("", "ab", "c"))
	assert.Equal(t, 1, n)
	assert.ErrorIs(t, err, io.ErrShortWrite)
}

// half writes the first half.
type half struct{}

func (half) Write(b []byte) (int, error) { return len(b) / 2, nil }

// errorConn is a UDPConn whose sends fail with errs in turn; nil: no error.
type errorConn struct {
	errs []error
	to   []netip.AddrPort
}

func (c *errorConn) Write(b []byte) (int, error) {
	err := c.errs[0]
	c.errs = c.errs[1:]
	if err == nil {
		return len(b), nil
	}
	return 0, &net.OpError{Op: "write", Net: "udp", Err: err}
}

func (c *errorConn) WriteToUDPAddrPort(b []byte, addr netip.AddrPort) (int, error) {
	c.to = append(c.to, addr)
	return c.Write(b)
}

func TestUDPErrors(t *testing.T) {
	refused := os.NewSyscallError("sendto", syscall.ECONNREFUSED)
	full := os.NewSyscallError("sendto", syscall.ENOBUFS)
	for _, c := range []struct {
		errs []error
		n    int
		lost uint64
		end  error // Write's error; nil: none
		temp bool
	}{
		{[]error{nil, nil, nil}, 3, 0, nil, false},
		{[]error{refused, nil, syscall.EMSGSIZE}, 3, 2, nil, false},
		{[]error{nil, full, nil}, 1, 0, syscall.ENOBUFS, true},
		{[]error{syscall.EHOSTUNREACH, os.ErrDeadlineExceeded, nil}, 1, 1, os.ErrDeadlineExceeded, true},
		{[]error{nil, nil, net.ErrClosed}, 2, 0, net.ErrClosed, false},
		{[]error{net.ErrWriteToConnected}, 0, 0, net.ErrWriteToConnected, false},
		{[]error{syscall.EDESTADDRREQ}, 0, 0, syscall.EDESTADDRREQ, false},
	} {
		conn := &errorConn{errs: c.errs}
		addr := netip.MustParseAddrPort("192.0.2.1:9")
		d := NewUDPDevice(conn, payload, func(*qdisc.Packet) netip.AddrPort { return addr })
		n, err := d.Write(words("a", "b", "c"))
		assert.Equal(t, c.n, n, "%v", c.errs)
		if c.end == nil {
			assert.NoError(t, err)
		} else {
			assert.ErrorIs(t, err, c.end)
			assert.Equal(t, c.temp, temporary(err), "%v", err)
		}
		lost, last := d.Lost()
		assert.Equal(t, c.lost, lost, "%v", c.errs)
		assert.Equal(t, c.lost > 0, last != nil)
		assert.Equal(t, addr, conn.to[0])
	}
	assert.False(t, temporary(errors.New("boom")))
}

// listen opens a socket on the loopback interface, or skips.
func listen(t *testing.T) *net.UDPConn {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Skipf("no UDP socket on the loopback interface: %v", err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// Packets through a queue and real sockets, to an address and connected.
func TestUDPDevice(t *testing.T) {
	in := listen(t)
	to := in.LocalAddr().(*net.UDPAddr)
	connected, err := net.DialUDP("udp", nil, to)
	require.NoError(t, err)
	t.Cleanup(func() { connected.Close() })
	toAddr := func(*qdisc.Packet) netip.AddrPort { return to.AddrPort() }
	for name, dev := range map[string]*UDPDevice{
		"connected": NewUDPDevice(connected, payload, nil),
		"to":        NewUDPDevice(listen(t), payload, toAddr),
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueue(t, Config{Qdisc: qtest.FIFO(100)})
			result := start(q, dev)
			require.NoError(t, q.Send(words("one", "two", "three")))
			require.NoError(t, in.SetReadDeadline(time.Now().Add(time.Minute)))
			buf := make([]byte, 100)
			for _, want := range []string{"one", "two", "three"} {
				n, err := in.Read(buf)
				require.NoError(t, err)
				assert.Equal(t, want, string(buf[:n]))
			}
			require.NoError(t, q.Close())
			assert.ErrorIs(t, result(), ErrClosed)
			lost, _ := dev.Lost()
			assert.Zero(t, lost)
		})
	}
	// Run ends with the socket, and keeps what it could not send.
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100)})
	connected.Close()
	require.NoError(t, q.Send(words("one", "two")))
	assert.ErrorIs(t, q.Run(NewUDPDevice(connected, payload, nil)), net.ErrClosed)
	assert.Equal(t, 2, q.Len())
}
