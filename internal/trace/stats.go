package trace

import "github.com/netsched/netsched/qdisc"

// adjust is where the references count otherwise than qdisc.Stats: a packet
// is sent when it leaves its queue, though it then stands parked and may be
// thrown away there; a super-packet counts its segments; what a reset throws
// away is not dropped.
type adjust struct {
	packets, bytes int64 // sent
	dropped        int64
}

// command runs a reset or a change. A parked packet that it throws away has
// been sent. It returns the number of packets thrown away.
func (a *adjust) command(q qdisc.Qdisc, f func()) uint64 {
	base := q.Common()
	purged, parked := base.ReadStats().Purged, base.Parked()
	f()
	if parked != nil && base.Parked() != parked {
		a.packets += 1 + extra(parked)
		a.bytes += int64(parked.Len)
	}
	return base.ReadStats().Purged - purged
}

// sendLost counts packets that were thrown away as sent.
func (a *adjust) sendLost(lost []*packet) {
	for _, k := range lost {
		a.packets += 1 + extra(&k.Packet)
		a.bytes += int64(k.Len)
		a.dropped--
	}
}

// extra returns the segments of a super-packet beyond the first.
func extra(p *qdisc.Packet) int64 { return int64(max(0, int(p.Segs)-1)) }

// stat returns a statistic of a queue manager as the reference counts it.
func (p *aqmReplay) stat(name string) (int64, bool) {
	if p.target.Stat != nil {
		if v, ok := p.target.Stat(name, p.now); ok {
			return v, true
		}
	}
	if name == "dropped" {
		return p.adjust.drops(p.q), true
	}
	return p.adjust.common(p.q, name, "sent_")
}

// total returns a counter of a scheduler: its drops are those of the whole
// tree, classes that were removed included.
func (p *classfulReplay) total(name string) (int64, bool) {
	if p.target.Stat != nil {
		if v, ok := p.target.Stat(name, p.now); ok {
			return v, true
		}
	}
	if name == "drops" {
		return p.adjust.drops(p.q), true
	}
	return p.adjust.common(p.q, name, "")
}

// classTotal returns a counter of a class: that of its queue.
func (p *classfulReplay) classTotal(class uint32, name string) (int64, bool) {
	if p.target.ClassStat != nil {
		if v, ok := p.target.ClassStat(class, name, p.now); ok {
			return v, true
		}
	}
	child := childOf(p.q, class)
	if child == nil {
		return 0, false
	}
	if name == "drops" {
		st := child.Common().ReadStats()
		return int64(st.Refused + st.Dropped), true
	}
	return new(adjust).common(child, name, "")
}

func (a *adjust) drops(q qdisc.Qdisc) int64 {
	st := q.Common().ReadStats()
	return int64(st.Lost()) + a.dropped
}

// common returns a counter that every discipline has. The names of the two
// that count what left begin with prefix.
func (a *adjust) common(q qdisc.Qdisc, name, prefix string) (int64, bool) {
	st := q.Common().ReadStats()
	packets, bytes := int64(st.Dequeued)+a.packets, int64(st.SentBytes)+a.bytes
	if p := q.Common().Parked(); p != nil {
		packets, bytes = packets+1+extra(p), bytes+int64(p.Len)
	}
	switch name {
	case prefix + "packets":
		return packets, true
	case prefix + "bytes":
		return bytes, true
	case "overlimits":
		return int64(st.Overlimits), true
	case "qlen":
		return int64(q.Len()), true
	case "backlog":
		return q.Backlog(), true
	}
	return 0, false
}

// childOf returns the discipline of a class, nil if there is none.
func childOf(q qdisc.Qdisc, class uint32) qdisc.Qdisc {
	if parent, ok := q.(qdisc.Parent); ok {
		for c, child := range parent.Children() {
			if c == class {
				return child
			}
		}
	}
	return nil
}
