package lagg_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func change(t testing.TB, g *lagg.Group, f func(cfg *lagg.Config)) {
	t.Helper()
	cfg := g.Config()
	f(&cfg)
	require.NoError(t, g.Change(cfg, 0))
}

func stride(n uint32) func(*lagg.Config) { return func(cfg *lagg.Config) { cfg.Stride = n } }

// TestRuns: each run is exactly the stride, on the ports in order, and at any
// moment two ports differ by one stride at most. All counters agree as long as
// nothing changes.
func TestRuns(t *testing.T) {
	for _, counter := range []lagg.Counter{lagg.Runs, lagg.Sequence, lagg.Bucket} {
		for _, dead := range []lagg.DeadPorts{lagg.Spread, lagg.NextActive, lagg.Rebuild} {
			for _, ports := range []int{1, 2, 3, 8, 100} {
				for _, stride := range []int{0, 1, 2, 7, 64} {
					g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Counter: counter, DeadPorts: dead, Stride: uint32(stride)})
					addPorts(t, g, ports)
					run := max(stride, 1)
					sent := make([]int, ports)
					for i, got := range picks(g, 3*run*ports) {
						require.Equal(t, i/run%ports+1, got, "packet %d of stride %d on %d ports", i, stride, ports)
						sent[got-1]++
						require.LessOrEqual(t, sent[0]-sent[ports-1], run)
					}
				}
			}
		}
	}
}

// TestStrideChangeInMidRun: two packets of a run of four are gone.
func TestStrideChangeInMidRun(t *testing.T) {
	cases := []struct {
		counter lagg.Counter
		stride  uint32
		want    []int
	}{
		// The run goes on to the new stride, or ends if it has had as much.
		{lagg.Runs, 3, []int{1, 2, 2, 2, 1, 1, 1}},
		{lagg.Runs, 2, []int{2, 2, 1, 1, 2, 2}},
		{lagg.Runs, 1, []int{2, 1, 2, 1}},
		{lagg.Runs, 6, []int{1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1}},
		// The phase jumps: packet 2 is the last of run 0 of 3, the first of
		// run 1 of 2, of run 2 of 1.
		{lagg.Sequence, 3, []int{1, 2, 2, 2, 1, 1, 1}},
		{lagg.Sequence, 2, []int{2, 2, 1, 1, 2, 2}},
		{lagg.Sequence, 1, []int{1, 2, 1, 2}},
		// The old run is finished first.
		{lagg.Bucket, 3, []int{1, 1, 2, 2, 2, 1, 1, 1}},
		{lagg.Bucket, 1, []int{1, 1, 2, 1, 2}},
	}
	for _, c := range cases {
		g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 4, Counter: c.counter})
		addPorts(t, g, 2)
		require.Equal(t, []int{1, 1}, picks(g, 2))
		change(t, g, stride(c.stride))
		assert.Equal(t, c.want, picks(g, len(c.want)), "counter %d, stride %d", c.counter, c.stride)
	}
}

// TestStrideChangeBetweenRuns: the old run has had its stride, the next has not
// begun.
func TestStrideChangeBetweenRuns(t *testing.T) {
	for counter, want := range map[lagg.Counter][]int{
		lagg.Runs:     {1, 2, 2, 2, 1, 1}, // the run goes on to the new stride
		lagg.Sequence: {1, 2, 2, 2, 1, 1}, // packet 2 is the last of run 0 of 3
		lagg.Bucket:   {2, 2, 1, 1, 1, 2}, // the bucket has been filled already
	} {
		g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 2, Counter: counter})
		addPorts(t, g, 2)
		require.Equal(t, []int{1, 1}, picks(g, 2))
		change(t, g, stride(3))
		assert.Equal(t, want, picks(g, 6), "counter %d", counter)
	}
}

// TestCounterWrap: lagg(4)'s counters jump when they wrap, unless stride times
// ports divides 2^32.
func TestCounterWrap(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 12, Counter: lagg.Sequence})
	addPorts(t, g, 3)
	g.SetSequence(1<<32 - 9)
	require.EqualValues(t, uint32(1<<32-9), g.Sequence())
	// floor((2^32-9)/12) mod 3 = 0, 5 packets of it are left; floor((2^32-4)/12)
	// mod 3 = 1.
	assert.Equal(t, []int{3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, picks(g, 22))
	assert.EqualValues(t, 13, g.Sequence())

	g = mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 2, Counter: lagg.Bucket})
	addPorts(t, g, 3)
	g.SetSequence(1<<32 - 2) // (2^32-2) mod 3 = 2
	assert.Equal(t, []int{3, 3, 1, 1, 1, 1, 2, 2}, picks(g, 8))
	assert.EqualValues(t, 2, g.Sequence())
}

