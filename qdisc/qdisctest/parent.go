package qdisctest

import (
	"testing"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// TestParent runs TestQdisc over a parent whose children are each a [Chaos],
// once for each fault and once for all together. build makes the parent: it
// calls child for each child it wants and attaches it with no drop list of its
// own.
func TestParent(t *testing.T, build func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent, opts ...Option) {
	t.Helper()
	opts = append([]Option{Steps(4000)}, opts...)
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				seed := uint64(1)
				return build(drops, func() qdisc.Qdisc {
					seed++
					return NewChaos(seed, c.faults, nil)
				})
			}, opts...)
		})
	}
}

type faultCase struct {
	name   string
	faults Faults
}

// AllFaults is a mix of everything that a child may do.
var AllFaults = Faults{
	Refuse: .05, PushOut: .05, Self: .05, Steal: .05, Jump: .1, Release: .1,
	Drop: .1, Hold: .1, Block: .02, Delay: .1, Longest: 100 * time.Microsecond, Limit: 32,
}

func faultCases() []faultCase {
	cases := []faultCase{
		{"Refuses", Faults{Refuse: .3}},
		{"PushesOut", Faults{PushOut: .3, Self: .1}},
		{"Steals", Faults{Steal: .5}},
		{"Jumps", Faults{Jump: .5, Delay: .5, Release: .3}},
		{"DropsLate", Faults{Drop: .5}},
		{"Holds", Faults{Hold: .5, Release: .2}},
		{"Blocks", Faults{Block: .2}},
		{"Delays", Faults{Delay: .7}},
		{"All", AllFaults},
	}
	looks := AllFaults
	looks.Looks = true
	return append(cases, faultCase{"AllLooking", looks})
}
