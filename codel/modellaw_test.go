package codel_test

import (
	"math"
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// item is a packet as the models keep it.
type item struct {
	id, len, flow, class uint32
	charge               int64
	ds                   uint8
	stamp                uint64
}

// loss is a packet on the drop list.
type loss struct {
	id     uint32
	reason qdisc.Reason
}

// queueModel is one queue with the state of its law. Exact times are in ns,
// Linux's in ticks of 32 bits, where firstAbove 0 means that it is not set.
type queueModel struct {
	held             []*item
	count, lastCount uint64
	dropping         bool
	above            bool
	firstAbove       uint64
	dropNext         uint64
	linuxFirst       uint32
	linuxNext        uint32
	root             uint16
	deficit          int64 // of an FQ's flow
}

func (q *queueModel) bytes() (n int64) {
	for _, p := range q.held {
		n += int64(p.len)
	}
	return n
}

func (q *queueModel) memory() (n int64) {
	for _, p := range q.held {
		n += p.charge
	}
	return n
}

func (q *queueModel) pop() *item {
	if len(q.held) == 0 {
		return nil
	}
	p := q.held[0]
	q.held = q.held[1:]
	return p
}

func (q *queueModel) addCount(n int) { q.count = min(q.count+uint64(n), math.MaxUint32) }

// lawModel is CoDel written down twice: from RFC 8289's own algorithm, and as
// Linux has it, in 32 bits.
type lawModel struct {
	linux            bool
	target, interval uint64 // ns
	ce               *time.Duration
	selector, mask   uint8
	mtu              int64
	ecn              bool
	backlog          func() int64 // of the whole discipline

	codel.Marks
	delay  uint64 // ns, or ticks
	judged bool   // whether there was any since the start
	lost   []loss
	drops  [qdisc.NumReasons]uint64
}

func (m *lawModel) lose(p *item, r qdisc.Reason) {
	m.lost = append(m.lost, loss{p.id, r})
	m.drops[r]++
}

// setCE marks p if it is capable. One that is marked already stays so.
func setCE(p *item) bool {
	if p.ds&3 == 0 {
		return false
	}
	p.ds |= 3
	return true
}

func (m *lawModel) signalByMark(p *item) bool {
	if m.ecn && setCE(p) {
		m.ECNMark++
		return true
	}
	return false
}

func (m *lawModel) threshold(p *item) {
	if (m.mask == 0 || p.ds&m.mask == m.selector) && setCE(p) {
		m.CEMark++
	}
}

func (m *lawModel) next(q *queueModel, now uint64) *item {
	if m.linux {
		return m.linuxDequeue(q, now)
	}
	return m.exactDequeue(q, now)
}

// exactTake is dodequeue of RFC 8289 section 5.6.
func (m *lawModel) exactTake(q *queueModel, now uint64) (p *item, okToDrop bool) {
	if p = q.pop(); p == nil {
		q.above = false
		return nil, false
	}
	m.delay, m.judged = now-p.stamp, true
	m.MaxPacket = max(m.MaxPacket, p.len)
	switch {
	case m.delay < m.target || q.bytes() <= m.mtu:
		q.above = false
	case !q.above:
		q.above, q.firstAbove = true, now+m.interval
	default:
		okToDrop = now >= q.firstAbove
	}
	return p, okToDrop
}

func (m *lawModel) exactStep(count uint64) uint64 {
	return uint64(math.Round(float64(m.interval) / math.Sqrt(float64(count))))
}

// exactDequeue is dequeue of section 5.5, with marks.
func (m *lawModel) exactDequeue(q *queueModel, now uint64) *item {
	p, ok := m.exactTake(q, now)
	if p == nil {
		q.dropping = false
		return nil
	}
	marked := false
	if q.dropping {
		if !ok {
			q.dropping = false
		}
		for q.dropping && now >= q.dropNext {
			q.addCount(1)
			if marked = m.signalByMark(p); marked {
				q.dropNext += m.exactStep(q.count)
				break
			}
			m.lose(p, qdisc.AQM)
			if p, ok = m.exactTake(q, now); ok {
				q.dropNext += m.exactStep(q.count)
			} else {
				q.dropping = false
			}
		}
	} else if ok {
		if marked = m.signalByMark(p); !marked {
			m.lose(p, qdisc.AQM)
			p, _ = m.exactTake(q, now)
		}
		q.dropping = true
		delta := q.count - q.lastCount
		q.count = 1
		if delta > 1 && q.dropNext > 0 && now < q.dropNext+16*m.interval {
			q.count = delta
		}
		q.lastCount = q.count
		q.dropNext = now + m.exactStep(q.count)
	}
	if p != nil && m.ce != nil && m.delay > uint64(*m.ce) && !marked {
		m.threshold(p)
	}
	return p
}

func ticksOf(ns uint64) uint32 { return uint32(ns >> 10) }

// setting is a configured time as Linux keeps it: whole microseconds in ticks.
func setting(ns uint64) uint32 { return uint32(ns / 1000 * 1000 >> 10) }

func (m *lawModel) linuxThreshold() uint32 {
	if m.ce == nil {
		return math.MaxInt32
	}
	return setting(uint64(*m.ce))
}

func (m *lawModel) linuxShouldDrop(q *queueModel, p *item, now uint32) bool {
	if p == nil {
		q.linuxFirst = 0
		return false
	}
	delay := now - ticksOf(p.stamp)
	m.delay, m.judged = uint64(delay), true
	m.MaxPacket = max(m.MaxPacket, p.len)
	if int32(delay-setting(m.target)) < 0 || m.backlog() <= m.mtu {
		q.linuxFirst = 0
		return false
	}
	if q.linuxFirst == 0 {
		q.linuxFirst = now + setting(m.interval)
		return false
	}
	return int32(now-q.linuxFirst) > 0
}

func (m *lawModel) linuxLaw(q *queueModel, from uint32) uint32 {
	return from + uint32(uint64(setting(m.interval))*uint64(uint32(q.root)<<16)>>32)
}

func (q *queueModel) newton() {
	x := uint32(q.root) << 16
	square := uint32(uint64(x) * uint64(x) >> 32)
	v := uint64(3)<<32 - q.count*uint64(square)
	v >>= 2
	v = v * uint64(x) >> 31
	q.root = uint16(v >> 16)
}

func (m *lawModel) linuxDequeue(q *queueModel, at uint64) *item {
	p := q.pop()
	if p == nil {
		q.linuxFirst, q.dropping = 0, false
		return nil
	}
	now := ticksOf(at)
	drop := m.linuxShouldDrop(q, p, now)
	if q.dropping {
		if !drop {
			q.dropping = false
		}
		for q.dropping && int32(now-q.linuxNext) >= 0 {
			q.addCount(1)
			q.newton()
			if m.signalByMark(p) {
				q.linuxNext = m.linuxLaw(q, q.linuxNext)
				break
			}
			m.lose(p, qdisc.AQM)
			p = q.pop()
			if m.linuxShouldDrop(q, p, now) {
				q.linuxNext = m.linuxLaw(q, q.linuxNext)
			} else {
				q.dropping = false
			}
		}
	} else if drop {
		if !m.signalByMark(p) {
			m.lose(p, qdisc.AQM)
			p = q.pop()
			m.linuxShouldDrop(q, p, now)
		}
		q.dropping = true
		delta := uint32(q.count - q.lastCount)
		if delta > 1 && int32(now-q.linuxNext-16*setting(m.interval)) < 0 {
			q.count = uint64(delta)
			q.newton()
		} else {
			q.count, q.root = 1, 0xffff
		}
		q.lastCount = q.count
		q.linuxNext = m.linuxLaw(q, now)
	}
	if p != nil && int32(uint32(m.delay)-m.linuxThreshold()) > 0 {
		m.threshold(p)
	}
	return p
}

// state is what Stats and Flows should show of q at now.
func (m *lawModel) state(q *queueModel, now uint64) codel.State {
	st := codel.State{Count: uint32(q.count), LastCount: uint32(q.lastCount), Dropping: q.dropping}
	switch {
	case !q.dropping:
	case m.linux:
		st.DropNext = time.Duration(int32(q.linuxNext-ticksOf(now))) * 1024
	default:
		st.DropNext = time.Duration(q.dropNext - now)
	}
	return st
}
