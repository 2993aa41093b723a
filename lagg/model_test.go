package lagg_test

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

// model is a group in the plainest terms: nothing is kept that can be found by
// looking at all ports.
type model struct {
	cfg     lagg.Config
	ports   []*modelPort // by index
	primary *modelPort
	active  *modelPort
	now     qdisc.Time

	turn   *modelPort // of Runs
	used   int64
	seq    uint32 // of the other counters
	bucket uint32
}

type modelPort struct {
	index, weight      uint32
	speed              qdisc.Rate
	link, up, disabled bool
	since, due         qdisc.Time // of a change that is not believed yet
	credit             int64
}

func (p *modelPort) usable() bool { return p.up && !p.disabled }

func (m *model) find(index uint32) *modelPort {
	for _, p := range m.ports {
		if p.index == index {
			return p
		}
	}
	return nil
}

func (m *model) usable() (list []*modelPort) {
	for _, p := range m.ports {
		if p.usable() {
			list = append(list, p)
		}
	}
	return list
}

func (m *model) add(p *modelPort) {
	p.due = qdisc.Never
	m.ports = append(m.ports, p)
	slices.SortFunc(m.ports, func(a, b *modelPort) int { return cmp.Compare(a.index, b.index) })
	if len(m.ports) == 1 {
		m.primary = p
	}
	m.changed()
}

func (m *model) remove(p *modelPort) {
	m.ports = slices.DeleteFunc(m.ports, func(q *modelPort) bool { return p == q })
	if m.active == p {
		m.active = nil
	}
	if m.primary == p {
		m.primary = nil
		if len(m.ports) > 0 {
			m.primary = m.ports[0]
		}
	}
	m.changed()
}

func (m *model) setUp(p *modelPort, up bool, now qdisc.Time) {
	m.advance(now)
	if p.link == up {
		return
	}
	p.link, p.due = up, qdisc.Never
	if p.up != up {
		p.since = m.now
		p.due = p.since.Add(m.delay(up))
	}
	if m.changed(); m.delay(up) == 0 {
		m.advance(now)
	}
}

func (m *model) delay(up bool) time.Duration {
	if up {
		return m.cfg.UpDelay
	}
	return m.cfg.DownDelay
}

// change is for a configuration of the same kind of round, or another one.
func (m *model) change(cfg lagg.Config) {
	was := m.cfg
	if cfg.Mode == was.Mode && cfg.Counter == was.Counter && cfg.StrideBytes == was.StrideBytes {
		m.resized(func() { m.cfg = cfg })
	} else {
		m.cfg = cfg
		m.turn, m.used, m.seq, m.bucket = nil, 0, 0, 0
		for _, p := range m.ports {
			p.credit = 0
		}
	}
	m.changed()
	for _, p := range m.ports {
		if p.due != qdisc.Never {
			p.due = p.since.Add(m.delay(p.link))
		}
	}
	m.advance(m.now)
}

func (m *model) setPrimary(p *modelPort) {
	m.primary = p
	if p.usable() {
		m.active = nil
	}
	m.changed()
}

// advance believes what is due, the earliest first.
func (m *model) advance(now qdisc.Time) {
	m.now = max(m.now, min(now, qdisc.MaxTime))
	for {
		var first *modelPort
		for _, p := range m.ports {
			if p.due <= m.now && (first == nil || p.due < first.due) {
				first = p
			}
		}
		if first == nil {
			break
		}
		first.due, first.up = qdisc.Never, first.link
		m.changed()
	}
	m.changed()
}

func (m *model) nextChange() qdisc.Time {
	next := qdisc.Never
	for _, p := range m.ports {
		next = min(next, p.due)
	}
	return next
}

