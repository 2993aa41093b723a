package tbf_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// entry is a packet of the model.
type entry struct {
	id, length uint32
	at         int64
}

// mbucket is a bucket of the model, in the units of the filter's State.
type mbucket struct {
	gain          *big.Int // units a nanosecond
	num, den      *big.Int // a byte costs floor(bytes*num/den) units
	depth, tokens *big.Int
}

// model is the filter told naively: a slice, and integers of any size.
type model struct {
	cfg        tbf.Config
	rate, peak *mbucket // peak: nil if none
	queue      []entry
	parked     *entry
	held       int64 // bytes in queue, without the parked
	limit      int64
	now, tc    int64 // tc: as of when tokens count
	waiting    *big.Int
	drops      []uint32
	over       uint64
	st         qdisc.Stats
}

func newModel(cfg tbf.Config) *model {
	m := new(model)
	m.set(cfg)
	return m
}

func num(v int64) *big.Int { return big.NewInt(v) }

func (m *model) set(cfg tbf.Config) {
	m.cfg, m.limit = cfg, *cfg.LimitBytes
	m.rate, m.peak = m.bucket(cfg.Rate, cfg.Burst), nil
	if cfg.PeakRate != 0 {
		m.peak = m.bucket(cfg.PeakRate, cfg.MTU)
	}
}

func (m *model) bucket(r qdisc.Rate, bytes uint32) *mbucket {
	b := &mbucket{gain: new(big.Int).SetUint64(uint64(r)), num: num(8e9), den: num(1)}
	if m.cfg.Compat == qdisc.Linux {
		b.gain = num(1)
		rate := new(big.Int).SetUint64(uint64(r) / 8)
		factor := num(1e9)
		for {
			b.num = new(big.Int).Div(factor, rate)
			if b.num.BitLen() >= 32 || factor.BitLen() >= 64 {
				break
			}
			factor.Lsh(factor, 1)
			b.den = new(big.Int).Lsh(b.den, 1)
		}
	}
	b.depth = b.cost(m.wire(bytes))
	b.tokens = new(big.Int).Set(b.depth)
	return b
}

func (m *model) wire(n uint32) int64 {
	w := max(int64(n)+int64(m.cfg.Overhead), int64(m.cfg.MPU))
	if m.cfg.ATM {
		cells := w / 48
		if w%48 != 0 {
			cells++
		}
		w = cells * 53
	}
	return min(w, 1152921504) // what fits an int64 at 8e9 a byte
}

func (b *mbucket) cost(wire int64) *big.Int {
	c := new(big.Int).Mul(num(wire), b.num)
	return c.Div(c, b.den)
}

