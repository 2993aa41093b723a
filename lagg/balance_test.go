package lagg_test

import (
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const flows = 50_000

// mapping returns the port of each of many flows.
func mapping(g selector) []int {
	r := rand.New(rand.NewPCG(5, 5))
	list := make([]int, flows)
	for i := range list {
		list[i] = index(g.Select(&qdisc.Packet{Flow: r.Uint32()}))
	}
	return list
}

func counts(list []int) map[int]int {
	n := map[int]int{}
	for _, i := range list {
		n[i]++
	}
	return n
}

// moved checks that no flow moved but those that were on from or are on to.
func moved(t *testing.T, before, after []int, from, to int) (n int) {
	t.Helper()
	for i := range before {
		if before[i] != after[i] {
			n++
			require.True(t, before[i] == from || after[i] == to, "a flow moved from %d to %d", before[i], after[i])
		}
	}
	return n
}

// TestModulus is exact for every number of ports.
func TestModulus(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, dead := range []lagg.DeadPorts{lagg.Spread, lagg.NextActive, lagg.Rebuild} {
		g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, DeadPorts: dead, FlowShift: 3})
		for n := uint32(1); n <= 300; n++ {
			addPort := add(t, g, lagg.PortConfig{})
			require.Equal(t, n, addPort.Index())
			for _, h := range []uint32{0, 1<<3 - 1, n << 3, n<<3 - 1, 1<<32 - 1, r.Uint32(), r.Uint32(), r.Uint32()} {
				require.Equal(t, h>>3%n+1, g.Select(&qdisc.Packet{Flow: h}).Index(), "%d of %d", h, n)
			}
		}
	}
}

// TestOnlyTheDeadPortsFlowsMove, evenly to all others, and they come back; a
// second death moves no flow of the first again that is not on it.
func TestOnlyTheDeadPortsFlowsMove(t *testing.T) {
	for _, consistent := range []bool{false, true} {
		g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: consistent})
		ports := addPorts(t, g, 6)
		all := mapping(g)
		g.SetUp(ports[1], false, 0)
		without2 := mapping(g)
		moved(t, all, without2, 2, -1)
		n := counts(without2)
		assert.Len(t, n, 5)
		for i, got := range n {
			assert.InEpsilon(t, flows/5, got, 0.05, "port %d", i)
		}
		g.SetEnabled(ports[4], false)
		without25 := mapping(g)
		moved(t, without2, without25, 5, -1)
		g.SetUp(ports[1], true, 0)
		moved(t, without25, mapping(g), -1, 2)
		g.SetEnabled(ports[4], true)
		assert.Equal(t, all, mapping(g))

		for _, m := range ports[1:] {
			g.SetEnabled(m, false)
		}
		assert.Equal(t, map[int]int{1: flows}, counts(mapping(g)))
		g.SetEnabled(ports[0], false)
		assert.Equal(t, map[int]int{0: flows}, counts(mapping(g)))
	}
}

// TestNextActiveOfABalance: one port has the dead one's flows as well.
func TestNextActiveOfABalance(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, DeadPorts: lagg.NextActive})
	ports := addPorts(t, g, 4)
	all := mapping(g)
	g.SetUp(ports[1], false, 0)
	moved(t, all, mapping(g), 2, 3)
	g.SetUp(ports[2], false, 0) // one step from 2 is dead: start over at the head
	n := counts(mapping(g))
	assert.Equal(t, counts(all)[1]+counts(all)[2], n[1])
	assert.Equal(t, counts(all)[3]+counts(all)[4], n[4])
}

// TestConsistent: joins and leaves move their own share and no more, to or from
// all ports alike.
func TestConsistent(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: true})
	for n := 1; n <= 12; n++ {
		before := mapping(g)
		add(t, g, lagg.PortConfig{})
		if after := mapping(g); n > 1 {
			assert.InEpsilon(t, flows/n, moved(t, before, after, -1, n), 0.06)
			for i, got := range counts(after) {
				assert.InEpsilon(t, flows/n, got, 0.06, "port %d of %d", i, n)
			}
		}
	}
	for n := 11; n >= 1; n-- {
		before, leaves := mapping(g), n/2+1
		if g.Member(uint32(leaves)) == nil {
			continue
		}
		g.Remove(g.Member(uint32(leaves)), 0)
		after := mapping(g)
		assert.Equal(t, counts(before)[leaves], moved(t, before, after, leaves, -1))
	}
	require.Equal(t, 6, g.Len())
	for i, got := range counts(mapping(g)) {
		assert.InEpsilon(t, flows/6, got, 0.06, "port %d", i)
	}
}

