package lagg_test

import (
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What went wrong in kernels and data planes.

// TestModeSetLate: Linux bonding dereferenced its round-robin counter, which
// was only allocated if the mode was set before the device came up.
func TestModeSetLate(t *testing.T) {
	var g lagg.Group
	p := new(qdisc.Packet)
	assert.Nil(t, g.Select(p))
	assert.Equal(t, qdisc.Dropped, g.Send(p, 0))
	for mode := range lagg.None + 1 {
		change(t, &g, func(cfg *lagg.Config) {
			cfg.Mode, cfg.Copy = mode, func(*qdisc.Packet) *qdisc.Packet { return new(qdisc.Packet) }
		})
		assert.Nil(t, g.Select(p), mode)
	}
	addPorts(t, &g, 2)
	for mode := range lagg.None + 1 {
		change(t, &g, func(cfg *lagg.Config) { cfg.Mode = mode })
		assert.Equal(t, mode == lagg.None, g.Select(p) == nil, mode)
		assert.Equal(t, mode, g.Config().Mode)
	}
}

// TestPortRemovedWithPackets: a data plane and dummynet lost, or used after
// they were freed, packets queued for a port that went away.
func TestPortRemovedWithPackets(t *testing.T) {
	drops := new(qdisc.List) // one list for all, with something in it already
	other := &qdisc.Packet{Len: 1}
	drops.Push(other)
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 4, Drops: drops})
	var queues []*fifo.FIFO
	var ports []*lagg.Member
	for range 3 {
		q, err := fifo.New(fifo.Config{Drops: drops})
		require.NoError(t, err)
		queues = append(queues, q)
		ports = append(ports, add(t, g, lagg.PortConfig{Port: q}))
	}
	ps := packets(14)
	for i := range ps {
		require.Equal(t, qdisc.Queued, g.Send(&ps[i], 0))
	}
	require.Equal(t, []int{6, 4, 4}, []int{queues[0].Len(), queues[1].Len(), queues[2].Len()})

	back := g.Remove(ports[0], 10) // in mid-stride
	assert.Equal(t, 6, back.Len())
	assert.Zero(t, queues[0].Len())
	assert.Equal(t, 1, drops.Len(), "none of them is on the drop list")
	for p := range back.Drain() {
		assert.Equal(t, qdisc.Purged, p.Reason)
		assert.Equal(t, qdisc.Queued, g.Send(p, 10))
		assert.Equal(t, qdisc.NotDropped, p.Reason)
	}
	assert.Equal(t, []int{8, 6}, []int{queues[1].Len(), queues[2].Len()})
	again := g.Remove(ports[0], 10)
	assert.True(t, again.Empty(), "once only")

	back = g.Remove(ports[1], 10)
	rest := g.Remove(ports[2], 10) // the last one
	back.Append(&rest)
	assert.Equal(t, 14, back.Len())
	assert.Nil(t, g.Select(&ps[0]))
	for p := range back.Drain() {
		assert.Equal(t, qdisc.Dropped, g.Send(p, 10))
	}
	assert.Equal(t, 15, drops.Len(), "each once")
	assert.Equal(t, other, drops.Pop())
	s := g.ReadStats()
	assert.EqualValues(t, 20, s.Returned)
	assert.EqualValues(t, 14, s.NoPorts)
	assert.Equal(t, s.Received, s.Packets+s.NoPorts)

	add(t, g, lagg.PortConfig{Port: queues[2]})
	assert.Equal(t, qdisc.Queued, g.Send(drops.Pop(), 10), "and packets flow again")
}

// TestMemberDown: a data plane went on giving a dead member its share.
func TestMemberDown(t *testing.T) {
	for mode := range lagg.Broadcast {
		for _, dead := range []lagg.DeadPorts{lagg.Spread, lagg.NextActive, lagg.Rebuild} {
			g := mustNew(t, lagg.Config{Mode: mode, DeadPorts: dead})
			live, down := new(holder), new(holder)
			add(t, g, lagg.PortConfig{Port: live})
			g.SetUp(add(t, g, lagg.PortConfig{Port: down}), false, 0)
			ps := packets(100)
			for i := range ps {
				g.Send(&ps[i], 0)
			}
			assert.True(t, down.list.Empty())
			i := 0
			for p := range live.list.All() {
				require.Equal(t, &ps[i], p, "no gap in the other's order")
				i++
			}
			assert.Equal(t, 100, i)
		}
	}
}

// reordering sends a flow of n packets, one each millisecond, over two ports
// with delays of 1 and 5 ms, and returns how many packets arrive after a later
// one (RFC 4737, reordered packets), and the largest number of later packets
// that overtake one.
func reordering(t *testing.T, cfg lagg.Config, n int) (reordered, extent int) {
	g := mustNew(t, cfg)
	addPorts(t, g, 2)
	delay := map[int]int{1: 1, 2: 5}
	arrival := make([]int, n)
	for i, at := range picks(g, n) {
		arrival[i] = i + delay[at]
	}
	for i := range arrival {
		overtakers := 0
		for j := i + 1; j < n; j++ {
			if arrival[j] < arrival[i] {
				overtakers++
			}
		}
		if overtakers > 0 {
			reordered++
		}
		extent = max(extent, overtakers)
	}
	return reordered, extent
}

// TestReorderingOfOneFlow: round robin over unequal paths reorders a flow, by
// what the delays say: the last packets of a run on the slow port are overtaken
// by those sent less than 4 ms later on the fast one. A hash does not.
func TestReorderingOfOneFlow(t *testing.T) {
	const n = 1024
	for _, stride := range []int{1, 2, 4, 16, 64, 256} {
		perRun := min(stride, 3) // packets that a fast one follows within 3 ms
		extent := min(stride, 3)
		if stride == 1 {
			extent = 2 // those 1 and 3 ms later
		}
		want := (n/(2*stride) - 1) * perRun // the last run has no follower
		reordered, most := reordering(t, lagg.Config{Mode: lagg.RoundRobin, Stride: uint32(stride)}, n)
		assert.Equal(t, want, reordered, "stride %d", stride)
		assert.Equal(t, extent, most, "stride %d", stride)
	}
	reordered, _ := reordering(t, lagg.Config{Mode: lagg.LoadBalance}, n)
	assert.Zero(t, reordered)
}
