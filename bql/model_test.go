package bql_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/require"
)

// model is the algorithm as it is described, in integers of any size. Exact,
// nothing wraps; with Compat every result is cut to 32 bits and a comparison
// looks at bit 31 of the difference.
type model struct {
	linux bool
	cfg   bql.Config

	queued, completed, adjusted, last *big.Int
	limit, lowest                     *big.Int
	prevOver, prevQueued, prevLast    *big.Int
	slackStart                        int64
	latest                            qdisc.Time

	excess, excessBytes *big.Int
	waits               []wait
	waiting             bool
	waitFrom            qdisc.Time

	grown, shrunk, changes int // how often
}

// wait is one that has ended, and the threshold at that time.
type wait struct{ length, threshold time.Duration }

func num(n int64) *big.Int { return big.NewInt(n) }

var two32 = new(big.Int).Lsh(num(1), 32)

// cut takes x into the range of the counters.
func (m *model) cut(x *big.Int) *big.Int {
	if m.linux {
		return new(big.Int).Mod(x, two32) // Euclidean: never negative
	}
	return x
}

func (m *model) add(a, b *big.Int) *big.Int { return m.cut(new(big.Int).Add(a, b)) }
func (m *model) sub(a, b *big.Int) *big.Int { return m.cut(new(big.Int).Sub(a, b)) }

// signed is the meaning of a difference.
func (m *model) signed(x *big.Int) *big.Int {
	if m.linux && x.Bit(31) == 1 {
		return new(big.Int).Sub(x, two32)
	}
	return x
}

func (m *model) above(a, b *big.Int) *big.Int {
	d := m.sub(a, b)
	if m.signed(d).Sign() > 0 {
		return d
	}
	return num(0)
}

func greater(a, b *big.Int) bool { return a.Cmp(b) > 0 }

func (m *model) ticks(t qdisc.Time) int64 {
	if m.linux {
		return int64(t) / 1_000_000
	}
	return int64(t)
}

func (m *model) none() *big.Int {
	bits := uint(64)
	if m.linux {
		bits = 32
	}
	return new(big.Int).Sub(new(big.Int).Lsh(num(1), bits), num(1))
}

func newModel(cfg bql.Config) *model {
	m := &model{linux: cfg.Compat == qdisc.Linux, cfg: cfg, adjusted: num(0), excess: num(0), excessBytes: num(0)}
	m.reset(0)
	return m
}

func (m *model) reset(now qdisc.Time) {
	m.see(now)
	m.endWait()
	m.latest = max(0, min(now, qdisc.MaxTime))
	m.limit = num(m.cfg.LimitMin)
	m.queued, m.completed, m.last = num(0), num(0), num(0)
	m.prevOver, m.prevQueued, m.prevLast = num(0), num(0), num(0)
	m.lowest, m.slackStart = m.none(), m.ticks(m.latest)
	if !m.linux {
		m.adjusted = m.limit
	}
}

func (m *model) see(now qdisc.Time) {
	if now > qdisc.MaxTime {
		now = qdisc.MaxTime
	}
	if now > m.latest {
		m.latest = now
	}
}

func (m *model) endWait() {
	if m.waiting {
		m.waits = append(m.waits, wait{m.latest.Sub(m.waitFrom), m.cfg.StallThreshold})
	}
	m.waiting = false
}

func (m *model) inflight() *big.Int { return m.sub(m.queued, m.completed) }

func (m *model) count(n uint32) {
	m.last = num(int64(n))
	m.queued = m.add(m.queued, m.last)
}

func (m *model) countAt(n uint32, now qdisc.Time) {
	if n > 0 && !m.waiting {
		m.see(now)
		m.waiting, m.waitFrom = true, m.latest
	}
	m.count(n)
}

