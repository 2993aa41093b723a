package codel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// counters are what a model counts beside its law.
type counters struct {
	received, queued, refused, dequeued, sentBytes, purged uint64
}

// clockModel holds the latest time.
type clockModel struct{ latest uint64 }

func (c *clockModel) clock(now qdisc.Time) uint64 {
	if now > 0 {
		c.latest = max(c.latest, uint64(min(now, qdisc.MaxTime)))
	}
	return c.latest
}

func (c *clockModel) rewind(now qdisc.Time) {
	c.latest = 0
	c.clock(now)
}

// codelModel is a CoDel on slices.
type codelModel struct {
	lawModel
	clockModel
	counters
	queue     queueModel
	parked    *item
	limit     int
	memory    int64
	overlimit uint64
}

func newCoDelModel(cfg codel.Config) *codelModel {
	m := new(codelModel)
	m.lawModel.backlog = m.bytes
	m.set(cfg)
	return m
}

// set takes over a configuration with its defaults filled in.
func (m *codelModel) set(cfg codel.Config) {
	m.linux = cfg.Compat == qdisc.Linux
	m.target, m.interval, m.ce = uint64(cfg.Target), uint64(cfg.Interval), cfg.CEThreshold
	m.mtu, m.ecn = int64(cfg.MTU), cfg.ECN
	m.limit, m.memory = *cfg.Limit, math.MaxInt64
	if cfg.MemoryLimit != nil {
		m.memory = *cfg.MemoryLimit
	}
}

func (m *codelModel) len() int {
	if m.parked != nil {
		return len(m.queue.held) + 1
	}
	return len(m.queue.held)
}

func (m *codelModel) bytes() int64 {
	if m.parked != nil {
		return m.queue.bytes() + int64(m.parked.len)
	}
	return m.queue.bytes()
}

func (m *codelModel) enqueue(p *item, at qdisc.Time) qdisc.Verdict {
	p.stamp = m.clock(at)
	m.received++
	switch {
	case p.len > qdisc.MaxLen:
		m.lose(p, qdisc.TooLong)
	case m.len() >= m.limit || m.queue.memory()+p.charge > m.memory || m.queue.bytes()+int64(p.len) > math.MaxUint32:
		m.overlimit++
		m.lose(p, qdisc.Overlimit)
	default:
		m.queued++
		m.queue.held = append(m.queue.held, p)
		return qdisc.Queued
	}
	m.refused++
	return qdisc.Dropped
}

func (m *codelModel) peek(at qdisc.Time) *item {
	now := m.clock(at)
	if m.parked == nil {
		m.parked = m.next(&m.queue, now)
	}
	return m.parked
}

func (m *codelModel) dequeue(at qdisc.Time) *item {
	p := m.peek(at)
	m.parked = nil
	if p != nil {
		m.dequeued++
		m.sentBytes += uint64(p.len)
	}
	return p
}

func (m *codelModel) purge(p *item) {
	m.purged++
	m.lose(p, qdisc.Purged)
}

func (m *codelModel) purgeParked() {
	if m.parked != nil {
		m.purge(m.parked)
		m.parked = nil
	}
}

func (m *codelModel) change(cfg codel.Config, at qdisc.Time) {
	m.clock(at)
	m.set(cfg)
	for m.len() > m.limit || m.queue.memory() > m.memory {
		if m.parked != nil && m.len() > m.limit {
			m.purgeParked()
		} else {
			m.purge(m.queue.pop())
		}
	}
}

func (m *codelModel) reset(at qdisc.Time) {
	m.rewind(at)
	m.purgeParked()
	for p := m.queue.pop(); p != nil; p = m.queue.pop() {
		m.purge(p)
	}
	m.queue, m.judged = queueModel{}, false
}

// check compares all that can be seen.
func (m *codelModel) check(t testing.TB, q *codel.CoDel, drops *qdisc.List) {
	t.Helper()
	require.NoError(t, qdisctest.Check(q))
	require.Equal(t, m.takeLost(), lossesOf(drops))
	require.Equal(t, m.len(), q.Len())
	require.Equal(t, m.bytes(), q.Backlog())
	st := q.Stats(qdisc.Time(m.latest))
	require.Equal(t, m.state(&m.queue, m.latest), st.State)
	require.Equal(t, m.Marks, st.Marks)
	require.Equal(t, m.overlimit, st.DropOverlimit)
	if m.judged {
		unit := uint64(1)
		if m.linux {
			unit = uint64(tick)
		}
		require.EqualValues(t, m.delay*unit, st.Delay)
	}
	m.counters.check(t, q, &m.lawModel)
}

func (m *lawModel) takeLost() []loss {
	lost := m.lost
	m.lost = nil
	return lost
}

func lossesOf(drops *qdisc.List) (lost []loss) {
	for p := range drops.Drain() {
		lost = append(lost, loss{p.Mark, p.Reason})
	}
	return lost
}

func (c *counters) check(t testing.TB, q qdisc.Qdisc, m *lawModel) {
	t.Helper()
	require.Equal(t, qdisc.Stats{
		Received: c.received, Queued: c.queued, Refused: c.refused, Dequeued: c.dequeued, SentBytes: c.sentBytes,
		Dropped: m.drops[qdisc.AQM] + m.drops[qdisc.HeadDrop], Purged: c.purged, Drops: m.drops, Marked: m.ECNMark + m.CEMark,
	}, q.Common().ReadStats())
}
