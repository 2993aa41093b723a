package priq_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestChaos: whatever 16 children do that they may not, and however classes come,
// go and move meanwhile, no packet is lost or doubled, nothing stalls, and a nil
// is progress.
func TestChaos(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { chaos(t, rand.New(rand.NewPCG(seed, 4))) })
	}
}

func chaos(t *testing.T, r *rand.Rand) {
	var drops qdisc.List
	q := newPRIQ(t, priq.Config{Default: 3, Limit: new(4), Drops: &drops})
	child := func() qdisc.Qdisc {
		if r.IntN(4) == 0 {
			return nil
		}
		return qdisctest.NewChaos(r.Uint64(), qdisctest.Faults{
			Refuse: .1, PushOut: .1, Self: .1, Steal: .1, Jump: .1, Release: .1,
			Drop: .2, Hold: .2, Block: .05, Delay: .1, Limit: 6, Longest: 1000, Looks: r.IntN(2) == 0,
		}, nil)
	}
	for class := range uint32(priq.MaxClass) {
		require.NoError(t, q.AddClass(class+1, priq.ClassConfig{Priority: int(class), Child: child()}, 0))
	}
	now, in, out, seen := qdisc.Time(0), 0, 0, map[*qdisc.Packet]bool{}
	leave := func(p *qdisc.Packet) {
		require.False(t, seen[p], "left twice")
		seen[p] = true
		out++
	}
	for range 4000 {
		class := r.Uint32N(18)
		at := now - qdisc.Time(r.IntN(2)*r.IntN(50)) // sometimes back
		gaveNil := false
		switch r.IntN(14) {
		case 0, 1, 2, 3:
			q.Enqueue(&qdisc.Packet{Class: class, Len: 1 + r.Uint32N(2000)}, at)
			in++
		case 4, 5, 6:
			p := q.Dequeue(at)
			if gaveNil = p == nil; !gaveNil {
				leave(p)
			}
		case 7, 8:
			gaveNil = q.Peek(at) == nil
		case 9:
			now += qdisc.Time(r.IntN(3000))
		case 10: // any move to a free priority, mostly after a removal
			_ = q.RemoveClass(1+r.Uint32N(priq.MaxClass), at)
			_ = q.ChangeClass(class, priq.ClassConfig{Priority: r.IntN(17)}, at)
			_ = q.AddClass(class, priq.ClassConfig{Priority: r.IntN(17), Child: child()}, at)
		case 11:
			_ = q.SetChild(class, child(), at)
		case 12:
			if c := q.Child(class); c != nil && r.IntN(4) == 0 {
				c.Reset(at)
			}
			q.Sync(class, at)
		case 13:
			if r.IntN(40) == 0 {
				now = qdisc.Time(r.IntN(1000))
				q.Reset(now)
			}
		}
		for p := range drops.Drain() {
			leave(p)
		}
		require.Equal(t, in, out+q.Len())
		require.NoError(t, qdisctest.Check(q))
		switch {
		case q.Len() == 0:
			require.Equal(t, qdisc.Never, q.ReadyAt(now))
		case gaveNil:
			require.Greater(t, q.ReadyAt(q.Latest()), q.Latest())
		}
	}
	require.NotZero(t, out)
}
