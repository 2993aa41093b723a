package lagg

import "github.com/netsched/netsched/qdisc"

// path is how the present mode and options choose.
type path uint8

const (
	viaActive    path = iota // Failover; and None, which has no active port
	viaStride                // runs of the same length
	viaCounter               // runs of other kinds, in packets
	viaBytes                 // runs in bytes
	viaFlow                  // Packet.Flow
	viaFrame                 // header hash
	viaRandom                // chance
	viaLastOfAll             // Broadcast: the port that takes the original
	viaRebuild               // not known: table is out of date
)

// Select returns the port for p, nil if there is none. It touches no port, no
// counter of Stats, no clock, and nothing of p: what it returns is a function
// of the group's state, and in LoadBalance and with StrideBytes of p. It
// advances that state in RoundRobin by p, and in Random by one number drawn;
// in the other modes the same packet gives the same port until the group is
// changed. In Broadcast it is the last usable port, the one that takes the
// original.
func (g *Group) Select(p *qdisc.Packet) *Member {
	if g.left != 0 {
		g.left--
		return g.table[g.pos]
	}
	return g.choose(p)
}

// choose is Select when no run is in progress. Two paths are spared the call of
// chooseOther.
func (g *Group) choose(p *qdisc.Packet) *Member {
	if g.path == viaStride {
		i := uint(g.pos + 1)
		if i >= uint(len(g.table)) {
			if i = 0; len(g.table) == 0 {
				return nil
			}
		}
		g.pos, g.left = int(i), g.stride-1
		return g.table[i]
	}
	if g.path == viaFlow {
		h := p.Flow >> (g.cfg.FlowShift & 31)
		if i := g.pick.slot(h); i < uint64(len(g.pick.table)) {
			if m := g.pick.table[i]; m != nil {
				return m
			}
		}
		return g.pick.displaced(h)
	}
	return g.chooseOther(p)
}

func (g *Group) chooseOther(p *qdisc.Packet) *Member {
	switch g.path {
	case viaRebuild:
		g.rebuild()
		return g.Select(p)
	case viaFrame:
		return g.pick.choose(g.cfg.frameHash(p))
	case viaCounter:
		return g.nextRun()
	case viaBytes:
		return g.chooseBytes(p)
	case viaRandom:
		return g.alias.choose(g.table, g.rand.Uint64())
	case viaLastOfAll:
		if n := len(g.table); n > 0 {
			return g.table[n-1]
		}
		return nil
	}
	return g.active
}

// rebuild makes the table from the ports as they are.
func (g *Group) rebuild() {
	g.path = viaActive
	if g.cfg.Mode == Failover || g.cfg.Mode == None { // no table
		return
	}
	g.findStandIns()
	g.owners, g.table = g.pick.usable, g.pick.usable
	switch mode := g.cfg.Mode; {
	case mode == LoadBalance && g.cfg.Consistent:
		g.deal()
		g.serve(g.dealt)
	case mode == LoadBalance && g.cfg.DeadPorts != Rebuild, mode != Broadcast && g.cfg.DeadPorts == NextActive:
		g.serve(g.list)
	}
	switch g.cfg.Mode {
	case RoundRobin:
		g.resume()
	case LoadBalance:
		g.path = viaFlow
		if g.cfg.Frame != nil {
			g.path = viaFrame
		}
		g.pick.use(g.table, g.cfg.Consistent)
	case Random:
		g.path = viaRandom
		g.alias.build(g.owners, g.table)
	case Broadcast:
		g.path = viaLastOfAll
	}
}

// frameHash returns what LoadBalance goes by if there is a Frame.
func (c *Config) frameHash(p *qdisc.Packet) uint32 {
	if frame := c.Frame(p); len(frame) > 0 {
		return c.Hasher.Sum(frame)
	}
	return p.Flow >> (c.FlowShift & 31)
}

// findStandIns lists the usable ports and notes who serves for each dead one.
func (g *Group) findStandIns() {
	g.pick.usable = g.pick.usable[:0]
	for _, m := range g.list {
		if m.usable {
			g.pick.usable = append(g.pick.usable, m)
		}
	}
	for i, m := range g.list {
		switch {
		case m.usable:
			m.standIn = m
		case g.cfg.DeadPorts != NextActive || g.usable == 0:
			m.standIn = nil
		case i+1 < len(g.list) && g.list[i+1].usable:
			m.standIn = g.list[i+1]
		default:
			m.standIn = g.pick.usable[0]
		}
	}
}

// serve has each slot served by its owner or by the owner's stand-in.
func (g *Group) serve(owners []*Member) {
	g.served = g.served[:0]
	for _, m := range owners {
		if m != nil {
			m = m.standIn
		}
		g.served = append(g.served, m)
	}
	g.owners, g.table = owners, g.served
}
