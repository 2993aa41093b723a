package lagg

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// Add takes a port into the group, at its place by index. The first port of an
// empty group becomes the primary.
func (g *Group) Add(cfg PortConfig) (*Member, error) {
	if cfg.Index == 0 && len(g.list) > 0 {
		cfg.Index = g.list[len(g.list)-1].index + 1 // 0 if there is none above
	} else if cfg.Index == 0 {
		cfg.Index = 1
	}
	at, taken := g.find(cfg.Index)
	var errs qdisc.ConfigErrors
	if f, ok := cfg.Port.(PortFunc); cfg.Port == nil || ok && f == nil {
		errs.Add("Port", nil, "a port is needed to send on")
	}
	switch {
	case len(g.list) == MaxPorts:
		errs.Add("Port", cfg.Port, "the group has 65536 ports, as many as it can")
	case cfg.Index == 0:
		errs.Add("Index", uint32(math.MaxUint32), "the largest index is taken; say which one to use")
	case taken:
		errs.Add("Index", cfg.Index, "another port of the group has it")
	}
	if cfg.Weight > MaxWeight {
		errs.Add("Weight", cfg.Weight, "1 to 4096; 0 is 1")
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	m := &Member{
		group: g, port: cfg.Port, index: cfg.Index, weight: max(cfg.Weight, 1), speed: cfg.Speed,
		link: !cfg.Down, up: !cfg.Down, disabled: cfg.Disabled, due: qdisc.Never,
	}
	g.invalidate()
	g.list = slices.Insert(g.list, at, m)
	g.stale = true
	g.reserve()
	if len(g.list) == 1 {
		g.primary = m
	}
	g.update(m)
	return m, nil
}

// Remove takes m out of the group and returns the packets that its port gives
// back, each once, for the caller to send again or to drop: what Return gives
// if the port is a Returner; if it is a qdisc.Qdisc, what Reset moves to its
// drop list, with Reason Purged (without a drop list they are lost); nothing
// otherwise. If m was the primary, the first port in the order of indexes is
// the primary from now on. A port that is not in the group gives nothing back.
func (g *Group) Remove(m *Member, now qdisc.Time) (back qdisc.List) {
	if g.unlink(m, now) {
		back = giveBack(m.port, g.now)
		g.stats.Returned += uint64(back.Len())
	}
	return back
}

// unlink takes m out of the group, if it is there, and leaves its port alone.
func (g *Group) unlink(m *Member, now qdisc.Time) bool {
	if m == nil || m.group != g {
		return false
	}
	g.Advance(now)
	g.invalidate()
	at, _ := g.find(m.index)
	g.list = slices.Delete(g.list, at, at+1)
	g.stale = true
	if m.due != qdisc.Never {
		g.cancel(m)
	}
	if m.usable {
		g.usable--
	}
	m.group, m.usable, m.standIn = nil, false, nil
	if g.primary == m {
		g.primary = nil
		if len(g.list) > 0 {
			g.primary = g.list[0]
		}
	}
	g.stats.add(&m.stats)
	g.rescue()
	g.reselect()
	return true
}

// giveBack takes out what a port holds.
func giveBack(port Port, now qdisc.Time) (back qdisc.List) {
	switch port := port.(type) {
	case Returner:
		back = port.Return(now)
	case qdisc.Qdisc:
		if drops := port.Common().DropList(); drops != nil {
			before := *drops
			*drops = qdisc.List{}
			port.Reset(now)
			back, *drops = *drops, before
		} else {
			port.Reset(now)
		}
	}
	return back
}

// find returns where the port of an index is, or would be.
func (g *Group) find(index uint32) (at int, ok bool) { return search(g.list, index) }

func search(list []*Member, index uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(list, index, func(m *Member, index uint32) int {
		return cmp.Compare(m.index, index)
	})
}

// Member returns the port of an index, nil if there is none.
func (g *Group) Member(index uint32) *Member {
	if at, ok := g.find(index); ok {
		return g.list[at]
	}
	return nil
}

// Members ranges over the ports by index. They must not change meanwhile.
func (g *Group) Members() iter.Seq[*Member] { return slices.Values(g.list) }

// Len counts the ports.
func (g *Group) Len() int { return len(g.list) }

// Usable counts the ports that can be chosen.
func (g *Group) Usable() int { return g.usable }

// SetWeight changes a port's weight, 1 to MaxWeight; 0 is 1. It holds at once,
// as a new stride does.
func (g *Group) SetWeight(m *Member, weight uint32) error {
	if weight > MaxWeight {
		return &qdisc.ConfigError{Field: "Weight", Value: weight, Why: "1 to 4096; 0 is 1"}
	}
	if m != nil && m.group == g && m.weight != max(weight, 1) {
		g.invalidate()
		m.weight = max(weight, 1)
		g.stale, g.even = true, true
	}
	return nil
}

// SetSpeed changes a port's speed; 0 is unknown.
func (g *Group) SetSpeed(m *Member, speed qdisc.Rate) {
	if m != nil && m.group == g {
		m.speed = speed
		g.reselect()
	}
}

// Up tells whether the group is up: whether any port's link is, enabled or not.
func (g *Group) Up() bool {
	return slices.ContainsFunc(g.list, func(m *Member) bool { return m.up })
}

// Speed returns the primary's speed in a failover, otherwise the sum of all
// ports', usable or not.
func (g *Group) Speed() qdisc.Rate {
	if g.cfg.Mode == Failover {
		if g.primary == nil {
			return 0
		}
		return g.primary.speed
	}
	sum := qdisc.Rate(0)
	for _, m := range g.list {
		if sum += m.speed; sum < m.speed {
			return math.MaxUint64
		}
	}
	return sum
}