func (m *model) report(bytes uint64, now qdisc.Time) {
	m.see(now)
	n := new(big.Int).SetUint64(bytes)
	if held := m.inflight(); greater(n, held) {
		m.excess.Add(m.excess, num(1))
		m.excessBytes.Add(m.excessBytes, new(big.Int).Sub(n, held))
		if n = held; n.Sign() == 0 {
			return
		}
	}
	done := m.add(m.completed, n)
	left := m.sub(m.queued, done)
	if n.Sign() > 0 {
		m.endWait()
		if left.Sign() > 0 {
			m.waiting, m.waitFrom = true, m.latest
		}
	}

	limit := m.limit
	over := m.above(m.inflight(), limit)
	behind := m.signed(m.sub(done, m.prevQueued)).Sign() < 0
	wasBusy := m.sub(m.prevQueued, m.completed).Sign() != 0
	if over.Sign() > 0 && left.Sign() == 0 || m.prevOver.Sign() > 0 && !behind {
		limit = m.add(limit, m.add(m.above(done, m.prevQueued), m.prevOver))
		m.slackStart, m.lowest = m.ticks(m.latest), m.none()
		m.grown++
	} else if left.Sign() > 0 && wasBusy && behind {
		slack := m.above(m.add(limit, m.prevOver), m.add(n, n))
		if m.prevOver.Sign() > 0 {
			if part := m.above(m.prevLast, m.prevOver); greater(part, slack) {
				slack = part
			}
		}
		if greater(m.lowest, slack) {
			m.lowest = slack
		}
		hold := int64(m.cfg.HoldTime)
		if m.linux {
			hold /= 1_000_000
		}
		if now := m.ticks(m.latest); greater(num(now), new(big.Int).Add(num(m.slackStart), num(hold))) {
			limit = m.above(limit, m.lowest)
			m.slackStart, m.lowest = now, m.none()
			m.shrunk++
		}
	}
	limit = m.bound(limit)
	if limit.Cmp(m.limit) != 0 {
		m.limit, over = limit, num(0)
	}
	m.adjusted = m.add(limit, done)
	m.prevOver, m.prevQueued, m.prevLast = over, m.queued, m.last
	m.completed = done
}

// bound keeps the limit in its bounds; of two that cross the upper one wins.
func (m *model) bound(limit *big.Int) *big.Int {
	if least := num(m.cfg.LimitMin); greater(least, limit) {
		limit = least
	}
	if most := num(*m.cfg.LimitMax); greater(limit, most) {
		limit = most
	}
	return limit
}

func (m *model) change(cfg bql.Config, now qdisc.Time) {
	m.see(now)
	m.cfg = cfg
	m.changes++
	if limit := m.bound(m.limit); !m.linux && limit.Cmp(m.limit) != 0 {
		m.limit, m.prevOver = limit, num(0)
		m.adjusted = m.add(limit, m.completed)
	}
}

func (m *model) stalls() (n int) {
	for _, w := range m.waits {
		if w.threshold > 0 && w.length >= w.threshold {
			n++
		}
	}
	return n
}

// check compares all that can be seen, and tests the identities.
func (m *model) check(t *testing.T, l *bql.Limiter) {
	space := m.signed(m.sub(m.adjusted, m.queued))
	want := bql.State{
		Limit: m.limit.Uint64(), Available: space.Int64(),
		NumQueued: m.queued.Uint64(), NumCompleted: m.completed.Uint64(), AdjLimit: m.adjusted.Uint64(),
		LastObjCnt: m.last.Uint64(), PrevOvlimit: m.prevOver.Uint64(), PrevNumQueued: m.prevQueued.Uint64(),
		PrevLastObj: m.prevLast.Uint64(), LowestSlack: m.lowest.Uint64(), SlackStart: m.slackStart,
	}
	equal(t, want, l.State())
	equal(t, want.Available, l.Available())
	equal(t, m.limit.Int64(), l.Limit())
	equal(t, m.inflight().Int64(), l.Inflight())

	longest := time.Duration(0)
	for _, w := range m.waits {
		if w.threshold > 0 && w.length >= w.threshold {
			longest = max(longest, w.length)
		}
	}
	equal(t, uint64(m.stalls()), l.StallCnt())
	equal(t, longest, l.StallMax())
	excess := bql.Stats{Excess: m.excess.Uint64(), ExcessBytes: math.MaxUint64}
	if m.excessBytes.IsUint64() {
		excess.ExcessBytes = m.excessBytes.Uint64()
	}
	equal(t, excess, l.ReadStats())

	inflight := want.NumQueued - want.NumCompleted
	if m.linux {
		equal(t, int64(uint32(inflight)), l.Inflight())
		return // its limit follows new bounds late, and so does the space
	}
	equal(t, int64(inflight), l.Inflight())
	equal(t, l.Limit()-l.Inflight(), l.Available())
	if l.Inflight() < 0 || l.Limit() < l.LimitMin() || l.Limit() > l.LimitMax() {
		t.Fatalf("in flight %d, limit %d of %d to %d", l.Inflight(), l.Limit(), l.LimitMin(), l.LimitMax())
	}
}

// equal spares require's reflection, which would be most of the time.
func equal[T comparable](t *testing.T, want, got T) {
	t.Helper()
	if want != got {
		require.Equal(t, want, got)
	}
}
