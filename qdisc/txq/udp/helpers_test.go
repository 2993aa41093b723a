package udp

import (
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// atMost is how long a test waits for what should come soon.
const atMost = 3 * time.Second

func payload(p *qdisc.Packet) []byte { return *qdisc.Value[*[]byte](p) }

// packets returns n packets of sizes up to most, and their bytes.
func packets(n, most int) (ps []*qdisc.Packet, bytes int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		data := make([]byte, r.IntN(most+1))
		ps = append(ps, &qdisc.Packet{Payload: &data, Len: uint32(len(data))})
		bytes += int64(len(data))
	}
	return ps, bytes
}

// listen opens a socket that nobody reads on the loopback interface, or skips.
func listen(t testing.TB, v6 bool) *net.UDPConn {
	network, ip := "udp4", net.IPv4(127, 0, 0, 1)
	if v6 {
		network, ip = "udp6", net.IPv6loopback
	}
	conn, err := net.ListenUDP(network, &net.UDPAddr{IP: ip})
	if err != nil {
		t.Skipf("no %s socket on the loopback interface: %v", network, err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func dial(t testing.TB, to *net.UDPConn) *net.UDPConn {
	conn, err := net.DialUDP("udp", nil, to.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// told gathers what a device tells, and checks it against the packets sent.
type told struct {
	t     testing.TB
	mu    sync.Mutex
	cond  sync.Cond
	sizes []uint32 // of what was sent and is not told yet
	sum   sum
	calls int

	anyOrder bool // sizes are not known
}

func newTold(t testing.TB) *told {
	d := &told{t: t}
	d.cond.L = &d.mu
	return d
}

// expect says what will be sent, in order.
func (d *told) expect(ps []*qdisc.Packet) {
	d.mu.Lock()
	for _, p := range ps {
		d.sizes = append(d.sizes, p.Len)
	}
	d.mu.Unlock()
}

func (d *told) done(packets int, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.sum.add(sum{packets, bytes})
	d.cond.Broadcast()
	if d.anyOrder {
		return
	}
	if assert.LessOrEqual(d.t, packets, len(d.sizes), "told more than was sent") {
		for _, n := range d.sizes[:packets] {
			bytes -= int64(n)
		}
		d.sizes = d.sizes[packets:]
		assert.Zero(d.t, bytes, "these are not the bytes of the oldest packets")
	}
}

// wait waits until at least n packets are told; done sees to it that they are
// not more than were sent.
func (d *told) wait(n int) sum {
	late := false
	timer := time.AfterFunc(atMost, func() {
		d.mu.Lock()
		late = true
		d.mu.Unlock()
		d.cond.Broadcast()
	})
	defer timer.Stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.sum.packets < n && !late {
		d.cond.Wait()
	}
	require.GreaterOrEqual(d.t, d.sum.packets, n, "packets told")
	return d.sum
}

func newDevice(t testing.TB, conn *net.UDPConn, cfg Config) *Device {
	t.Helper()
	if cfg.Bytes == nil {
		cfg.Bytes = payload
	}
	d, err := New(conn, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// writeAll writes ps as txq.Queue.Run does, n at a time.
func writeAll(t testing.TB, d *Device, ps []*qdisc.Packet, n int) {
	t.Helper()
	for len(ps) > 0 {
		took, err := d.Write(ps[:min(n, len(ps))])
		require.NoError(t, err)
		ps = ps[took:]
	}
}

func methods() []Completion {
	if onLinux {
		return []Completion{Auto, Timestamps, OutQueue, WriteReturn}
	}
	return []Completion{Auto, WriteReturn}
}

func newFIFO(t testing.TB) qdisc.Qdisc {
	limit := 1000
	q, err := fifo.New(fifo.Config{Limit: &limit})
	require.NoError(t, err)
	return q
}
