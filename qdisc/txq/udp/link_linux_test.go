package udp

import (
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// TestBottleneck sends as fast as a link of 10 Mbit/s takes it, without and
// with a limiter, and looks how long a small probe beside it is under way. A
// busy machine can only make the limiter look worse, so it has three tries.
func TestBottleneck(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	for _, c := range []struct {
		method Completion
		ratio  float64 // of the probes' delays
	}{{Timestamps, 5}, {OutQueue, 5}} {
		t.Run(c.method.String(), func(t *testing.T) {
			l := newLink(t, "tbf rate 10mbit burst 3000 limit 1000000")
			free := l.load(t, bql.Config{LimitMin: 1 << 30}, c.method) // never reached
			t.Log("without: ", free)
			for try := 1; ; try++ {
				held := l.load(t, bql.Config{LimitMin: 6 * size}, c.method)
				t.Log("with:    ", held)
				ratio := ms(free.median) / ms(held.median)
				if ratio >= c.ratio && math.Abs(held.mbit/free.mbit-1) <= 0.03 {
					return
				}
				if try == 3 {
					t.Fatalf("the delay shrinks by %.1f (%v wanted) at %.1f %% of the throughput (97 to 103 wanted)",
						ratio, c.ratio, 100*held.mbit/free.mbit)
				}
			}
		})
	}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

type result struct {
	mbit         float64 // payload received, in Mbit/s
	median, most time.Duration
	limit        int64 // bytes, at the end
	missed       uint64
}

func (r result) String() string {
	return fmt.Sprintf("%.3f Mbit/s, probe %.2f ms (most %.2f), limit %d bytes, %d reports missed",
		r.mbit, ms(r.median), ms(r.most), r.limit, r.missed)
}

// load sends a fixed amount, and probes beside it.
func (l link) load(t *testing.T, lim bql.Config, method Completion) (r result) {
	const (
		count = 500 // 0.58 s
		gap   = 5 * time.Millisecond
	)
	bulk, probes := l.listen(t), l.listen(t)
	conn := l.dial(t, bulk)
	deepBuffer(t, conn)
	s := newLimited(t, lim, conn, Config{Completion: method})
	require.NoError(t, bulk.SetReadDeadline(time.Now().Add(atMost)))
	got := make(chan float64)
	go func() { got <- throughput(bulk, count) }()
	delays := make(chan []time.Duration)
	start := time.Now()
	go func() { delays <- delaysOf(probes, start) }()
	var arrived atomic.Bool
	probe := l.dial(t, probes)
	go func() {
		var b [8]byte
		for !arrived.Load() {
			time.Sleep(gap)
			binary.BigEndian.PutUint64(b[:], uint64(time.Since(start)))
			probe.Write(b[:])
		}
	}()
	data := make([]byte, size)
	ps := make([]*qdisc.Packet, count)
	for i := range ps {
		ps[i] = &qdisc.Packet{Payload: &data, Len: size}
	}
	s.send(ps)
	r.mbit = <-got
	arrived.Store(true)
	require.NoError(t, probes.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	ds := <-delays
	require.Greater(t, len(ds), 20, "probes")
	slices.Sort(ds)
	r.median, r.most, r.limit = ds[len(ds)/2], ds[len(ds)-1], s.l.Limit()
	r.missed = s.d.Stats().Missed
	require.Equal(t, method, s.d.Stats().Method)
	require.NoError(t, s.d.Close())
	return r
}

const size = 1400 // bytes of payload

// deepBuffer lets the system queue all that load sends.
func deepBuffer(t *testing.T, conn *net.UDPConn) {
	const soSndbufForce = 32 // <asm-generic/socket.h>
	raw, err := conn.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soSndbufForce, 4<<20)
	}))
	require.NoError(t, err)
}

// throughput reads count datagrams and returns the rate from the first to the
// last in Mbit/s of payload; 0 if some did not come.
func throughput(conn *net.UDPConn, count int) float64 {
	buf := make([]byte, 2*size)
	var first time.Time
	for i := range count {
		if _, err := conn.Read(buf); err != nil {
			return 0
		}
		if i == 0 {
			first = time.Now()
		}
	}
	return float64(count-1) * size * 8 / 1e6 / time.Since(first).Seconds()
}

// delaysOf reads probes until the deadline.
func delaysOf(conn *net.UDPConn, start time.Time) (ds []time.Duration) {
	var b [8]byte
	for {
		if _, err := conn.Read(b[:]); err != nil {
			return ds
		}
		ds = append(ds, time.Since(start)-time.Duration(binary.BigEndian.Uint64(b[:])))
	}
}

// A slow link keeps packets in flight, as long as they are; Close tells the
// rest.
func TestCloseInFlight(t *testing.T) {
	for _, method := range []Completion{Timestamps, OutQueue} {
		t.Run(method.String(), func(t *testing.T) {
			l := newLink(t, "tbf rate 1mbit burst 2000 limit 1000000")
			told := newTold(t)
			d := newDevice(t, l.dial(t, l.listen(t)), Config{Done: told.done, Completion: method})
			ps, bytes := packets(100, 1400) // 560 ms
			told.expect(ps)
			start := time.Now()
			writeAll(t, d, ps, 64)
			told.wait(5)
			elapsed := time.Since(start)
			told.mu.Lock()
			rest := len(told.sizes)
			told.mu.Unlock()
			require.NotZero(t, rest, "after %v", elapsed)
			require.NoError(t, d.Close())
			assert.Equal(t, sum{100, bytes}, told.wait(100))
			t.Logf("%d of 100 in flight %v after the first was sent", rest, elapsed)
		})
	}
}

// What a full queue of the system's drops makes no report: a later one, or the
// empty send buffer, stands for it.
func TestDropsInTheSystem(t *testing.T) {
	l := newLink(t, "tbf rate 10mbit burst 2000 limit 3000")
	told := newTold(t)
	d := newDevice(t, l.dial(t, l.listen(t)), Config{Done: told.done, Completion: Timestamps})
	ps, bytes := packets(200, 1400)
	told.expect(ps)
	writeAll(t, d, ps, 64)
	assert.Equal(t, sum{200, bytes}, told.wait(200))
	assert.Greater(t, d.Stats().Missed, uint64(100))
	assert.Equal(t, Timestamps, d.Stats().Method)
}
