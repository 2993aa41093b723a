package tbf_test

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestContract(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		for _, peak := range []qdisc.Rate{0, 30 * qdisc.Mbit} {
			t.Run(fmt.Sprintf("%v/peak=%v", compat, peak), func(t *testing.T) {
				cfg := tbf.Config{
					Rate: 20 * qdisc.Mbit, PeakRate: peak, Burst: 4000, MTU: 1514,
					LimitBytes: new(int64(20_000)), Compat: compat,
				}
				build := func(drops *qdisc.List) qdisc.Qdisc {
					cfg.Drops = drops
					return mustNew(t, cfg)
				}
				qdisctest.TestQdisc(t, build, qdisctest.Peeks(qdisctest.Parking), qdisctest.Cut(
					func(q qdisc.Qdisc, now qdisc.Time) error {
						low := cfg
						low.LimitBytes = new(int64(3000))
						return q.(*tbf.TBF).Change(low, now)
					}))
			})
		}
	}
}

func TestContractAsParent(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		t.Run(compat.String(), func(t *testing.T) {
			build := func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
				return mustNew(t, tbf.Config{
					Rate: 200 * qdisc.Mbit, Burst: 4000, Child: child(), Drops: drops, Compat: compat,
				})
			}
			qdisctest.TestParent(t, build)
		})
	}
}