// TestPortsComeAndGoInMidRun with the default counter.
func TestPortsComeAndGoInMidRun(t *testing.T) {
	setUp := func(t *testing.T) (*lagg.Group, []*lagg.Member) {
		g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 3})
		ports := []*lagg.Member{add(t, g, lagg.PortConfig{Index: 10}), add(t, g, lagg.PortConfig{Index: 20}), add(t, g, lagg.PortConfig{Index: 30})}
		require.Equal(t, []int{10, 10, 10, 20}, picks(g, 4))
		return g, ports
	}
	t.Run("another joins before", func(t *testing.T) {
		g, _ := setUp(t)
		add(t, g, lagg.PortConfig{Index: 15})
		assert.Equal(t, []int{20, 20, 30, 30, 30, 10, 10, 10, 15, 15, 15, 20}, picks(g, 12))
	})
	t.Run("another joins behind", func(t *testing.T) {
		g, _ := setUp(t)
		add(t, g, lagg.PortConfig{Index: 25})
		assert.Equal(t, []int{20, 20, 25, 25, 25, 30}, picks(g, 6))
	})
	t.Run("another leaves", func(t *testing.T) {
		g, ports := setUp(t)
		g.Remove(ports[0], 0)
		assert.Equal(t, []int{20, 20, 30, 30, 30, 20}, picks(g, 6))
	})
	t.Run("this one leaves", func(t *testing.T) {
		g, ports := setUp(t)
		g.Remove(ports[1], 0)
		assert.Equal(t, []int{30, 30, 30, 10}, picks(g, 4))
	})
	t.Run("this one leaves and another takes its index", func(t *testing.T) {
		g, ports := setUp(t)
		g.Remove(ports[1], 0)
		add(t, g, lagg.PortConfig{Index: 20})
		assert.Equal(t, []int{20, 20, 20, 30}, picks(g, 4))
	})
	t.Run("this one goes down", func(t *testing.T) {
		g, ports := setUp(t)
		g.SetUp(ports[1], false, 0)
		assert.Equal(t, []int{30, 30, 30, 10}, picks(g, 4))
		g.SetUp(ports[1], true, 0)
		assert.Equal(t, []int{10, 10, 20, 20, 20, 30}, picks(g, 6))
	})
	t.Run("this one goes down and comes back unseen", func(t *testing.T) {
		g, ports := setUp(t)
		g.SetUp(ports[1], false, 0)
		g.SetUp(ports[1], true, 0)
		assert.Equal(t, []int{20, 20, 30}, picks(g, 3))
	})
	t.Run("all go and one comes back", func(t *testing.T) {
		g, ports := setUp(t)
		for _, m := range ports {
			g.SetEnabled(m, false)
		}
		assert.Equal(t, []int{0, 0}, picks(g, 2))
		g.SetEnabled(ports[0], true)
		assert.Equal(t, []int{10, 10, 10, 10}, picks(g, 4))
	})
}

// TestDeadPortsShare: with Spread all others serve it alike; with NextActive
// one neighbour has double, as in lagg(4).
func TestDeadPortsShare(t *testing.T) {
	for dead, want := range map[lagg.DeadPorts]map[int]int{
		lagg.Spread:     {1: 400, 3: 400, 4: 400},
		lagg.NextActive: {1: 300, 3: 600, 4: 300},
		lagg.Rebuild:    {1: 400, 3: 400, 4: 400},
	} {
		for _, counter := range []lagg.Counter{lagg.Runs, lagg.Sequence, lagg.Bucket} {
			g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, DeadPorts: dead, Counter: counter, Stride: 5})
			g.SetUp(addPorts(t, g, 4)[1], false, 0)
			got := map[int]int{}
			for _, i := range picks(g, 1200) {
				got[i]++
			}
			assert.Equal(t, want, got)
		}
	}
}

// TestWeights: a port of weight w has runs of w strides.
func TestWeights(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 2})
	add(t, g, lagg.PortConfig{Weight: 3})
	m := add(t, g, lagg.PortConfig{})
	assert.Equal(t, []int{1, 1, 1, 1, 1, 1, 2, 2, 1, 1}, picks(g, 10))
	require.NoError(t, g.SetWeight(m, 2)) // two of six packets of port 1 are gone
	assert.Equal(t, []int{1, 1, 1, 1, 2, 2, 2, 2, 1}, picks(g, 9))
	assert.EqualValues(t, 2, m.Weight())
	assert.Error(t, g.SetWeight(m, lagg.MaxWeight+1))
}

// TestStrideInBytes: two ports of equal weight never differ by more than a
// stride and a packet, however the sizes fall.
func TestStrideInBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sizes := map[string]func(i int) uint32{
		"equal":       func(int) uint32 { return 1500 },
		"alternating": func(i int) uint32 { return []uint32{1500, 64}[i%2] },
		"random":      func(int) uint32 { return 64 + r.Uint32N(1437) },
		"last is big": func(i int) uint32 { return []uint32{100, 100, 100, 1400}[i%4] },
	}
	for name, size := range sizes {
		for _, stride := range []uint32{1500, 4000, 1 << 17} {
			t.Run(fmt.Sprint(name, stride), func(t *testing.T) {
				g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: stride, StrideBytes: true})
				addPorts(t, g, 3)
				var sent [4]int64
				last, run := 0, int64(0)
				for i := range 20_000 {
					p := qdisc.Packet{Len: size(i)}
					at := index(g.Select(&p))
					sent[at] += int64(p.Len)
					if at != last {
						last, run = at, 0
					}
					run += int64(p.Len)
					require.Less(t, run, int64(stride)+1500)
					most, least := max(sent[1], sent[2], sent[3]), min(sent[1], sent[2], sent[3])
					require.LessOrEqual(t, most-least, int64(stride)+1500)
				}
			})
		}
	}
}

