package cake

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

const (
	ms qdisc.Time = 1e6
	s  qdisc.Time = 1e9
)

var compats = []qdisc.Compat{qdisc.Exact, qdisc.Linux}

func mustNew(t testing.TB, cfg Config) *Cake {
	t.Helper()
	if cfg.Rand == nil {
		cfg.Rand = rand.NewPCG(1, 2)
	}
	c, err := New(cfg)
	require.NoError(t, err)
	return c
}

// TestRoots: Linux's table is filled by four steps from the entry before, so
// that 1 is as good as 0 and 2 is 0.70671, not 0.70711.
func TestRoots(t *testing.T) {
	assert.EqualValues(t, uint32(math.MaxUint32), roots[0])
	assert.EqualValues(t, uint32(math.MaxUint32), roots[1])
	assert.InDelta(t, 0.70671, float64(roots[2])/(1<<32), 5e-6)
	for n := 3; n < 16; n++ {
		assert.InEpsilon(t, 1/math.Sqrt(float64(n)), float64(roots[n])/(1<<32), 1e-3, "%d", n)
	}
}

// TestGaps: from one signal to the next it is interval / sqrt(n).
func TestGaps(t *testing.T) {
	exact, linux := law{interval: 100 * ms}, law{interval: 100 * ms, linux: true}
	var q, k queue
	for n := uint32(1); n <= 1000; n++ {
		q.count, k.count = n, n
		exact.counted(&q)
		linux.counted(&k)
		want := 1e8 / math.Sqrt(float64(n))
		assert.InDelta(t, want, float64(exact.step(&q)), 0.5001)
		assert.InEpsilon(t, want, float64(linux.step(&k)), 2e-3, "%d", n)
	}
}

// TestLongInterval: Linux takes it modulo 2^32 ns.
func TestLongInterval(t *testing.T) {
	for _, linux := range []bool{false, true} {
		l := law{interval: qdisc.Time(Interplanetary), linux: linux}
		q := queue{count: 1, root: math.MaxUint32}
		if linux {
			assert.EqualValues(t, uint32(1_000_000_000_000&math.MaxUint32)-1, l.step(&q))
		} else {
			assert.EqualValues(t, 1e12, l.step(&q))
		}
	}
}

// late dequeues n packets that waited for 20 ms each, a millisecond apart, and
// returns which of them were marked there.
func late(t *testing.T, c *Cake, n int, ecn uint8) (marked []int) {
	for i := range n + 20 {
		now := s + qdisc.Time(i)*ms
		c.Enqueue(&qdisc.Packet{Len: 1500, Flow: 1, Proto: 6, DSField: ecn}, now)
		if i < 20 {
			continue
		}
		p := c.Dequeue(now)
		require.NotNil(t, p)
		if p.ECN() == qdisc.CE && ecn != qdisc.CE {
			marked = append(marked, i-20)
		}
	}
	return marked
}

// TestGrace: a fresh flow may be late for an interval; in Linux its reciprocal
// root is 0 and the second late packet is marked at once.
func TestGrace(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Diffserv: BestEffort, Compat: compat})
		marked := late(t, c, 300, qdisc.ECT0)
		require.GreaterOrEqual(t, len(marked), 3)
		if compat == qdisc.Exact {
			assert.Equal(t, []int{100, 171, 229, 279}, marked[:4])
		} else {
			assert.Equal(t, []int{1, 71, 129}, marked[:3])
		}
		require.NoError(t, c.check())
	}
}

// TestFullKeepsRoot: so it does after a flow has filled the memory.
func TestFullKeepsRoot(t *testing.T) {
	for _, linux := range []bool{false, true} {
		l, q := law{target: 5 * ms, interval: 100 * ms, linux: linux}, queue{}
		assert.True(t, l.full(&q, s), "BLUE takes it up")
		assert.False(t, l.full(&q, s+ms), "once")
		assert.EqualValues(t, blueUp, q.blue)
		assert.Equal(t, [3]any{uint32(1), true, s + ms}, [3]any{q.count, q.dropping, q.dropNext})
		if linux {
			assert.Zero(t, q.root)
			assert.Zero(t, l.step(&q))
		} else {
			assert.Equal(t, 100*ms, l.step(&q))
		}
	}
}