// changed follows every event.
func (m *model) changed() {
	if len(m.usable()) == 0 {
		var first *modelPort
		for _, p := range m.ports {
			if p.due != qdisc.Never && p.link && !p.disabled && (first == nil || p.due < first.due) {
				first = p
			}
		}
		if first != nil {
			first.due, first.up = qdisc.Never, true
		}
	}
	stays := m.active != nil && m.active.usable()
	switch {
	case m.cfg.Mode != lagg.Failover || m.primary == nil:
		m.active = nil
	case stays && m.cfg.Reselect == lagg.OnFailure:
	case stays && m.cfg.Reselect == lagg.Better && !(m.primary.usable() && m.primary.speed > m.active.speed):
	default:
		m.active = m.nextActive(m.primary)
	}
}

func (m *model) nextActive(p *modelPort) *modelPort {
	at := slices.Index(m.ports, p)
	for _, try := range []int{at, at + 1} {
		if try < len(m.ports) && m.ports[try].usable() {
			return m.ports[try]
		}
	}
	if list := m.usable(); len(list) > 0 {
		return list[0]
	}
	return nil
}

func (m *model) share(p *modelPort) int64 { return int64(max(m.cfg.Stride, 1)) * int64(p.weight) }

// resized keeps the run in bytes in step with the port's share.
func (m *model) resized(change func()) {
	if m.turn == nil {
		change()
		return
	}
	before := m.share(m.turn)
	change()
	if m.cfg.StrideBytes {
		m.turn.credit += m.share(m.turn) - before
	}
}

// roundRobin returns the port for a packet.
func (m *model) roundRobin(size int64) *modelPort {
	slots := m.usable()
	if m.cfg.DeadPorts == lagg.NextActive {
		slots = m.ports
	}
	if len(slots) == 0 {
		return nil
	}
	stride := max(m.cfg.Stride, 1)
	var owner *modelPort
	switch m.cfg.Counter {
	case lagg.Sequence:
		owner = slots[m.seq/stride%uint32(len(slots))]
		m.seq++
	case lagg.Bucket:
		owner = slots[m.seq%uint32(len(slots))]
		if m.bucket == 0 {
			m.bucket = stride
		}
		if m.bucket--; m.bucket == 0 {
			m.bucket = stride
			m.seq++
		}
	default:
		owner = m.run(slots, size)
	}
	if m.cfg.DeadPorts == lagg.NextActive {
		return m.nextActive(owner)
	}
	return owner
}

// run is Counter Runs.
func (m *model) run(slots []*modelPort, size int64) *modelPort {
	there := slices.Contains(slots, m.turn)
	next := func() {
		at := slices.IndexFunc(slots, func(p *modelPort) bool {
			return m.turn == nil || p.index > m.turn.index || p.index == m.turn.index && p != m.turn
		})
		m.turn, m.used = slots[max(at, 0)], 0
		there = true
	}
	if !m.cfg.StrideBytes {
		if !there || m.used >= m.share(m.turn) {
			next()
		}
		m.used++
		return m.turn
	}
	if m.turn != nil && !there {
		m.turn.credit = min(m.turn.credit, 0)
	}
	for !there || m.turn.credit <= 0 {
		next()
		m.turn.credit = max(0, m.turn.credit+m.share(m.turn))
	}
	m.turn.credit -= max(1, size)
	return m.turn
}

// balance returns the port for a hash, and whether it must be that one: a dead
// port's flows may go to any that is usable.
func (m *model) balance(h uint32) (p *modelPort, exact bool) {
	list := m.usable()
	if len(list) == 0 {
		return nil, true
	}
	if m.cfg.DeadPorts == lagg.Rebuild {
		return list[h%uint32(len(list))], true
	}
	p = m.ports[h%uint32(len(m.ports))]
	if m.cfg.DeadPorts == lagg.NextActive {
		p = m.nextActive(p)
	}
	return p, p.usable()
}

func (m *model) accepts(p *modelPort) bool {
	switch m.cfg.Mode {
	case lagg.None:
		return false
	case lagg.Failover:
		return m.cfg.ReceiveAll || m.active == nil || p == m.active ||
			p == m.primary && m.cfg.Reselect == lagg.Always
	}
	return true
}

// delays are few, so that they meet.
var delays = []time.Duration{0, 0, 5, 20, math.MaxInt64}