// TestPlainModulusMovesMost: the reason for Consistent.
func TestPlainModulusMovesMost(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance})
	addPorts(t, g, 8)
	before := mapping(g)
	add(t, g, lagg.PortConfig{})
	n := 0
	for i, at := range mapping(g) {
		if at != before[i] {
			n++
		}
	}
	assert.Greater(t, n, flows*3/4)
}

// TestConsistentWeights: shares by weight, and a new weight moves flows only
// from ports that have more than their share to ports that have less.
func TestConsistentWeights(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: true})
	for _, w := range []uint32{1, 2, 5} {
		add(t, g, lagg.PortConfig{Weight: w})
	}
	before := mapping(g)
	for i, w := range map[int]int{1: 1, 2: 2, 3: 5} {
		assert.InEpsilon(t, flows*w/8, counts(before)[i], 0.04)
	}
	require.NoError(t, g.SetWeight(g.Member(1), 3))
	after := mapping(g)
	moved(t, before, after, -1, 1)
	for i, w := range map[int]int{1: 3, 2: 2, 3: 5} {
		assert.InEpsilon(t, flows*w/10, counts(after)[i], 0.04)
	}
}

// TestMorePortsThanSlots: some have none, nothing else happens.
func TestMorePortsThanSlots(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: true, Slots: lagg.MinSlots})
	addPorts(t, g, 1000)
	assert.Len(t, counts(mapping(g)), lagg.MinSlots)
}

// TestFlowIDsThatAreSmallNumbers scatter too.
func TestFlowIDsThatAreSmallNumbers(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: true})
	addPorts(t, g, 4)
	n := map[int]int{}
	for i := range uint32(4000) {
		n[index(g.Select(&qdisc.Packet{Flow: i}))]++
	}
	for _, got := range n {
		assert.InEpsilon(t, 1000, got, 0.05)
	}
}

// TestFrame: the hash of the frame decides, from a key drawn once.
func TestFrame(t *testing.T) {
	frame := frame4()
	cfg := lagg.Config{
		Mode: lagg.LoadBalance, Rand: rand.NewPCG(1, 1),
		Frame: func(p *qdisc.Packet) []byte { return frame },
	}
	g := mustNew(t, cfg)
	addPorts(t, g, 7)
	key := g.Config().Hasher.Key
	require.NotZero(t, key)
	for i := range 256 {
		frame[29] = byte(i)
		h := lagg.Hasher{Key: key}
		require.Equal(t, h.Sum(frame)%7+1, g.Select(new(qdisc.Packet)).Index())
	}
	require.NoError(t, g.Change(cfg, 0))
	assert.Equal(t, key, g.Config().Hasher.Key, "a change moves no flow")
	cfg.Hasher.Key = 5
	require.NoError(t, g.Change(cfg, 0))
	assert.EqualValues(t, 5, g.Config().Hasher.Key)
}

// TestPacketsWithoutFrame go by their Flow, in a shared group too.
func TestPacketsWithoutFrame(t *testing.T) {
	for _, frame := range [][]byte{nil, {}} {
		cfg := lagg.Config{
			Mode: lagg.LoadBalance, FlowShift: 4, Hasher: lagg.Hasher{Key: 3},
			Frame: func(*qdisc.Packet) []byte { return frame },
		}
		g, s := mustNew(t, cfg), mustShare(t, cfg, 5)
		addPorts(t, g, 5)
		for i := range uint32(200) {
			p := &qdisc.Packet{Flow: i * 7919}
			require.Equal(t, p.Flow>>4%5+1, g.Select(p).Index())
			require.Equal(t, p.Flow>>4%5+1, s.Select(p).Index())
		}
	}
}

// TestGroupBehindABalance: by the same hash it uses one port of as many, by
// other bits all.
func TestGroupBehindABalance(t *testing.T) {
	for shift, want := range map[uint8]int{0: 1, 16: 4} {
		outer := mustNew(t, lagg.Config{Mode: lagg.LoadBalance})
		inner := mustNew(t, lagg.Config{Mode: lagg.LoadBalance, FlowShift: shift})
		addPorts(t, outer, 4)
		addPorts(t, inner, 4)
		used := map[int]bool{}
		r := rand.New(rand.NewPCG(1, 1))
		for range 1000 {
			p := &qdisc.Packet{Flow: r.Uint32()}
			if index(outer.Select(p)) == 2 {
				used[index(inner.Select(p))] = true
			}
		}
		assert.Len(t, used, want)
	}
}