// TestBlueSaturates: the probability goes up and down within bounds.
func TestBlueSaturates(t *testing.T) {
	l, q := law{target: ms}, queue{}
	for i := range qdisc.Time(300) {
		l.full(&q, s+i*2*ms)
	}
	assert.EqualValues(t, uint32(math.MaxUint32), q.blue)
	quiet := 0
	for i := range qdisc.Time(5000) {
		if l.empty(&q, 2*s+i*2*ms) {
			quiet++
		}
	}
	assert.Zero(t, q.blue)
	assert.Equal(t, 1, quiet)
}

// TestDueTimeIsFresh: a flow that is late again, with signals remembered, waits
// for the next step. Linux signals at once if the old due time has passed.
func TestDueTimeIsFresh(t *testing.T) {
	for _, linux := range []bool{false, true} {
		l := law{target: 5 * ms, interval: 100 * ms, linux: linux}
		q := queue{count: 4, root: roots[4], dropNext: s}
		p := &qdisc.Packet{Stamp: s, DSField: qdisc.ECT0}
		drop, marked := l.judge(&q, p, 0, s+10*ms, nil)
		assert.False(t, drop)
		assert.Equal(t, linux, marked)
		if !linux {
			assert.Equal(t, [2]any{uint32(4), s + 60*ms}, [2]any{q.count, q.dropNext})
		}
	}
}

// TestForgets: with the delay below target a signal is forgiven each step.
func TestForgets(t *testing.T) {
	for _, linux := range []bool{false, true} {
		l := law{target: 5 * ms, interval: 100 * ms, linux: linux}
		q := queue{count: 4, root: roots[4], dropNext: s, dropping: true}
		p := &qdisc.Packet{Stamp: s + 300*ms}
		l.judge(&q, p, 0, s+300*ms, nil)
		// After 58, 71 and 100 ms.
		assert.EqualValues(t, 0, q.count)
		assert.False(t, q.dropping)
		assert.Equal(t, s+400*ms, q.dropNext)
	}
}

// TestAlreadyMarked: a packet that carries CE is spared, as one that is marked;
// only Linux counts it as such.
func TestAlreadyMarked(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Diffserv: BestEffort, Compat: compat})
		late(t, c, 150, qdisc.CE)
		tin := c.Stats().Tins[0]
		assert.Zero(t, tin.Drops)
		if compat == qdisc.Linux {
			assert.Equal(t, [2]uint64{3, 0}, [2]uint64{tin.Marks, tin.Spared})
		} else {
			assert.Equal(t, [2]uint64{0, 1}, [2]uint64{tin.Marks, tin.Spared})
		}
	}
}

// TestBlueDrops: it also drops what was to be marked, by chance.
func TestBlueDrops(t *testing.T) {
	l := law{target: 5 * ms, interval: 100 * ms}
	drops := 0
	for i := range 1000 {
		q := queue{blue: 1 << 30, count: 1, dropping: true, dropNext: s}
		p := &qdisc.Packet{Stamp: s, DSField: qdisc.ECT0}
		drop, mark := l.judge(&q, p, 0, s+10*ms, rand.NewPCG(uint64(i), 3))
		assert.True(t, mark)
		if drop {
			drops++
		}
	}
	assert.InDelta(t, 250, drops, 50)
}

// TestDroppedIsNotMarked: what BLUE drops is neither counted as marked nor
// changed; all marks leave.
func TestDroppedIsNotMarked(t *testing.T) {
	for _, compat := range compats {
		var drops qdisc.List
		c := mustNew(t, Config{Diffserv: BestEffort, Drops: &drops, Compat: compat})
		r := rand.New(rand.NewPCG(7, 8))
		marked := 0
		for i := range 5000 {
			now := s + qdisc.Time(i)*ms
			for range 2 {
				c.Enqueue(&qdisc.Packet{Len: 1500, Flow: 1, Proto: 6, DSField: qdisc.ECT0}, now)
			}
			if c.tins[0].queue[1].blue == 0 { // as if it had filled the memory
				c.tins[0].unresponsive++
			}
			c.tins[0].queue[1].blue = r.Uint32()>>2 | 1
			if p := c.Dequeue(now); p != nil && p.ECN() == qdisc.CE {
				marked++
			}
			for p := range drops.Drain() {
				require.EqualValues(t, qdisc.ECT0, p.ECN())
			}
		}
		require.Positive(t, marked)
		require.Greater(t, c.ReadStats().Drops[qdisc.AQM], uint64(20))
		assert.EqualValues(t, marked, c.ReadStats().Marked)
		assert.EqualValues(t, marked, c.Stats().Tins[0].Marks)
	}
}

