package cbq_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestChurn: classes are added, changed and removed, and children replaced,
// while these children lose, hold back and block packets.
func TestChurn(t *testing.T) {
	for _, g := range guidelines {
		for seed := range uint64(30) {
			churn(t, g, seed)
		}
	}
}

func churn(t *testing.T, g cbq.Guideline, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(g)))
	var drops qdisc.List
	q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: g, Default: 1, Drops: &drops})
	l := qdisctest.NewLedger(q, &drops)
	child := func() qdisc.Qdisc {
		if rng.IntN(3) == 0 {
			return nil
		}
		return qdisctest.NewChaos(rng.Uint64(), qdisctest.AllFaults, nil)
	}
	config := func(parent uint32, child qdisc.Qdisc) cbq.ClassConfig {
		return cbq.ClassConfig{
			Parent: parent, Rate: 1 + qdisc.Rate(rng.Uint64N(1<<rng.UintN(30))), Priority: rng.IntN(9), Weight: rng.Uint64N(1 << rng.UintN(50)),
			Bounded: rng.IntN(3) == 0, Isolated: rng.IntN(4) == 0, MaxBurst: rng.IntN(4), MinBurst: rng.IntN(4),
			MinIdle: time.Duration(rng.Int64N(1e6)), Child: child,
		}
	}
	class := func() uint32 { return 1 + rng.Uint32N(12) }
	now := qdisc.Time(1e9)
	for range 3000 {
		switch rng.IntN(12) {
		case 0:
			l.Do("AddClass", now, func() {
				_ = q.AddClass(class(), config(rng.Uint32N(8), child()), now)
			})
		case 1:
			l.Do("ChangeClass", now, func() {
				id := class()
				cfg, _ := q.Class(id)
				_ = q.ChangeClass(id, config(cfg.Parent, nil), now)
			})
			if rng.IntN(10) == 0 {
				cfg := q.Config()
				cfg.Bandwidth, cfg.Guideline = 1+qdisc.Rate(rng.Uint64N(1e9)), guidelines[rng.IntN(3)]
				require.NoError(t, q.Change(cfg, now))
			}
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
		require.NoError(t, l.Err(), "%v, seed %d", g, seed)
	}
	l.Drain(now, func(now qdisc.Time) { qdisctest.Wake(q, now) })
	require.NoError(t, l.Err(), "%v, seed %d", g, seed)
	require.NotZero(t, l.Sent())
}
