package udp

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/txq"
)

var _ txq.Device = (*Device)(nil)

// Every datagram completes exactly once, in order, with its bytes.
func TestCompletions(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		for _, connected := range []bool{false, true} {
			for _, method := range methods() {
				t.Run(fmt.Sprintf("v6=%t/connected=%t/%v", v6, connected, method), func(t *testing.T) {
					to := listen(t, v6)
					told := newTold(t)
					cfg := Config{Done: told.done, Completion: method}
					var conn *net.UDPConn
					if connected {
						conn = dial(t, to)
					} else {
						conn = listen(t, v6)
						addr := to.LocalAddr().(*net.UDPAddr).AddrPort()
						cfg.Addr = func(*qdisc.Packet) netip.AddrPort { return addr }
					}
					d := newDevice(t, conn, cfg)
					n := 10000
					if testing.Short() {
						n = 2000
					}
					ps, bytes := packets(n, 1400)
					told.expect(ps)
					for i := 0; i < n; i += 500 {
						writeAll(t, d, ps[i:i+500], 1+i%131)
					}
					assert.Equal(t, sum{n, bytes}, told.wait(n))
					require.NoError(t, d.Close())
					s := d.Stats()
					assert.EqualValues(t, n, s.Sent)
					assert.EqualValues(t, n, s.Completed)
					assert.Zero(t, s.Lost)
					assert.NoError(t, s.LastLost)
					if method != Auto {
						assert.Equal(t, method, s.Method)
					}
					t.Logf("%v: %d calls of Done, %d without a report of their own", s.Method, told.calls, s.Missed)
				})
			}
		}
	}
}

// What is sent arrives, in order, through a queue too.
func TestThroughAQueue(t *testing.T) {
	to := listen(t, false)
	told := newTold(t)
	d := newDevice(t, dial(t, to), Config{Done: told.done})
	ps, bytes := packets(100, 1400)
	told.expect(ps)
	q, err := txq.New(txq.Config{Qdisc: newFIFO(t)})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- q.Run(d) }()
	require.NoError(t, q.Send(ps))
	require.NoError(t, to.SetReadDeadline(time.Now().Add(atMost)))
	buf := make([]byte, 2000)
	for _, p := range ps {
		n, err := to.Read(buf)
		require.NoError(t, err)
		require.Equal(t, int(p.Len), n)
	}
	assert.Equal(t, sum{100, bytes}, told.wait(100))
	require.NoError(t, q.Close())
	assert.ErrorIs(t, <-ended, txq.ErrClosed)
}

// Datagrams that the system refuses are lost, complete, and stop no others.
func TestLost(t *testing.T) {
	for _, method := range methods() {
		t.Run(method.String(), func(t *testing.T) {
			to := listen(t, false)
			good := to.LocalAddr().(*net.UDPAddr).AddrPort()
			told := newTold(t)
			told.anyOrder = true // lost ones are told as soon as they are
			ps, _ := packets(100, 100)
			bad := map[*qdisc.Packet]netip.AddrPort{
				ps[10]: {},                                         // no address
				ps[20]: netip.MustParseAddrPort("[2001:db8::1]:9"), // not of this socket's family
				ps[21]: netip.MustParseAddrPort("127.0.0.1:0"),
				ps[99]: {},
			}
			long := make([]byte, 70000)
			ps[0].Payload, ps[0].Len = &long, 70000
			var bytes int64
			for _, p := range ps {
				bytes += int64(p.Len)
			}
			d := newDevice(t, listen(t, false), Config{Done: told.done, Completion: method,
				Addr: func(p *qdisc.Packet) netip.AddrPort {
					if a, ok := bad[p]; ok {
						return a
					}
					return good
				}})
			writeAll(t, d, ps, 100)
			assert.Equal(t, sum{100, bytes}, told.wait(100))
			s := d.Stats()
			assert.EqualValues(t, 5, s.Lost)
			assert.EqualValues(t, 95, s.Sent)
			assert.EqualValues(t, 100, s.Completed)
			assert.Error(t, s.LastLost)
		})
	}
}

func TestWithoutDone(t *testing.T) {
	to := listen(t, false)
	d := newDevice(t, dial(t, to), Config{})
	ps, _ := packets(1000, 1400)
	writeAll(t, d, ps, 64)
	assert.Equal(t, Stats{Sent: 1000, Completed: 1000, Method: WriteReturn}, d.Stats())
	require.NoError(t, d.Close())
	n, err := d.Write(ps)
	assert.Zero(t, n)
	assert.ErrorIs(t, err, net.ErrClosed)
	require.NoError(t, d.Close())
}

func TestClosedSocket(t *testing.T) {
	for _, method := range methods() {
		conn := dial(t, listen(t, false))
		d := newDevice(t, conn, Config{Done: newTold(t).done, Completion: method})
		require.NoError(t, conn.Close())
		ps, _ := packets(3, 100)
		n, err := d.Write(ps)
		assert.Zero(t, n)
		assert.ErrorIs(t, err, net.ErrClosed)
		require.NoError(t, d.Close())
		assert.Zero(t, d.Stats().Completed)
	}
}

func TestConfig(t *testing.T) {
	to := listen(t, false)
	connected := dial(t, to)
	addr := func(*qdisc.Packet) netip.AddrPort { return netip.AddrPort{} }
	for field, bad := range map[string]func() (*Device, error){
		"conn":       func() (*Device, error) { return New(nil, Config{Bytes: payload}) },
		"Bytes":      func() (*Device, error) { return New(connected, Config{}) },
		"Addr = set": func() (*Device, error) { return New(connected, Config{Bytes: payload, Addr: addr}) },
		"Addr = <":   func() (*Device, error) { return New(to, Config{Bytes: payload}) },
		"Completion": func() (*Device, error) { return New(connected, Config{Bytes: payload, Completion: 4}) },
	} {
		_, err := bad()
		var ce *qdisc.ConfigError
		if assert.ErrorAs(t, err, &ce, field) {
			assert.Contains(t, err.Error(), field)
		}
	}
	assert.Equal(t, "unknown method", Completion(4).String())
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	if !onLinux {
		t.Skip("batches are sent on Linux only")
	}
	for _, v6 := range []bool{false, true} {
		for _, method := range methods() {
			to := listen(t, v6)
			addr := to.LocalAddr().(*net.UDPAddr).AddrPort()
			d := newDevice(t, listen(t, v6), Config{Done: func(int, int64) {}, Completion: method,
				Addr: func(*qdisc.Packet) netip.AddrPort { return addr }})
			ps, _ := packets(64, 1400)
			allocs := qdisctest.Mallocs(func() {
				for range 200 {
					writeAll(t, d, ps, 64)
				}
			})
			assert.Zero(t, allocs, "v6=%t %v", v6, method)
		}
	}
}
