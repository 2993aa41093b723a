package cbq_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// trees are what the contract is tested on. child is nil for a FIFO.
var trees = []struct {
	name       string
	conserving bool // every class may borrow all there is
	build      func(t require.TestingT, q *cbq.CBQ, child func() qdisc.Qdisc)
}{
	{"borrowers", true, func(t require.TestingT, q *cbq.CBQ, child func() qdisc.Qdisc) {
		for class := range uint32(4) {
			add(t, q, class+1, cbq.ClassConfig{Rate: qdisc.Rate(class+1) * qdisc.Mbit, Priority: int(class/2 + 1), Child: child()})
		}
	}},
	{"bounded", false, func(t require.TestingT, q *cbq.CBQ, child func() qdisc.Qdisc) {
		for class := range uint32(4) {
			add(t, q, class+1, cbq.ClassConfig{Rate: qdisc.Rate(class+1) * 10 * qdisc.Mbit, Bounded: true, MaxBurst: int(class), MinBurst: int(class), Child: child()})
		}
	}},
	{"deep", false, func(t require.TestingT, q *cbq.CBQ, child func() qdisc.Qdisc) {
		add(t, q, 1, cbq.ClassConfig{Rate: 50 * qdisc.Mbit, Bounded: true, Child: child()})
		add(t, q, 2, cbq.ClassConfig{Parent: 1, Rate: 20 * qdisc.Mbit, Priority: 1, MaxBurst: 4, Child: child()})
		add(t, q, 3, cbq.ClassConfig{Parent: 2, Rate: 5 * qdisc.Mbit, MinBurst: 3, MinIdle: 1e6, Child: child()})
		add(t, q, 4, cbq.ClassConfig{Parent: 2, Rate: 15 * qdisc.Mbit, Priority: 3, Bounded: true, Child: child()})
		add(t, q, 5, cbq.ClassConfig{Rate: 30 * qdisc.Mbit, Isolated: true, Weight: 7, Child: child()})
		add(t, q, 6, cbq.ClassConfig{Parent: 5, Rate: qdisc.Kbit, Child: child()})
		add(t, q, 7, cbq.ClassConfig{Rate: 1, Priority: 8, Child: child()})
	}},
}

func eachTree(t *testing.T, f func(t *testing.T, opts []qdisctest.Option, build func(drops *qdisc.List, child func() qdisc.Qdisc) *cbq.CBQ)) {
	for _, g := range guidelines {
		for _, tree := range trees {
			if (testing.Short() || g != cbq.Formal) && tree.name != "deep" {
				continue
			}
			t.Run(fmt.Sprintf("%v/%s", g, tree.name), func(t *testing.T) {
				opts := []qdisctest.Option{qdisctest.Peeks(qdisctest.Parking)}
				if testing.Short() {
					opts = append(opts, qdisctest.Steps(1000))
				}
				if tree.conserving {
					opts = append(opts, qdisctest.WorkConserving())
				}
				f(t, opts, func(drops *qdisc.List, child func() qdisc.Qdisc) *cbq.CBQ {
					q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: g, Default: 2, Drops: drops})
					tree.build(t, q, child)
					return q
				})
			})
		}
	}
}

func TestContract(t *testing.T) {
	eachTree(t, func(t *testing.T, opts []qdisctest.Option, build func(*qdisc.List, func() qdisc.Qdisc) *cbq.CBQ) {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			return build(drops, func() qdisc.Qdisc { return qtest.FIFO(6) })
		}, opts...)
	})
}

func TestContractAsParent(t *testing.T) {
	eachTree(t, func(t *testing.T, opts []qdisctest.Option, build func(*qdisc.List, func() qdisc.Qdisc) *cbq.CBQ) {
		qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
			return build(drops, child)
		}, opts...)
	})
}

// TestContractNested: one scheduler in a class of another.
func TestContractNested(t *testing.T) {
	eachTree(t, func(t *testing.T, opts []qdisctest.Option, build func(*qdisc.List, func() qdisc.Qdisc) *cbq.CBQ) {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			q := build(drops, func() qdisc.Qdisc { return qtest.FIFO(6) })
			inner := build(nil, func() qdisc.Qdisc { return qtest.FIFO(6) })
			cfg := inner.Config()
			cfg.Classify = func(p *qdisc.Packet) uint32 { return p.Priority % 8 }
			require.NoError(t, inner.Change(cfg, 0))
			require.NoError(t, q.SetChild(2, inner, 0))
			return q
		}, append(opts, qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) {
			if r.Uint32N(2) == 0 {
				p.Class = 2
			}
		}))...)
	})
}
