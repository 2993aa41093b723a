package netsim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// chaos is a path that loses, delays, reorders and doubles packets as choose
// says, and remembers which bytes got through.
type chaos struct {
	sim    *Sim
	choose func() (drop, double bool, delay time.Duration)
	got    []bool
	data   uint64 // segments that came out with data, both copies of a double
}

func (c *chaos) Receive(p *Packet) {
	drop, double, delay := c.choose()
	if drop {
		c.sim.Free(p)
		return
	}
	if double {
		q := c.sim.Alloc()
		*q = *p
		q.Payload = q
		c.sim.At(c.sim.Now().Add(delay+time.Millisecond), func() { c.deliver(q) })
	}
	c.sim.At(c.sim.Now().Add(delay), func() { c.deliver(p) })
}

func (c *chaos) deliver(p *Packet) {
	if p.TCP.Bytes > 0 {
		c.data += uint64(max(p.Segs, 1))
		for i := p.TCP.Seq; i < p.TCP.Seq+uint64(p.TCP.Bytes); i++ {
			c.got[i] = true
		}
	}
	p.To.Receive(p)
}

// inOrder returns how many bytes from the start got through.
func (c *chaos) inOrder() uint64 {
	for i, ok := range c.got {
		if !ok {
			return uint64(i)
		}
	}
	return uint64(len(c.got))
}

// checkSender compares the scoreboard with what follows from its segments.
func checkSender(t testing.TB, s *tcpSender) {
	t.Helper()
	b := &s.board
	pipe, next := int64(0), s.una
	for i := b.segs.head; i < b.segs.tail; i++ {
		seg := b.segs.at(i)
		block, held := b.received.find(seg.seq)
		switch {
		case seg.seq != next:
			t.Fatalf("segment %d begins at %d, not at %d", i, seg.seq, next)
		case held != (seg.state == isSacked) || held && block.End < seg.end():
			t.Fatalf("segment %d: %+v, received %v", i, seg, b.received.list)
		case seg.state == isLost && i >= b.judged:
			t.Fatalf("segment %d is lost, but not judged", i)
		case seg.state == inNetwork:
			pipe += int64(seg.bytes)
		}
		next = seg.end()
	}
	if next != s.nxt || pipe != b.pipe || s.win.cwnd < s.win.mss || s.win.ssthresh < 2*s.win.mss {
		t.Fatalf("segments end at %d of %d; %d bytes in the network, counted %d; window %+v", next, s.nxt, pipe, b.pipe, s.win)
	}
	if b.segs.len() > 0 && (s.wait.timeout == qdisc.Never || !s.wait.timer.Pending() || s.wait.armed > s.wait.deadline || s.wait.deadline > s.wait.timeout) {
		t.Fatal("no timer runs")
	}
}

// transfer sends over two chaotic paths and checks that every byte comes out
// once and in order.
func transfer(t testing.TB, cfg TCPConfig, seed uint64, choose func() (drop, double bool, delay time.Duration)) TCPStats {
	t.Helper()
	s := New(seed)
	forward := &chaos{sim: s, choose: choose, got: make([]bool, cfg.Bytes)}
	cfg.Forward, cfg.Reverse = forward, &chaos{sim: s, choose: choose}
	var c *TCP
	done, delivered := 0, uint64(0)
	cfg.OnDone = func(qdisc.Time) { done++ }
	cfg.OnDeliver = func(_ qdisc.Time, bytes uint64) {
		require.NotZero(t, bytes)
		delivered += bytes
		require.Equal(t, c.rcv.nxt, delivered)
		if cfg.Coalesce == 0 && cfg.GSO < 2 {
			require.Equal(t, forward.inOrder(), delivered)
		}
	}
	c, err := NewTCP(s, cfg)
	require.NoError(t, err)
	c.Start(0)
	for done == 0 && s.Next() != qdisc.Never {
		s.Run(s.Next())
		if c.snd.state >= open {
			checkSender(t, &c.snd)
		}
	}
	s.Run(s.Now().Add(time.Hour))
	require.Equal(t, 1, done, "the transfer ends, once")
	require.Equal(t, cfg.Bytes, delivered)
	require.Zero(t, s.Alive(), "packets are left over")
	require.Equal(t, qdisc.Never, s.Next(), "a timer is left over")
	got := c.Stats()
	require.Equal(t, cfg.Bytes, got.Acked)
	require.Equal(t, cfg.Bytes, got.Delivered)
	require.Equal(t, forward.data, got.Arrived)
	require.Zero(t, got.InFlight)
	segments := (cfg.Bytes + uint64(c.cfg.MSS) - 1) / uint64(c.cfg.MSS)
	require.Equal(t, segments, got.Segments-got.Retransmitted)
	if cfg.Coalesce == 0 {
		require.Equal(t, got.Arrived-segments, got.Spurious)
	}
	return got
}

// variant makes a configuration out of a random number.
func variant(n uint64) TCPConfig {
	cfg := TCPConfig{MSS: 100, Bytes: 1 + n%20_000, Congestion: Congestion(n >> 16 % 2)}
	cfg.HyStart, cfg.ECN, cfg.Pacing, cfg.NoUndo = n>>17%2 != 0, n>>18%2 != 0, n>>19%2 != 0, n>>20%2 != 0
	if n>>21%4 == 0 {
		cfg.GSO = 8
	}
	if n>>23%4 == 0 {
		cfg.Coalesce = 2 * msec
	}
	if n>>25%4 == 0 {
		cfg.Window = 700
	}
	cfg.NoProbe = n>>31%4 == 0
	cfg.DupThresh, cfg.AckEvery = int(n>>27%4), int(n>>29%3)
	return cfg
}

// TestTCPDelivers: whatever the network does, every byte arrives, once.
func TestTCPDelivers(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 200
	}
	var total TCPStats
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 2))
		loss, double, jitter := r.Float64()*0.3, r.Float64()*0.1, r.Int64N(30)
		if seed%3 == 0 {
			jitter = 0
		}
		got := transfer(t, variant(r.Uint64()), seed, func() (bool, bool, time.Duration) {
			d := 10 * msec
			if jitter > 0 {
				d += time.Duration(r.Int64N(jitter)) * msec
			}
			return r.Float64() < loss, r.Float64() < double, d
		})
		total.Retransmitted += got.Retransmitted
		total.Timeouts += got.Timeouts
		total.Recoveries += got.Recoveries
		total.Undone += got.Undone
		total.Spurious += got.Spurious
		total.Probes += got.Probes
		total.Reordered += got.Reordered
	}
	for _, n := range []uint64{total.Retransmitted, total.Timeouts, total.Recoveries, total.Undone, total.Spurious, total.Probes, total.Reordered} {
		require.Greater(t, n, seeds/10, "%+v", total)
	}
}

// FuzzTCP: each byte of the script decides what becomes of a packet; after its
// end all get through.
func FuzzTCP(f *testing.F) {
	f.Add(uint64(5000), []byte{0, 0, 1, 0, 0})
	f.Add(uint64(1<<21|1<<23|19_999), []byte("some of these are lost and some are late"))
	f.Add(uint64(1<<16|15_000), []byte{8, 8, 1, 1, 1, 40, 80, 3, 3, 2, 2, 255, 254, 128, 9, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, n uint64, script []byte) {
		if len(script) > 4096 {
			return
		}
		transfer(t, variant(n), n, func() (drop, double bool, delay time.Duration) {
			if len(script) == 0 {
				return false, false, 10 * msec
			}
			b := script[0]
			script = script[1:]
			return b&1 != 0, b&2 != 0, time.Duration(b>>2) * msec
		})
	})
}
