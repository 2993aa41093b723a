package lagg

import "math"

// Primary returns the primary port: the first that was added, or the one that
// SetPrimary chose; nil in an empty group.
func (g *Group) Primary() *Member { return g.primary }

// SetPrimary makes m the primary, and the port in use if it is usable, whatever
// Reselect says. A port that is not in the group is ignored.
func (g *Group) SetPrimary(m *Member) {
	if m == nil || m.group != g {
		return
	}
	g.primary = m
	if m.usable {
		g.active = nil
	}
	g.reselect()
}

// Active returns the port that a failover uses; nil if there is none, and in
// the other modes.
func (g *Group) Active() *Member { return g.active }

// reselect chooses the port that a failover uses.
func (g *Group) reselect() {
	var next *Member
	switch {
	case g.cfg.Mode != Failover || g.primary == nil:
	case g.active != nil && g.active.usable && !g.takesOver():
		return
	default:
		next = g.nextActive(g.primary)
	}
	g.changed = g.changed || next != g.active
	g.active = next
}

// takesOver tells whether the primary, or whoever serves for it, replaces the
// usable port in use.
func (g *Group) takesOver() bool {
	switch g.cfg.Reselect {
	case Better:
		return g.primary.usable && g.primary.speed > g.active.speed
	case OnFailure:
		return false
	}
	return true
}

// nextActive returns m if it is usable, else its successor if that is, else
// the first usable port. The search goes one step and starts over, as in
// lagg(4).
func (g *Group) nextActive(m *Member) *Member {
	if m.usable {
		return m
	}
	if at, _ := g.find(m.index); at+1 < len(g.list) && g.list[at+1].usable {
		return g.list[at+1]
	}
	return g.firstUsable()
}

// firstUsable searches on from where the last search ended.
func (g *Group) firstUsable() *Member {
	if g.usable == 0 {
		g.lowest = math.MaxUint32
		return nil
	}
	at, _ := g.find(g.lowest)
	for ; !g.list[at].usable; at++ {
	}
	g.lowest = g.list[at].index
	return g.list[at]
}

// Accepts tells whether a packet that arrived on m is to be taken. A failover
// takes those of the port in use, or of any port while none is usable; with
// Reselect Always those of the primary too, though it be dead, as lagg(4) does,
// while with the other policies a primary that is not in use is a stand-by like
// any other; with ReceiveAll everything. The other modes take everything, None
// nothing. A removed port has nothing to give.
func (g *Group) Accepts(m *Member) bool {
	if m == nil || m.group != g {
		return false
	}
	switch g.cfg.Mode {
	case Failover:
		return g.cfg.ReceiveAll || g.active == nil || m == g.active || m == g.primary && g.cfg.Reselect == Always
	case None:
		return false
	}
	return true
}