// TestStrideInBytesBelowThePackets terminates, and equal packets still take
// turns; so do packets of no length.
func TestStrideInBytesBelowThePackets(t *testing.T) {
	for _, size := range []uint32{0, 1, 2, 1500, qdisc.MaxLen} {
		g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, StrideBytes: true})
		addPorts(t, g, 3)
		var sent [4]int
		p := qdisc.Packet{Len: size}
		for range 300 {
			sent[index(g.Select(&p))]++
		}
		assert.Equal(t, [4]int{0, 100, 100, 100}, sent, size)
	}
}

// TestRandomShares: by weight, to 4 standard deviations.
func TestRandomShares(t *testing.T) {
	for _, dead := range []lagg.DeadPorts{lagg.Spread, lagg.NextActive} {
		g := mustNew(t, lagg.Config{Mode: lagg.Random, DeadPorts: dead, Rand: rand.NewPCG(1, 2)})
		for _, w := range []uint32{1, 5, 1, 9, 4} {
			add(t, g, lagg.PortConfig{Weight: w})
		}
		g.SetUp(g.Member(3), false, 0)
		want := map[int]float64{1: 1, 2: 5, 4: 9, 5: 4}
		if dead == lagg.NextActive {
			want[4]++
		}
		total := want[1] + want[2] + want[4] + want[5]
		const n = 200_000
		got := map[int]int{}
		for _, i := range picks(g, n) {
			got[i]++
		}
		assert.Len(t, got, 4)
		for i, w := range want {
			p := w / total
			assert.InDelta(t, 0, (float64(got[i])-n*p)*(float64(got[i])-n*p)/(n*p*(1-p)), 16, "port %d", i)
		}
	}
}

// TestSameSourceSameRun and no port without one.
func TestSameSourceSameRun(t *testing.T) {
	run := func() []int {
		g := mustNew(t, lagg.Config{Mode: lagg.Random, Rand: rand.NewPCG(7, 7)})
		require.Equal(t, []int{0}, picks(g, 1))
		addPorts(t, g, 5)
		return picks(g, 100)
	}
	assert.Equal(t, run(), run())
}

// TestStrideInBytesAfterAnEarlyEnd: a port that dies in its run has no more
// than a share when it is back.
func TestStrideInBytesAfterAnEarlyEnd(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 4500, StrideBytes: true})
	ports := addPorts(t, g, 2)
	require.Equal(t, []int{1}, picks(g, 1))
	g.SetUp(ports[0], false, 0)
	require.Equal(t, []int{2}, picks(g, 1))
	g.SetUp(ports[0], true, 0)
	assert.Equal(t, []int{2, 2, 1, 1, 1, 2, 2, 2, 1}, picks(g, 9))
}

// TestCountingWithoutUsablePorts: a dead port's slot takes its packets along; a
// slot that is not there takes none.
func TestCountingWithoutUsablePorts(t *testing.T) {
	for _, counter := range []lagg.Counter{lagg.Runs, lagg.Sequence, lagg.Bucket} {
		for dead, want := range map[lagg.DeadPorts][]int{
			lagg.NextActive: {2, 2, 1}, // four packets are gone, and two of the next run
			lagg.Spread:     {2, 2, 2},
			lagg.Rebuild:    {2, 2, 2},
		} {
			g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Counter: counter, DeadPorts: dead, Stride: 4})
			require.Equal(t, []int{0, 0}, picks(g, 2), "no port: they do not count")
			ports := addPorts(t, g, 2)
			require.Equal(t, []int{1, 1, 1, 1}, picks(g, 4))
			for _, up := range []bool{false, true} {
				for _, m := range ports {
					g.SetUp(m, up, 0)
				}
				if !up {
					require.Equal(t, []int{0, 0}, picks(g, 2))
				}
			}
			assert.Equal(t, want, picks(g, 3), "counter %d, dead ports %d", counter, dead)
		}
	}
}

// TestStrideInBytesShortenedWhileDead: what the run has too much by the new
// stride is owed, though its port could not be used when that came.
func TestStrideInBytesShortenedWhileDead(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 6000, StrideBytes: true})
	ports := addPorts(t, g, 2)
	require.Equal(t, []int{1, 1, 1}, picks(g, 3)) // 4500 bytes
	g.SetUp(ports[0], false, 0)
	change(t, g, stride(1500)) // 3000 too much
	require.Equal(t, []int{2}, picks(g, 1))
	g.SetUp(ports[0], true, 0)
	assert.Equal(t, []int{2, 1, 2, 1, 2}, picks(g, 5), "port 1 misses a turn")
}
