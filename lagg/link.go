package lagg

import (
	"cmp"
	"slices"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// SetUp says that the port's link is up or down now. With an UpDelay or a
// DownDelay the group believes it when that time has passed without another
// word. A port that is not in the group is ignored: link events may come late.
func (g *Group) SetUp(m *Member, up bool, now qdisc.Time) {
	if m == nil || m.group != g {
		return
	}
	now = g.Advance(now)
	if m.link == up {
		return
	}
	m.link = up
	if m.due != qdisc.Never { // it is back before it was believed gone, or the reverse
		g.cancel(m)
	}
	delay := g.delay(up)
	switch {
	case m.up == up:
	case delay == 0:
		g.believe(m)
	default:
		m.since, m.due = now, now.Add(delay)
		if g.pending++; g.pending == 1 || m.due < g.due {
			g.due = m.due
		}
		g.rescue()
	}
}

// delay returns how long the group waits before it believes a link's change.
func (g *Group) delay(up bool) time.Duration {
	if up {
		return g.cfg.UpDelay
	}
	return g.cfg.DownDelay
}

// retime measures the waits in progress by the delays as they are now.
func (g *Group) retime() {
	if g.pending == 0 {
		return
	}
	for _, m := range g.list {
		if m.due != qdisc.Never {
			m.due = m.since.Add(g.delay(m.link))
		}
	}
	g.late = true
	if g.NextChange() <= g.now {
		g.settleLinks()
	}
}

// SetEnabled lets the port be used, or takes it out. A port that is not in the
// group is ignored.
func (g *Group) SetEnabled(m *Member, on bool) {
	if m == nil || m.group != g {
		return
	}
	m.disabled = !on
	g.update(m)
}

// NextChange returns when Advance is worth calling: when the next link change
// will be believed, Never if none is pending. It visits every port if the change
// that was to be the next has been taken back since; otherwise it takes no time.
func (g *Group) NextChange() qdisc.Time {
	if g.pending == 0 {
		return qdisc.Never
	}
	if g.late {
		g.due, g.late = qdisc.Never, false
		for _, m := range g.list {
			g.due = min(g.due, m.due)
		}
	}
	return g.due
}

// cancel ends m's wait.
func (g *Group) cancel(m *Member) {
	g.late = g.late || m.due == g.due
	m.due = qdisc.Never
	g.pending--
}

// Advance has the group believe the link changes that are due at now, and
// returns the time to act on: now, but never earlier than before. Every method
// that is passed a time does it; who uses Select alone, with delays, calls it.
func (g *Group) Advance(now qdisc.Time) qdisc.Time {
	g.now = max(g.now, min(now, qdisc.MaxTime))
	if g.pending > 0 && g.due <= g.now {
		g.settleLinks()
	}
	return g.now
}

// settleLinks makes the changes that are due, in the order of their times.
func (g *Group) settleLinks() {
	ripe := g.ripe[:0] // has room for all ports
	next := qdisc.Never
	for _, m := range g.list {
		if m.due <= g.now {
			ripe = append(ripe, m)
		} else {
			next = min(next, m.due)
		}
	}
	slices.SortStableFunc(ripe, func(a, b *Member) int { return cmp.Compare(a.due, b.due) })
	g.due, g.late = next, false
	for _, m := range ripe {
		if m.due != qdisc.Never { // rescue may have been faster
			g.cancel(m)
			g.believe(m)
		}
	}
}

// believe makes what SetUp said last effective.
func (g *Group) believe(m *Member) {
	m.up = m.link
	g.update(m)
}

// update follows a change of m's state.
func (g *Group) update(m *Member) {
	usable := m.up && !m.disabled
	if usable != m.usable {
		g.invalidate()
		m.usable = usable
		if usable {
			g.usable++
			g.lowest = min(g.lowest, m.index)
		} else {
			g.usable--
		}
	}
	g.rescue()
	g.reselect()
}

// rescue ends the wait of the port that has waited longest for UpDelay when
// there is no other to use.
func (g *Group) rescue() {
	if g.usable > 0 || g.pending == 0 {
		return
	}
	var first *Member
	for _, m := range g.list {
		if m.due != qdisc.Never && m.link && !m.disabled && (first == nil || m.due < first.due) {
			first = m
		}
	}
	if first != nil {
		g.cancel(first)
		g.believe(first)
	}
}
