package codel_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// fqModel is an FQ on slices, with every round gone through.
type fqModel struct {
	lawModel
	clockModel
	counters
	codel.Counts
	queues     []*queueModel
	fresh, old []*queueModel
	parked     *item
	quantum    int64
	limit      int
	memory     int64
	dropBatch  int
	classed    bool
	tags       []uint32 // the flow of each queue, with SetAssociative
	waits      int      // turns for which more quanta were given out than there are queues, and 64
}

func newFQModel(cfg codel.FQConfig) *fqModel {
	m := new(fqModel)
	for range cfg.Flows {
		m.queues = append(m.queues, new(queueModel))
	}
	if cfg.SetAssociative {
		m.tags = make([]uint32, cfg.Flows)
	}
	m.lawModel.backlog = m.bytes
	m.set(cfg)
	return m
}

// set takes over a configuration with its defaults filled in.
func (m *fqModel) set(cfg codel.FQConfig) {
	m.linux = cfg.Compat == qdisc.Linux
	m.target, m.interval, m.ce = uint64(cfg.Target), uint64(cfg.Interval), cfg.CEThreshold
	m.selector, m.mask = cfg.CESelector, cfg.CEMask
	m.mtu, m.ecn = int64(cfg.MTU), !cfg.NoECN
	m.limit, m.memory, m.dropBatch = *cfg.Limit, *cfg.MemoryLimit, cfg.DropBatch
	m.quantum, m.classed = int64(cfg.Quantum), cfg.Classify != nil
}

func (m *fqModel) len() (n int) {
	for _, q := range m.queues {
		n += len(q.held)
	}
	if m.parked != nil {
		n++
	}
	return n
}

func (m *fqModel) bytes() (n int64) {
	for _, q := range m.queues {
		n += q.bytes()
	}
	if m.parked != nil {
		n += int64(m.parked.len)
	}
	return n
}

func (m *fqModel) charged() (n int64) {
	for _, q := range m.queues {
		n += q.memory()
	}
	return n
}

func (m *fqModel) inRounds(q *queueModel) bool {
	return slices.Contains(m.fresh, q) || slices.Contains(m.old, q)
}

// classify returns p's queue, nil if it has none.
func (m *fqModel) classify(p *item) *queueModel {
	n := len(m.queues)
	if m.classed && p.class > 0 {
		if int64(p.class) > int64(n) {
			return nil
		}
		i := int(p.class) - 1
		if m.tags != nil && len(m.queues[i].held) == 0 { // whose it was is forgotten
			m.tags[i] = 1
			if i < n/2 {
				m.tags[i] = math.MaxUint32
			}
		}
		return m.queues[i]
	}
	home := int(uint64(p.flow) * uint64(n) >> 32)
	if m.tags == nil {
		return m.queues[home]
	}
	return m.queues[m.way(p.flow, home)]
}

// way looks through the 8 queues of home's set, from home on: for the flow's
// own, then for one in no round. Failing both the flow shares its home.
func (m *fqModel) way(flow uint32, home int) int {
	found := func(suits func(i int) bool) (int, bool) {
		for step := range 8 {
			if i := home/8*8 + (home+step)%8; suits(i) {
				return i, true
			}
		}
		return home, false
	}
	i, ok := found(func(i int) bool { return m.tags[i] == flow })
	if !ok {
		if i, ok = found(func(i int) bool { return !m.inRounds(m.queues[i]) }); ok {
			m.tags[i] = flow
		}
	}
	return i
}

func (m *fqModel) enqueue(p *item, at qdisc.Time) qdisc.Verdict {
	p.stamp = m.clock(at)
	m.received++
	q := m.classify(p)
	reason := qdisc.NotDropped
	switch {
	case p.len > qdisc.MaxLen:
		reason = qdisc.TooLong
	case q == nil:
		reason = qdisc.Unclassified
	case !m.linux && (m.limit == 0 || p.charge > m.memory), q.bytes()+int64(p.len) > math.MaxUint32:
		reason = qdisc.Overlimit
		m.DropOverlimit++
	}
	if reason != qdisc.NotDropped {
		m.refused++
		m.lose(p, reason)
		return qdisc.Dropped
	}
	m.queued++
	q.held = append(q.held, p)
	if !m.inRounds(q) {
		m.NewFlowCount++
		q.deficit = m.quantum
		m.fresh = append(m.fresh, q)
	}
	v := qdisc.Queued
	for m.over() {
		memory := m.charged() > m.memory
		victim, n := m.evict(qdisc.HeadDrop)
		if n == 0 {
			break
		}
		victim.addCount(n)
		m.DropOverlimit += uint64(n)
		if memory {
			m.DropOverMemory += uint64(n)
		}
		if victim == q {
			v = qdisc.Congested
		}
		if m.linux {
			break
		}
	}
	return v
}