// TestLastPacketStays: whatever COBALT says.
func TestLastPacketStays(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Compat: compat})
		now := s
		for range 100 {
			c.Enqueue(&qdisc.Packet{Len: 1500, Flow: 1, Proto: 17}, now)
			now += 200 * ms
			require.NotNil(t, c.Dequeue(now))
		}
		assert.Zero(t, c.ReadStats().Dropped)
	}
}

// TestManyFlowsAtABottleneck: behind one, a packet or two of each flow are no
// queue.
func TestManyFlowsAtABottleneck(t *testing.T) {
	l := law{target: 5 * ms, interval: 100 * ms, packetTime: ms}
	for _, tt := range []struct {
		flows uint32
		delay qdisc.Time
		over  bool
	}{{0, 6 * ms, true}, {2, 6 * ms, true}, {3, 6 * ms, false}, {3, 7 * ms, true}, {0, 4 * ms, false}} {
		var q queue
		l.judge(&q, &qdisc.Packet{Stamp: s}, tt.flows, s+tt.delay, nil)
		assert.Equal(t, tt.over, q.dropping, "%+v", tt)
	}
	l.packetTime = 2 * ms
	var q queue
	l.judge(&q, &qdisc.Packet{Stamp: s}, 0, s+8*ms, nil)
	assert.False(t, q.dropping, "four packets' time")
}

// TestDeviceMTU: Linux bounds a flow's quantum by 1514 whatever the MTU.
func TestDeviceMTU(t *testing.T) {
	for _, tt := range []struct {
		mtu          int
		rate         qdisc.Rate
		exact, linux uint32
	}{{9014, 0, 9014, 1514}, {9014, qdisc.Gbit, 9014, 1514}, {9014, 100 * qdisc.Mbit, 3051, 1514}, {600, 0, 600, 1514}, {100, qdisc.Gbit, 300, 1514}} {
		for i, compat := range compats {
			st := mustNew(t, Config{MTU: tt.mtu, Bandwidth: tt.rate, Diffserv: BestEffort, Compat: compat}).Stats()
			assert.Equal(t, []uint32{tt.exact, tt.linux}[i], st.Tins[0].Quantum)
		}
	}
	c := mustNew(t, Config{MTU: 9014, Bandwidth: 8 * qdisc.Mbit, Diffserv: BestEffort})
	assert.Equal(t, 13521*time.Microsecond, c.Stats().Tins[0].Target, "1.5 packets of 9014 us")
}

// TestForgivesMillions: as many as one by one, but for the rounding of each step
// to a nanosecond, and not one by one.
func TestForgivesMillions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		l := law{target: 5 * ms, interval: qdisc.Time(1e4 * math.Pow(1e5, r.Float64()))}
		count := 2 + uint32(1e6*math.Pow(r.Float64(), 4))
		late := float64(l.interval) * 2.2 * math.Sqrt(float64(count)) * r.Float64()
		want, next := count, 0.0
		for want > 0 && late >= next {
			want--
			next += float64(l.interval) / math.Sqrt(max(1, float64(want)))
		}
		q := queue{count: count, dropNext: s}
		now := s + qdisc.Time(late)
		l.judge(&q, &qdisc.Packet{Stamp: now}, 0, now, nil)
		require.InDelta(t, float64(want), float64(q.count), 1, "of %d, interval %d", count, l.interval)
		if q.count > 0 {
			require.InDelta(t, next, float64(q.dropNext-s), float64(l.step(&q))+2*many)
		}
	}

	l, steps := law{target: 5 * ms, interval: ms}, 0
	q := queue{count: math.MaxUint32, dropNext: s}
	late := 1000 * s
	for ; q.count > 0 && late >= 0; steps++ {
		was := q
		l.forgive(&q, late)
		require.LessOrEqual(t, q.count, was.count)
		late -= q.dropNext - was.dropNext
		q.count--
		late -= l.step(&q)
	}
	assert.Less(t, steps, 100)
}
