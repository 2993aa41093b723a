package lagg_test

import (
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// saying is a port that answers v, and uses the packet for something else.
func saying(v qdisc.Verdict) lagg.Port {
	return lagg.PortFunc(func(p *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
		*p = qdisc.Packet{Len: 99999}
		return v
	})
}

func TestSend(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin})
	var ports []*lagg.Member
	for _, v := range []qdisc.Verdict{qdisc.Queued, qdisc.Congested, qdisc.Dropped} {
		ports = append(ports, add(t, g, lagg.PortConfig{Port: saying(v)}))
	}
	for i, want := range []qdisc.Verdict{qdisc.Queued, qdisc.Congested, qdisc.Dropped, qdisc.Queued} {
		assert.Equal(t, want, g.Send(&qdisc.Packet{Len: uint32(i)}, 0))
	}
	assert.Equal(t, lagg.PortStats{Packets: 2, Bytes: 3, Queued: 2}, ports[0].ReadStats())
	assert.Equal(t, lagg.PortStats{Packets: 1, Bytes: 1, Congested: 1}, ports[1].ReadStats())
	assert.Equal(t, lagg.PortStats{Packets: 1, Bytes: 2, Dropped: 1}, ports[2].ReadStats())
	all := lagg.Stats{PortStats: lagg.PortStats{Packets: 4, Bytes: 6, Queued: 2, Congested: 1, Dropped: 1}, Received: 4}
	assert.Equal(t, all, g.ReadStats())
	g.Remove(ports[0], 0)
	assert.Equal(t, all, g.ReadStats(), "what a port did is not forgotten")
}

func TestBroadcast(t *testing.T) {
	fail := false
	g := mustNew(t, lagg.Config{Mode: lagg.Broadcast, Copy: func(p *qdisc.Packet) *qdisc.Packet {
		if fail {
			return nil
		}
		c := *p
		return &c
	}})
	ports := []*holder{new(holder), new(holder), new(holder)}
	for _, h := range ports {
		add(t, g, lagg.PortConfig{Port: h})
	}
	p := &qdisc.Packet{Len: 100}
	assert.Equal(t, qdisc.Queued, g.Send(p, 0))
	for i, h := range ports {
		require.Equal(t, 1, h.list.Len())
		assert.Equal(t, i == 2, h.list.Head() == p, "the last has the original")
	}
	fail = true
	assert.Equal(t, qdisc.Congested, g.Send(new(qdisc.Packet), 0))
	assert.Equal(t, []int{1, 1, 2}, []int{ports[0].list.Len(), ports[1].list.Len(), ports[2].list.Len()})
	s := g.ReadStats()
	assert.EqualValues(t, 2, s.Copied)
	assert.EqualValues(t, 2, s.CopyFailed)
	assert.Equal(t, s.Received+s.Copied, s.Packets)
}

func TestBroadcastVerdicts(t *testing.T) {
	for _, c := range []struct {
		ports []qdisc.Verdict
		want  qdisc.Verdict
	}{
		{[]qdisc.Verdict{qdisc.Queued, qdisc.Queued}, qdisc.Queued},
		{[]qdisc.Verdict{qdisc.Queued, qdisc.Dropped}, qdisc.Congested},
		{[]qdisc.Verdict{qdisc.Dropped, qdisc.Queued}, qdisc.Congested},
		{[]qdisc.Verdict{qdisc.Congested, qdisc.Queued}, qdisc.Congested},
		{[]qdisc.Verdict{qdisc.Dropped, qdisc.Dropped}, qdisc.Dropped},
		{[]qdisc.Verdict{qdisc.Dropped}, qdisc.Dropped},
		{nil, qdisc.Dropped},
	} {
		g := mustNew(t, lagg.Config{Mode: lagg.Broadcast, Copy: func(*qdisc.Packet) *qdisc.Packet { return new(qdisc.Packet) }})
		for _, v := range c.ports {
			add(t, g, lagg.PortConfig{Port: saying(v)})
		}
		assert.Equal(t, c.want, g.Send(new(qdisc.Packet), 0), "%v", c.ports)
	}
}

// TestNoPort tells an empty group from one without usable ports.
func TestNoPort(t *testing.T) {
	drops := new(qdisc.List)
	for mode := range lagg.None + 1 {
		g := mustNew(t, lagg.Config{Mode: mode, Drops: drops, Copy: func(*qdisc.Packet) *qdisc.Packet { return nil }})
		p := new(qdisc.Packet)
		require.Equal(t, qdisc.Dropped, g.Send(p, 0))
		assert.Equal(t, lagg.Stats{Received: 1, NoPorts: 1}, g.ReadStats())
		require.Equal(t, p, drops.Pop())
		assert.Equal(t, qdisc.Unclassified, p.Reason)
		g.SetEnabled(addPorts(t, g, 1)[0], false)
		require.Equal(t, qdisc.Dropped, g.Send(p, 0))
		require.Equal(t, p, drops.Pop())
		if mode == lagg.None {
			assert.Equal(t, lagg.Stats{Received: 2, NoPorts: 2}, g.ReadStats())
		} else {
			assert.Equal(t, lagg.Stats{Received: 2, NoPorts: 1, NoneUsable: 1}, g.ReadStats())
		}
	}
}