func (m *fqModel) over() bool { return m.len() > m.limit || m.charged() > m.memory }

// evict takes half of the fattest queue's bytes, at most a batch.
func (m *fqModel) evict(reason qdisc.Reason) (victim *queueModel, n int) {
	for _, q := range m.queues {
		if len(q.held) > 0 && (victim == nil || q.bytes() > victim.bytes()) {
			victim = q
		}
	}
	if victim == nil {
		return nil, 0
	}
	half, taken := victim.bytes()/2, int64(0)
	for len(victim.held) > 0 {
		p := victim.pop()
		m.lose(p, reason)
		n++
		taken += int64(p.len)
		if n >= m.dropBatch || taken >= half {
			break
		}
	}
	return victim, n
}

func (m *fqModel) take(now uint64) *item {
	for quanta := 0; ; {
		list, isFresh := &m.fresh, true
		if len(m.fresh) == 0 {
			list, isFresh = &m.old, false
		}
		if len(*list) == 0 {
			return nil
		}
		q := (*list)[0]
		if q.deficit <= 0 {
			q.deficit += m.quantum
			quanta++
			*list = (*list)[1:]
			m.old = append(m.old, q)
			continue
		}
		if p := m.next(q, now); p != nil {
			q.deficit -= int64(p.len)
			if p.len == 0 && !m.linux {
				q.deficit--
			}
			if quanta > max(64, len(m.queues)) {
				m.waits++
			}
			return p
		}
		*list = (*list)[1:]
		if isFresh && len(m.old) > 0 {
			m.old = append(m.old, q)
		}
	}
}

func (m *fqModel) peek(at qdisc.Time) *item {
	now := m.clock(at)
	if m.parked == nil {
		m.parked = m.take(now)
	}
	return m.parked
}

func (m *fqModel) dequeue(at qdisc.Time) *item {
	p := m.peek(at)
	m.parked = nil
	if p != nil {
		m.dequeued++
		m.sentBytes += uint64(p.len)
	}
	return p
}

func (m *fqModel) purge(p *item) {
	m.purged++
	m.lose(p, qdisc.Purged)
}

func (m *fqModel) purgeParked() {
	if m.parked != nil {
		m.purge(m.parked)
		m.parked = nil
	}
}

func (m *fqModel) change(cfg codel.FQConfig, at qdisc.Time) {
	now := m.clock(at)
	m.set(cfg)
	for m.over() {
		switch {
		case m.parked != nil && (m.linux || m.len() == 1):
			m.purgeParked()
		case m.linux:
			if p := m.take(now); p != nil {
				m.purge(p)
			}
		default:
			_, n := m.evict(qdisc.Purged)
			m.purged += uint64(n)
		}
	}
}

func (m *fqModel) reset(at qdisc.Time) {
	m.rewind(at)
	m.purgeParked()
	for i, q := range m.queues {
		for p := q.pop(); p != nil; p = q.pop() {
			m.purge(p)
		}
		*m.queues[i] = queueModel{}
	}
	m.fresh, m.old = nil, nil
	clear(m.tags)
}

// check compares all that can be seen.
func (m *fqModel) check(t testing.TB, q *codel.FQ, drops *qdisc.List) {
	t.Helper()
	require.NoError(t, qdisctest.Check(q))
	require.Equal(t, m.takeLost(), lossesOf(drops))
	require.Equal(t, m.len(), q.Len())
	require.Equal(t, m.bytes(), q.Backlog())
	require.Equal(t, codel.FQStats{
		Counts: m.Counts, Marks: m.Marks, MemoryUsed: m.charged(), NewFlowsLen: len(m.fresh), OldFlowsLen: len(m.old),
	}, q.Stats())
	m.counters.check(t, q, &m.lawModel)

	var want, got []codel.FlowStats
	for _, f := range append(slices.Clone(m.fresh), m.old...) {
		st := codel.FlowStats{State: m.state(f, m.latest), Len: len(f.held), Backlog: f.bytes(), Deficit: int(f.deficit)}
		if len(f.held) > 0 {
			st.Delay = time.Duration(m.latest - f.held[0].stamp)
		}
		want = append(want, st)
	}
	for i, f := range q.Flows(qdisc.Time(m.latest)) {
		require.Equal(t, m.queues[i].bytes(), f.Backlog)
		got = append(got, f)
	}
	require.Equal(t, want, got)
}
