package lagg_test

import (
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFailover as lagg(4) has it: the primary at once when it is usable, else
// its successor, else the first.
func TestFailover(t *testing.T) {
	var g lagg.Group
	ports := addPorts(t, &g, 4)
	assert.Equal(t, ports[0], g.Primary())
	g.SetPrimary(ports[1])
	assert.Equal(t, []int{2, 2}, picks(&g, 2))
	g.SetUp(ports[1], false, 0)
	assert.Equal(t, []int{3}, picks(&g, 1))
	g.SetUp(ports[2], false, 0)
	assert.Equal(t, []int{1}, picks(&g, 1), "one step, then from the head")
	g.SetEnabled(ports[0], false)
	assert.Equal(t, []int{4}, picks(&g, 1))
	g.SetUp(ports[2], true, 0)
	assert.Equal(t, []int{3}, picks(&g, 1))
	g.SetUp(ports[1], true, 0)
	assert.Equal(t, []int{2}, picks(&g, 1))
	assert.Equal(t, ports[1], g.Active())
}

// TestPrimaryLeaves: the head follows it, and it does not come back as primary.
func TestPrimaryLeaves(t *testing.T) {
	var g lagg.Group
	m := add(t, &g, lagg.PortConfig{Index: 5})
	add(t, &g, lagg.PortConfig{Index: 9})
	add(t, &g, lagg.PortConfig{Index: 2})
	assert.Equal(t, m, g.Primary())
	g.Remove(m, 0)
	assert.EqualValues(t, 2, g.Primary().Index())
	add(t, &g, lagg.PortConfig{Index: 5})
	assert.EqualValues(t, 2, g.Primary().Index())
	g.SetPrimary(m) // it is no member any more
	assert.EqualValues(t, 2, g.Primary().Index())
	for g.Len() > 0 {
		g.Remove(g.Primary(), 0)
	}
	assert.Nil(t, g.Primary())
	assert.Nil(t, g.Active())
}

func TestReceive(t *testing.T) {
	accepted := func(g *lagg.Group) (list []int) {
		for m := range g.Members() {
			if g.Accepts(m) {
				list = append(list, index(m))
			}
		}
		return list
	}
	var g lagg.Group
	ports := addPorts(t, &g, 3)
	assert.Equal(t, []int{1}, accepted(&g))
	g.SetUp(ports[0], false, 0)
	assert.Equal(t, []int{1, 2}, accepted(&g), "the dead primary too")
	g.SetUp(ports[1], false, 0)
	g.SetUp(ports[2], false, 0)
	assert.Equal(t, []int{1, 2, 3}, accepted(&g), "none is usable")
	g.SetUp(ports[0], true, 0)
	change(t, &g, func(cfg *lagg.Config) { cfg.ReceiveAll = true })
	assert.Equal(t, []int{1, 2, 3}, accepted(&g))
	for mode := range lagg.None {
		if mode != lagg.Failover {
			change(t, &g, func(cfg *lagg.Config) {
				cfg.Mode, cfg.Copy = mode, func(p *qdisc.Packet) *qdisc.Packet { return nil }
			})
			assert.Equal(t, []int{1, 2, 3}, accepted(&g), mode)
		}
	}
	change(t, &g, func(cfg *lagg.Config) { cfg.Mode = lagg.None })
	assert.Empty(t, accepted(&g))
	g.Remove(ports[0], 0)
	assert.False(t, g.Accepts(ports[0]))
	assert.False(t, g.Accepts(nil))
}

// TestReselect: what happens when the primary (port 1, speed 10) fails and
// comes back, beside ports of speed 10 and 1.
func TestReselect(t *testing.T) {
	for _, c := range []struct {
		policy              lagg.Reselect
		afterFast, afterLow int // in use when the primary is back and port 2, or 3, was
	}{
		{lagg.Always, 1, 1},
		{lagg.Better, 2, 1},
		{lagg.OnFailure, 2, 3},
	} {
		g := mustNew(t, lagg.Config{Reselect: c.policy})
		var ports []*lagg.Member
		for _, speed := range []qdisc.Rate{10, 10, 1} {
			ports = append(ports, add(t, g, lagg.PortConfig{Speed: speed}))
		}
		assert.Equal(t, []int{1}, picks(g, 1))
		g.SetUp(ports[0], false, 0)
		assert.Equal(t, []int{2}, picks(g, 1))
		g.SetUp(ports[0], true, 0)
		assert.Equal(t, []int{c.afterFast}, picks(g, 1))

		g.SetUp(ports[0], false, 0)
		g.SetUp(ports[1], false, 0)
		assert.Equal(t, []int{3}, picks(g, 1))
		g.SetUp(ports[0], true, 0)
		assert.Equal(t, []int{c.afterLow}, picks(g, 1))

		g.SetUp(ports[2], false, 0)
		assert.Equal(t, []int{1}, picks(g, 1), "the primary first, when the one in use fails")
		g.SetPrimary(ports[2])
		assert.Equal(t, []int{1}, picks(g, 1))
		g.SetUp(ports[2], true, 0)
		g.SetPrimary(ports[2])
		assert.Equal(t, []int{3}, picks(g, 1), "a new primary is used at once")
	}
}

// TestFasterPrimary takes over as soon as its speed is known.
func TestFasterPrimary(t *testing.T) {
	g := mustNew(t, lagg.Config{Reselect: lagg.Better})
	ports := addPorts(t, g, 2)
	g.SetUp(ports[0], false, 0)
	g.SetUp(ports[0], true, 0)
	assert.Equal(t, ports[1], g.Active())
	g.SetSpeed(ports[0], qdisc.Gbit)
	assert.Equal(t, ports[0], g.Active())
}

// TestManyFailuresInOrder: the search for the first usable port does not start
// over at each of 65536 deaths, nor does Advance.
func TestManyFailuresInOrder(t *testing.T) {
	g := mustNew(t, lagg.Config{DownDelay: 5})
	ports := addPorts(t, g, lagg.MaxPorts)
	for _, m := range ports[:len(ports)-1] {
		g.SetUp(m, false, 0)
	}
	assert.Equal(t, ports[0], g.Active())
	g.Advance(5)
	assert.Equal(t, ports[len(ports)-1], g.Active())
	for _, m := range ports {
		g.SetUp(m, true, 6)
		assert.True(t, g.Active().Usable())
	}
	assert.Equal(t, ports[0], g.Active())
}

// TestChangeKeepsThePortInUse: a change that has nothing to do with it does not
// end a stand-in's service; one of the policy does what the policy says.
func TestChangeKeepsThePortInUse(t *testing.T) {
	for _, policy := range []lagg.Reselect{lagg.Better, lagg.OnFailure} {
		g := mustNew(t, lagg.Config{Reselect: policy})
		ports := addPorts(t, g, 3)
		g.SetUp(ports[0], false, 0)
		g.SetUp(ports[0], true, 0)
		require.Equal(t, ports[1], g.Active())
		change(t, g, func(cfg *lagg.Config) { cfg.UpDelay = 5 })
		assert.Equal(t, ports[1], g.Active(), "the primary has not taken over")
		change(t, g, func(cfg *lagg.Config) { cfg.Reselect = lagg.Better + lagg.OnFailure - policy })
		assert.Equal(t, ports[1], g.Active(), "nor is it better")
		change(t, g, func(cfg *lagg.Config) { cfg.Mode = lagg.RoundRobin })
		assert.Nil(t, g.Active())
		change(t, g, func(cfg *lagg.Config) { cfg.Mode = lagg.Failover })
		assert.Equal(t, ports[0], g.Active(), "nothing was in use")
	}
	g := mustNew(t, lagg.Config{Reselect: lagg.OnFailure})
	ports := addPorts(t, g, 2)
	g.SetUp(ports[0], false, 0)
	g.SetUp(ports[0], true, 0)
	change(t, g, func(cfg *lagg.Config) { cfg.Reselect = lagg.Always })
	assert.Equal(t, ports[0], g.Active())
}

// TestDeadPrimaryIsChosen: it does not end the service of the port in use.
func TestDeadPrimaryIsChosen(t *testing.T) {
	g := mustNew(t, lagg.Config{Reselect: lagg.OnFailure})
	ports := addPorts(t, g, 4)
	g.SetUp(ports[2], false, 0)
	g.SetPrimary(ports[2])
	assert.Equal(t, ports[0], g.Active())
	change(t, g, func(cfg *lagg.Config) { cfg.Reselect = lagg.Always })
	assert.Equal(t, ports[3], g.Active(), "its successor")
}

// TestStandByAcceptsNothing: where the primary need not be in use it may be a
// stand-by, on which the frames of the port in use would come once more.
func TestStandByAcceptsNothing(t *testing.T) {
	for policy, want := range map[lagg.Reselect][3]bool{
		lagg.Always:    {true, false, false},
		lagg.Better:    {false, true, false},
		lagg.OnFailure: {false, true, false},
	} {
		g := mustNew(t, lagg.Config{Reselect: policy})
		ports := addPorts(t, g, 3)
		accepted := func() (all [3]bool) {
			for i, m := range ports {
				all[i] = g.Accepts(m)
			}
			return all
		}
		assert.Equal(t, [3]bool{true, false, false}, accepted())
		g.SetUp(ports[0], false, 0)
		assert.Equal(t, [3]bool{policy == lagg.Always, true, false}, accepted(), "lagg(4) accepts from a dead primary")
		g.SetUp(ports[0], true, 0)
		assert.Equal(t, want, accepted())
		for _, m := range ports {
			g.SetUp(m, false, 0)
		}
		assert.Equal(t, [3]bool{true, true, true}, accepted(), "none is usable")
	}
}
