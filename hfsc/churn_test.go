package hfsc_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestChurn: classes are added, changed and removed, and children replaced,
// while these children lose, hold back and block packets.
func TestChurn(t *testing.T) {
	for _, compat := range modes {
		for seed := range uint64(30) {
			t.Run(fmt.Sprintf("%v/%d", compat, seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, uint64(compat)))
				var drops qdisc.List
				q := newHFSC(t, hfsc.Config{Compat: compat, Default: 1, Drops: &drops})
				curve := func() hfsc.Curve {
					c := fuzzCurves[rng.IntN(len(fuzzCurves))]
					c.M2 = max(c.M2, 8*qdisc.Kbit)
					if rng.IntN(3) == 0 {
						return hfsc.Curve{}
					}
					return c
				}
				qtest.Churn(t, q, &drops, rng, false, func(class, parent uint32, child qdisc.Qdisc, now qdisc.Time) {
					cfg := hfsc.ClassConfig{Parent: parent, RealTime: curve(), LinkShare: curve(), UpperLimit: curve(), Child: child}
					_ = q.AddClass(class, cfg, now)
				}, func(class uint32, now qdisc.Time) {
					cfg, _ := q.Class(class)
					cfg.RealTime, cfg.LinkShare, cfg.UpperLimit = curve(), curve(), curve()
					_ = q.ChangeClass(class, cfg, now)
				})
			})
		}
	}
}