// uncapped returns the tokens after ns more.
func (b *mbucket) uncapped(ns int64) *big.Int {
	u := new(big.Int).Mul(num(ns), b.gain)
	return u.Add(u, b.tokens)
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func (m *model) clock(now qdisc.Time) int64 {
	m.now = max(m.now, int64(min(now, qdisc.MaxTime)))
	return m.now
}

// earned is the time that refills the peak bucket.
func (m *model) earned(b *mbucket, ns int64) int64 {
	if b == m.peak && m.cfg.Compat == qdisc.Linux && num(ns).Cmp(m.rate.depth) > 0 {
		return m.rate.depth.Int64()
	}
	return ns
}

// try returns the tokens that b has left after a packet, or how many
// nanoseconds it must wait.
func (m *model) try(b *mbucket, e entry) (left, wait *big.Int) {
	ns := m.earned(b, m.now-m.tc)
	all := b.uncapped(ns)
	tokens := least(all, b.depth)
	cost := b.cost(m.wire(e.length))
	need := cost
	if m.cfg.Compat == qdisc.Exact {
		need = least(cost, b.depth)
	}
	if lack := new(big.Int).Sub(need, tokens); lack.Sign() > 0 {
		lack.Add(lack, b.gain).Sub(lack, num(1))
		return nil, lack.Div(lack, b.gain)
	}
	// A packet that waited and could not leave a nanosecond ago left between.
	if ago := new(big.Int).Sub(all, b.gain); e.at < m.now && ago.Cmp(need) < 0 {
		left := new(big.Int).Sub(all, cost)
		return least(left, b.depth), nil
	}
	return new(big.Int).Sub(tokens, cost), nil
}

// take sends the head if it may leave.
func (m *model) take(now qdisc.Time) *entry {
	m.clock(now)
	if len(m.queue) == 0 {
		return nil
	}
	e := m.queue[0]
	left, wait := m.try(m.rate, e)
	var peakLeft *big.Int
	if m.peak != nil {
		var w *big.Int
		if peakLeft, w = m.try(m.peak, e); w != nil && (wait == nil || w.Cmp(wait) > 0) {
			wait = w
		}
	}
	if wait != nil {
		m.over++
		m.waiting = wait.Add(wait, num(m.now))
		return nil
	}
	m.rate.tokens, m.tc = left, m.now
	if m.peak != nil {
		m.peak.tokens = peakLeft
	}
	m.queue = m.queue[1:]
	m.held -= int64(e.length)
	return &e
}

func (m *model) dequeue(now qdisc.Time) uint32 {
	m.clock(now)
	e := m.parked
	if m.parked = nil; e == nil {
		e = m.take(now)
	}
	if e == nil {
		return 0
	}
	m.st.Dequeued++
	m.st.SentBytes += uint64(e.length)
	return e.id
}

func (m *model) peek(now qdisc.Time) uint32 {
	m.clock(now)
	if m.parked == nil {
		m.parked = m.take(now)
	}
	if m.parked == nil {
		return 0
	}
	return m.parked.id
}

func (m *model) enqueue(id, length uint32, segs, size uint16, now qdisc.Time) qdisc.Verdict {
	m.clock(now)
	m.st.Received++
	longest := m.cfg.Burst
	if m.peak != nil {
		longest = min(longest, m.cfg.MTU)
	}
	if length <= longest || m.cfg.Split == nil || segs <= 1 {
		if m.admit(id, length, longest) {
			return qdisc.Queued
		}
		return qdisc.Dropped
	}
	m.st.Split += uint64(segs - 1)
	fit := 0
	for i := range segs { // the super-packet itself is the first segment
		if i > 0 {
			id = 0
		}
		if m.admit(id, uint32(size), longest) {
			fit++
		}
	}
	switch fit {
	case 0:
		return qdisc.Dropped
	case int(segs):
		return qdisc.Queued
	}
	return qdisc.Congested
}

func (m *model) admit(id, length, longest uint32) bool {
	if length > longest || m.held+int64(length) > m.limit {
		m.st.Refused++
		m.drops = append(m.drops, id)
		return false
	}
	m.st.Queued++
	m.held += int64(length)
	m.queue = append(m.queue, entry{id, length, m.now})
	return true
}

func (m *model) change(cfg tbf.Config, now qdisc.Time) {
	m.clock(now)
	rate, peak, tc := m.rate, m.peak, m.tc
	m.set(cfg)
	if cfg.Compat == qdisc.Linux {
		return
	}
	ns := m.now - tc
	m.rate.tokens = least(m.rate.depth, least(rate.depth, rate.uncapped(ns)))
	if peak != nil && m.peak != nil {
		m.peak.tokens = least(m.peak.depth, least(peak.depth, peak.uncapped(ns)))
	}
	m.tc = m.now
}

func (m *model) reset(now qdisc.Time) {
	m.now = int64(max(0, min(now, qdisc.MaxTime)))
	m.tc = m.now
	if m.parked != nil {
		m.drops = append(m.drops, m.parked.id)
	}
	for _, e := range m.queue {
		m.drops = append(m.drops, e.id)
	}
	m.st.Purged += uint64(m.len())
	m.queue, m.parked, m.held = nil, nil, 0
	m.set(m.cfg)
}

func (m *model) len() int {
	if m.parked != nil {
		return len(m.queue) + 1
	}
	return len(m.queue)
}

// checkReady checks ReadyAt after a Dequeue or Peek.
func (m *model) checkReady(t *testing.T, q *tbf.TBF, now qdisc.Time) {
	at := q.ReadyAt(now)
	switch {
	case m.len() == 0:
		require.Equal(t, qdisc.Never, at)
	case m.parked != nil:
		require.Equal(t, now, at)
	case m.waiting != nil:
		require.Greater(t, at, now)
		want := qdisc.MaxTime
		if m.waiting.Cmp(num(int64(qdisc.MaxTime))) < 0 {
			want = qdisc.Time(m.waiting.Int64())
		}
		if m.now == int64(qdisc.MaxTime) {
			want = qdisc.Blocked
		}
		require.Equal(t, want, at)
	}
	m.waiting = nil
}

// check compares everything that can be seen.
func (m *model) check(t *testing.T, q *tbf.TBF, drops *qdisc.List) {
	bytes := m.held
	if m.parked != nil {
		bytes += int64(m.parked.length)
	}
	require.Equal(t, m.len(), q.Len())
	require.Equal(t, bytes, q.Backlog())
	st := q.ReadStats()
	require.Equal(t, m.over, st.Overlimits)
	want := m.st
	want.Overlimits, want.Drops = st.Overlimits, st.Drops // those of the child are not there
	require.Equal(t, want, st)
	qtest.Balanced(t, q)
	for p := range drops.Drain() {
		require.NotEmpty(t, m.drops)
		require.Equal(t, m.drops[0], p.Mark)
		require.NotEqual(t, qdisc.NotDropped, p.Reason)
		m.drops = m.drops[1:]
	}
	require.Empty(t, m.drops)
	tokens, peak, at := q.State()
	require.Equal(t, m.rate.tokens.String(), num(tokens).String())
	require.EqualValues(t, m.tc, at)
	if m.peak != nil {
		require.Equal(t, m.peak.tokens.String(), num(peak).String())
	} else {
		require.Zero(t, peak)
	}
}
