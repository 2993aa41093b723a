package hfsc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestChurn: classes are added, changed and removed, and children replaced,
// while these children lose, hold back and block packets.
func TestChurn(t *testing.T) {
	for _, compat := range modes {
		for seed := range uint64(30) {
			churn(t, compat, seed)
		}
	}
}

func churn(t *testing.T, compat qdisc.Compat, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(compat)))
	var drops qdisc.List
	q := newHFSC(t, hfsc.Config{Compat: compat, Default: 1, Drops: &drops})
	l := qdisctest.NewLedger(q, &drops)
	child := func() qdisc.Qdisc {
		if rng.IntN(3) == 0 {
			return nil
		}
		return qdisctest.NewChaos(rng.Uint64(), qdisctest.AllFaults, nil)
	}
	curve := func() hfsc.Curve {
		c := fuzzCurves[rng.IntN(len(fuzzCurves))]
		c.M2 = max(c.M2, 8*qdisc.Kbit)
		if rng.IntN(3) == 0 {
			return hfsc.Curve{}
		}
		return c
	}
	class := func() uint32 { return 1 + rng.Uint32N(12) }
	now := qdisc.Time(1e9)
	for range 3000 {
		switch rng.IntN(12) {
		case 0:
			l.Do("AddClass", now, func() {
				cfg := hfsc.ClassConfig{Parent: rng.Uint32N(8), RealTime: curve(), LinkShare: curve(), UpperLimit: curve(), Child: child()}
				_ = q.AddClass(class(), cfg, now)
			})
		case 1:
			l.Do("ChangeClass", now, func() {
				id := class()
				cfg, _ := q.Class(id)
				cfg.RealTime, cfg.LinkShare, cfg.UpperLimit = curve(), curve(), curve()
				_ = q.ChangeClass(id, cfg, now)
			})
		case 2:
			if rng.IntN(4) == 0 {
				l.Do("RemoveClass", now, func() { _ = q.RemoveClass(class(), now) })
			} else {
				l.Do("SetChild", now, func() { _ = q.SetChild(class(), child(), now) })
			}
		case 3, 4, 5, 6:
			p := l.Packet()
			p.Class, p.Len = class(), rng.Uint32N(1515)
			l.Enqueue(p, now)
		case 7:
			l.Peek(now)
		case 8:
			now += qdisc.Time(rng.Int64N(1e7))
		default:
			if l.Dequeue(now) == nil {
				if at := l.ReadyAt(now); at < qdisc.Blocked {
					now = max(now, min(at, now+s))
				} else {
					l.Do("Wake", now, func() { qdisctest.Wake(q, now) })
				}
			}
		}
		require.NoError(t, l.Err(), "%v, seed %d", compat, seed)
	}
	l.Drain(now, func(now qdisc.Time) { qdisctest.Wake(q, now) })
	require.NoError(t, l.Err(), "%v, seed %d", compat, seed)
	require.NotZero(t, l.Sent())
}