// TestPortTakesItselfOut in the middle of a send, as one does whose socket has
// failed.
func TestPortTakesItselfOut(t *testing.T) {
	for mode := range lagg.None {
		g := mustNew(t, lagg.Config{Mode: mode, Copy: func(*qdisc.Packet) *qdisc.Packet { return new(qdisc.Packet) }})
		var failing *lagg.Member
		failing = add(t, g, lagg.PortConfig{Port: lagg.PortFunc(func(*qdisc.Packet, qdisc.Time) qdisc.Verdict {
			g.SetUp(failing, false, 5)
			g.SetEnabled(failing, false)
			return qdisc.Dropped
		})})
		add(t, g, lagg.PortConfig{})
		for i := range uint32(100) {
			g.Send(&qdisc.Packet{Flow: i}, qdisc.Time(i))
		}
		assert.EqualValues(t, 1, failing.ReadStats().Packets, mode)
		assert.EqualValues(t, 1, g.ReadStats().Dropped, mode)
	}
}

// TestGroupInAGroup: another group's Send is a port.
func TestGroupInAGroup(t *testing.T) {
	outer, inner := mustNew(t, lagg.Config{Mode: lagg.RoundRobin}), mustNew(t, lagg.Config{Mode: lagg.RoundRobin})
	add(t, outer, lagg.PortConfig{Port: lagg.PortFunc(inner.Send)})
	add(t, outer, lagg.PortConfig{})
	ports := addPorts(t, inner, 2)
	for range 40 {
		outer.Send(new(qdisc.Packet), 0)
	}
	assert.EqualValues(t, 10, ports[0].ReadStats().Packets)
	assert.EqualValues(t, 10, ports[1].ReadStats().Packets)
}

// TestRemoveWithoutADropList: such a queue's packets are nobody's.
func TestRemoveWithoutADropList(t *testing.T) {
	var g lagg.Group
	q, err := fifo.New(fifo.Config{})
	require.NoError(t, err)
	m := add(t, &g, lagg.PortConfig{Port: q})
	g.Send(new(qdisc.Packet), 0)
	back := g.Remove(m, 0)
	assert.True(t, back.Empty())
	assert.Zero(t, q.Len())
	assert.Zero(t, g.ReadStats().Returned)
}

func TestMisuse(t *testing.T) {
	var g lagg.Group
	addPorts(t, &g, 1)
	var l qdisc.List
	l.Push(new(qdisc.Packet))
	assert.Panics(t, func() { g.Send(nil, 0) })
	assert.Panics(t, func() { g.Send(l.Head(), 0) })
	assert.Zero(t, g.ReadStats().Received)
}

// TestPortSendsAgain: a port that fails may take itself out and have another
// port send the packet, in every mode but Broadcast.
func TestPortSendsAgain(t *testing.T) {
	for mode := range lagg.Broadcast {
		for _, dead := range []lagg.DeadPorts{lagg.Spread, lagg.NextActive} {
			drops := new(qdisc.List)
			g := mustNew(t, lagg.Config{Mode: mode, DeadPorts: dead, Stride: 3, Drops: drops})
			const n = 8
			ports := make([]*lagg.Member, n)
			for i := range ports {
				ports[i] = add(t, g, lagg.PortConfig{Port: lagg.PortFunc(func(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
					g.SetUp(ports[i], false, now)
					return g.Send(p, now)
				})})
			}
			p := &qdisc.Packet{Flow: 12345}
			assert.Equal(t, qdisc.Dropped, g.Send(p, 1))
			assert.Equal(t, p, drops.Pop(), "once")
			assert.True(t, drops.Empty())
			s := g.ReadStats()
			assert.EqualValues(t, n+1, s.Received)
			assert.EqualValues(t, n, s.Packets, "each port had it once")
			assert.EqualValues(t, 1, s.NoneUsable)

			good := new(holder)
			add(t, g, lagg.PortConfig{Port: good})
			for i, m := range ports {
				g.SetUp(m, true, qdisc.Time(i+2))
			}
			g.SetPrimary(ports[3])
			ps := packets(40)
			for i := range ps {
				assert.Equal(t, qdisc.Queued, g.Send(&ps[i], 20))
			}
			assert.Equal(t, 40, good.list.Len(), "mode %v", mode)
			s = g.ReadStats()
			assert.Equal(t, s.Received, s.Packets+s.NoneUsable)
		}
	}
}
