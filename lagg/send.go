package lagg

import "github.com/netsched/netsched/qdisc"

// Send takes p and hands it to the port that Select gives, or to every usable
// port, and returns the port's verdict. Without a port p goes to the drop list
// with Reason Unclassified and the verdict is Dropped. A broadcast is Dropped
// if every port dropped it, Queued if all queued it, Congested otherwise. A nil
// packet, or one that is in a list, panics.
func (g *Group) Send(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if p == nil || p.Linked() {
		panic("lagg: the packet is nil, or in a discipline or a list")
	}
	if g.pending > 0 || now > g.now {
		g.Advance(now)
	}
	g.stats.Received++
	m := g.Select(p)
	switch {
	case m == nil:
		return g.refuse(p)
	case g.path == viaLastOfAll:
		return g.broadcast(p)
	}
	return m.deliver(p, g.now)
}

// refuse drops p for want of a port.
func (g *Group) refuse(p *qdisc.Packet) qdisc.Verdict {
	if len(g.list) == 0 || g.cfg.Mode == None {
		g.stats.NoPorts++
	} else {
		g.stats.NoneUsable++
	}
	p.Reason = qdisc.Unclassified
	if g.cfg.Drops != nil {
		g.cfg.Drops.Push(p)
	}
	return qdisc.Dropped
}

// broadcast hands copies to all ports but the last, which takes the original.
func (g *Group) broadcast(p *qdisc.Packet) qdisc.Verdict {
	ports := g.table // not rebuilt meanwhile: a port calls nothing that would
	queued, dropped := 0, 0
	for i, m := range ports {
		c := p
		if i < len(ports)-1 {
			if c = g.cfg.Copy(p); c == nil {
				g.stats.CopyFailed++
				dropped++
				continue
			}
			g.stats.Copied++
		}
		switch m.deliver(c, g.now) {
		case qdisc.Queued:
			queued++
		case qdisc.Dropped:
			dropped++
		}
	}
	switch len(ports) {
	case queued:
		return qdisc.Queued
	case dropped:
		return qdisc.Dropped
	}
	return qdisc.Congested
}
