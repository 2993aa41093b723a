package hfsc_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// extremes are rates, durations, lengths and steps of time at and beyond the
// ends of what is sensible.
type extremes struct{ *rand.Rand }

func (r extremes) rate() qdisc.Rate {
	switch r.IntN(4) {
	case 0:
		return []qdisc.Rate{0, 1, 7, 8, 9, qdisc.Tbit, 1 << 62, math.MaxUint64}[r.IntN(8)]
	case 1:
		return 1<<r.IntN(64) - qdisc.Rate(r.IntN(2))
	}
	return qdisc.Rate(r.Int64N(int64(10 * qdisc.Gbit)))
}

func (r extremes) curve() hfsc.Curve {
	if r.IntN(3) == 0 {
		return hfsc.Curve{}
	}
	d := []time.Duration{0, 1, 999, time.Millisecond, time.Second, 8760 * time.Hour, hfsc.MaxD, math.MaxUint32 * time.Microsecond}
	return hfsc.Curve{M1: r.rate(), D: d[r.IntN(len(d))], M2: r.rate()}
}

func (r extremes) curves() hfsc.ClassConfig {
	return hfsc.ClassConfig{RealTime: r.curve(), LinkShare: r.curve(), UpperLimit: r.curve()}
}

func (r extremes) size() uint32 {
	return []uint32{0, 1, 64, 1500, 9000, 1 << 16, 1 << 29, 1 << 30, 1<<30 + 1}[r.IntN(9)]
}

func (r extremes) step() qdisc.Time {
	return []qdisc.Time{1, 63, 1000, ms, s, 86400 * s, 365 * 86400 * s}[r.IntN(7)]
}

// shaper is a leaf that holds packets back, itself with extreme rates.
func (r extremes) shaper(t *testing.T) qdisc.Qdisc {
	if r.IntN(2) == 0 {
		return nil
	}
	q, err := tbf.New(tbf.Config{Rate: max(1, r.rate()), Burst: 1600})
	if err != nil {
		qtest.ConfigErrors(t, err)
		return nil
	}
	return q
}

// TestExtremes: whatever the curves, lengths and clock, every packet is
// accounted for, a Dequeue that gives nothing says when to ask again, and
// asking then makes progress.
func TestExtremes(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for _, compat := range modes {
		for seed := range uint64(rounds) {
			extreme(t, compat, seed)
		}
	}
}

func extreme(t *testing.T, compat qdisc.Compat, seed uint64) {
	r := extremes{rand.New(rand.NewPCG(seed, uint64(compat)))}
	var drops qdisc.List
	q := newHFSC(t, hfsc.Config{Compat: compat, Default: 3, Drops: &drops, CatchUp: time.Duration(r.Int64() >> r.IntN(60))})
	l := qdisctest.NewLedger(q, &drops)
	now := qdisc.Time(r.Int64() >> r.IntN(60))
	refused := func(err error) {
		if err != nil {
			qtest.ConfigErrors(t, err)
		}
	}
	class := func() uint32 { return 1 + r.Uint32N(12) }
	for range 1500 {
		switch r.IntN(14) {
		case 0:
			cfg := r.curves()
			cfg.Parent, cfg.Child = r.Uint32N(8), r.shaper(t)
			l.Do("AddClass", now, func() { refused(q.AddClass(class(), cfg, now)) })
		case 1:
			id := class()
			old, _ := q.Class(id)
			cfg := r.curves()
			cfg.Parent = old.Parent
			l.Do("ChangeClass", now, func() { refused(q.ChangeClass(id, cfg, now)) })
		case 2:
			if r.IntN(4) == 0 {
				l.Do("RemoveClass", now, func() { refused(q.RemoveClass(class(), now)) })
			} else {
				l.Do("SetChild", now, func() { refused(q.SetChild(class(), r.shaper(t), now)) })
			}
		case 3, 4, 5, 6:
			p := l.Packet()
			p.Class, p.Len = class(), r.size()
			l.Enqueue(p, now)
		case 7:
			l.Peek(now)
		case 8:
			now += min(r.step(), qdisc.Never-now)
		case 9:
			l.Enqueue(l.Packet(), now-r.step()) // the clock goes back
		case 10:
			if r.IntN(100) == 0 {
				now = qdisc.Time(r.Int64() >> r.IntN(60))
				l.Reset(now)
			}
		default:
			if l.Dequeue(now) != nil || q.Len() == 0 {
				break
			}
			at := l.ReadyAt(now)
			require.Greater(t, at, min(now, qdisc.MaxTime))
			require.LessOrEqual(t, at, qdisc.Blocked)
			if at < now+1000*s {
				now = at
				if p := l.Dequeue(now); p == nil && q.Len() > 0 {
					require.Greater(t, l.ReadyAt(now), now)
				}
			}
		}
		require.NoError(t, l.Err(), "%v, seed %d", compat, seed)
	}
	l.Reset(0)
	require.Zero(t, q.Len())
	for id := range uint32(12) { // it works as if new
		if _, ok := q.Class(id + 1); ok && q.Child(id+1) != nil {
			l.Enqueue(l.Packet(), 0)
		}
	}
	require.NoError(t, l.Err(), "%v, seed %d", compat, seed)
}
