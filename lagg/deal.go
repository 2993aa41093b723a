package lagg

// deal brings the slots of a consistent load balance up to date. A removed
// port's slots go to the others, a new port gets its quota from all of them,
// and no other slot changes hands.
func (g *Group) deal() {
	if !g.stale {
		return
	}
	g.setQuotas()
	free := func(m *Member) bool { return m == nil || m.group != g }
	over := func(m *Member) bool { return !free(m) && m.slots > m.quota }
	fresh := func(m *Member) bool { return !m.settled || g.even }
	anyone := func(*Member) bool { return true }
	g.move(free, fresh)
	g.move(over, fresh)
	g.move(free, anyone)
	for _, m := range g.list {
		m.settled = true
	}
	g.stale, g.even = false, false
}

// setQuotas counts the slots that each port has and should have, which is its
// weight's part of them, rounded so that the sum is right.
func (g *Group) setQuotas() {
	total, sum, from := int64(0), int64(0), int64(0)
	for _, m := range g.list {
		total += int64(m.weight)
	}
	for _, m := range g.list {
		sum += int64(m.weight)
		to := sum * int64(len(g.dealt)) / total
		m.slots, m.quota = 0, int32(to-from)
		from = to
	}
	for _, m := range g.dealt {
		if m != nil {
			m.slots++
		}
	}
}

// move gives slots whose owner is as said to ports as said that have less than
// their quota.
func (g *Group) move(from, to func(*Member) bool) {
	next := 0
	for i, old := range g.dealt {
		if !from(old) {
			continue
		}
		for next < len(g.list) && (!to(g.list[next]) || g.list[next].slots >= g.list[next].quota) {
			next++
		}
		if next == len(g.list) {
			return
		}
		if old != nil {
			old.slots--
		}
		g.list[next].slots++
		g.dealt[i] = g.list[next]
	}
}
