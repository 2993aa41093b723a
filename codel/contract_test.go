package codel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// The random tests go on by less than a microsecond a step: a hurried law acts
// on that scale.
const (
	hurriedTarget   = 2 * time.Microsecond
	hurriedInterval = 10 * time.Microsecond
)

func TestContract(t *testing.T) {
	for name, cfg := range map[string]codel.Config{
		"default":   {Limit: new(20)},
		"hurried":   {Limit: new(50), Target: hurriedTarget, Interval: hurriedInterval, MTU: 1},
		"marking":   {Limit: new(50), Target: hurriedTarget, Interval: hurriedInterval, MTU: 1, ECN: true, CEThreshold: new(time.Microsecond)},
		"memory":    {Limit: new(1000), MemoryLimit: new(int64(20_000)), Target: time.Nanosecond, Interval: time.Nanosecond, MTU: 1},
		"one":       {Limit: new(1)},
		"recording": {Limit: new(20), Sojourn: new(qdisc.Histogram)},
	} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			t.Run(name, func(t *testing.T) {
				cfg := cfg
				cfg.Compat = mode
				cut := func(q qdisc.Qdisc, now qdisc.Time) error {
					low := cfg
					low.Drops, low.Limit, low.MemoryLimit = nil, new(min(3, *cfg.Limit)), new(int64(3000))
					return q.(*codel.CoDel).Change(low, now)
				}
				qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
					cfg.Drops = drops
					return newCoDel(t, cfg)
				}, qdisctest.Peeks(qdisctest.Parking), qdisctest.Cut(cut), steps())
			})
		})
	}
}

func TestContractFQ(t *testing.T) {
	classify := func(p *qdisc.Packet) uint32 { return p.Mark % 5 }
	for name, cfg := range map[string]codel.FQConfig{
		"default":     {Limit: new(20)},
		"small":       {Flows: 3, Limit: new(30), Quantum: 256, DropBatch: 1},
		"hurried":     {Flows: 4, Limit: new(60), Quantum: 300, Target: hurriedTarget, Interval: hurriedInterval, MTU: 1, NoECN: true},
		"marking":     {Flows: 4, Limit: new(60), Target: hurriedTarget, Interval: hurriedInterval, MTU: 1, CEThreshold: new(time.Microsecond), CESelector: 1, CEMask: 3},
		"memory":      {Flows: 8, Limit: new(1000), MemoryLimit: new(int64(20_000)), DropBatch: 3},
		"associative": {Flows: 8, Limit: new(30), SetAssociative: true},
		"classified":  {Flows: 2, Limit: new(30), Classify: classify},
		"one":         {Flows: 1, Limit: new(1)},
		"most":        {Flows: codel.MaxFlows, Limit: new(100)},
	} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			t.Run(name, func(t *testing.T) {
				cfg := cfg
				cfg.Compat = mode
				cut := func(q qdisc.Qdisc, now qdisc.Time) error {
					low := cfg
					low.Drops, low.Limit, low.MemoryLimit = nil, new(min(3, *cfg.Limit)), new(int64(3000))
					return q.(*codel.FQ).Change(low, now)
				}
				opts := []qdisctest.Option{qdisctest.Peeks(qdisctest.Parking), qdisctest.Cut(cut), steps()}
				if cfg.Flows != codel.MaxFlows {
					opts = append(opts, qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) { p.Flow = r.Uint32() }))
				} else {
					opts = append(opts, qdisctest.Steps(2000))
				}
				qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
					cfg.Drops = drops
					return newFQ(t, cfg)
				}, opts...)
			})
		})
	}
}

// steps keeps the tests of many configurations short where that is asked for.
func steps() qdisctest.Option {
	if testing.Short() {
		return qdisctest.Steps(3000)
	}
	return qdisctest.Steps(20_000)
}

// kinds builds the two without a drop list, hurried, to go below a parent.
func kinds(t *testing.T, mode qdisc.Compat) map[string]func() qdisc.Qdisc {
	return map[string]func() qdisc.Qdisc{
		"codel": func() qdisc.Qdisc {
			return newCoDel(t, codel.Config{Limit: new(20), Target: hurriedTarget, Interval: hurriedInterval, MTU: 1, Compat: mode})
		},
		"fq": func() qdisc.Qdisc {
			return newFQ(t, codel.FQConfig{Flows: 4, Limit: new(20), Target: hurriedTarget, Interval: hurriedInterval, MTU: 1, Compat: mode})
		},
	}
}

// TestContractAsChild: a parent whose children drop when they are asked.
func TestContractAsChild(t *testing.T) {
	for _, mode := range modes {
		for kind, child := range kinds(t, mode) {
			t.Run(fmt.Sprintf("%v/%s", mode, kind), func(t *testing.T) {
				t.Run("prio", func(t *testing.T) {
					qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
						q, err := prio.New(prio.Config{Drops: drops})
						require.NoError(t, err)
						for class := range q.Children() {
							require.NoError(t, q.SetChild(class, child(), 0))
						}
						return q
					}, qdisctest.WorkConserving(), steps())
				})
				t.Run("tbf", func(t *testing.T) {
					qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
						q, err := tbf.New(tbf.Config{Rate: 20 * qdisc.Mbit, Burst: 4000, Child: child(), Drops: drops})
						require.NoError(t, err)
						return q
					}, qdisctest.Peeks(qdisctest.Parking), steps())
				})
			})
		}
	}
}
