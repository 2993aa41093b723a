package hfsc_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// trees are what the contract is tested on. child is nil for a FIFO.
var trees = []struct {
	name   string
	shares bool // link sharing only, without limits
	build  func(t *testing.T, q *hfsc.HFSC, child func() qdisc.Qdisc)
}{
	{"shares", true, func(t *testing.T, q *hfsc.HFSC, child func() qdisc.Qdisc) {
		for class := range uint32(4) {
			add(t, q, class+1, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Rate(class+1) * qdisc.Mbit), Child: child()})
		}
	}},
	{"real time", false, func(t *testing.T, q *hfsc.HFSC, child func() qdisc.Qdisc) {
		for class := range uint32(4) {
			add(t, q, class+1, hfsc.ClassConfig{RealTime: hfsc.Line(qdisc.Rate(class+1) * qdisc.Mbit), Child: child()})
		}
	}},
	{"all curves", false, func(t *testing.T, q *hfsc.HFSC, child func() qdisc.Qdisc) {
		slow, fast := hfsc.Line(10*qdisc.Mbit), hfsc.Line(qdisc.Gbit)
		burst := hfsc.Curve{M1: 100 * qdisc.Mbit, D: 1e6, M2: 5 * qdisc.Mbit}
		late := hfsc.Curve{M1: 0, D: 1e6, M2: 20 * qdisc.Mbit}
		add(t, q, 100, hfsc.ClassConfig{LinkShare: fast, UpperLimit: hfsc.Line(50 * qdisc.Mbit)})
		add(t, q, 1, hfsc.ClassConfig{Parent: 100, RealTime: burst, LinkShare: slow, Child: child()})
		add(t, q, 2, hfsc.ClassConfig{Parent: 100, RealTime: late, LinkShare: burst, UpperLimit: burst, Child: child()})
		add(t, q, 200, hfsc.ClassConfig{LinkShare: late})
		add(t, q, 3, hfsc.ClassConfig{Parent: 200, LinkShare: late, UpperLimit: late, Child: child()})
		add(t, q, 300, hfsc.ClassConfig{Parent: 200, LinkShare: slow, UpperLimit: slow})
		add(t, q, 4, hfsc.ClassConfig{Parent: 300, RealTime: slow, Child: child()})
		add(t, q, 5, hfsc.ClassConfig{Parent: 300, LinkShare: slow, Child: child()})
		add(t, q, 6, hfsc.ClassConfig{RealTime: burst, Child: child()})
	}},
}

func eachTree(t *testing.T, f func(t *testing.T, shares bool, build func(drops *qdisc.List, child func() qdisc.Qdisc) *hfsc.HFSC)) {
	for _, compat := range modes {
		for _, tree := range trees {
			if testing.Short() && tree.name != "all curves" {
				continue
			}
			t.Run(fmt.Sprintf("%v/%s", compat, tree.name), func(t *testing.T) {
				f(t, tree.shares, func(drops *qdisc.List, child func() qdisc.Qdisc) *hfsc.HFSC {
					q := newHFSC(t, hfsc.Config{Compat: compat, Default: 2, Drops: drops})
					tree.build(t, q, child)
					return q
				})
			})
		}
	}
}

func options(shares bool) []qdisctest.Option {
	opts := []qdisctest.Option{qdisctest.Peeks(qdisctest.Parking)}
	if testing.Short() {
		opts = append(opts, qdisctest.Steps(1000))
	}
	if shares {
		opts = append(opts, qdisctest.WorkConserving())
	}
	return opts
}

func TestContract(t *testing.T) {
	eachTree(t, func(t *testing.T, shares bool, build func(*qdisc.List, func() qdisc.Qdisc) *hfsc.HFSC) {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			return build(drops, func() qdisc.Qdisc { return qtest.FIFO(6) })
		}, options(shares)...)
	})
}

func TestContractAsParent(t *testing.T) {
	eachTree(t, func(t *testing.T, shares bool, build func(*qdisc.List, func() qdisc.Qdisc) *hfsc.HFSC) {
		qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
			return build(drops, child)
		}, options(shares)...)
	})
}

// TestContractNested: one scheduler in a class of another.
func TestContractNested(t *testing.T) {
	eachTree(t, func(t *testing.T, shares bool, build func(*qdisc.List, func() qdisc.Qdisc) *hfsc.HFSC) {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			q := build(drops, func() qdisc.Qdisc { return qtest.FIFO(6) })
			inner := build(nil, func() qdisc.Qdisc { return qtest.FIFO(6) })
			cfg := inner.Config()
			cfg.Classify = func(p *qdisc.Packet) uint32 { return p.Priority % 8 }
			require.NoError(t, inner.Change(cfg, 0))
			require.NoError(t, q.SetChild(2, inner, 0))
			return q
		}, append(options(shares), qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) {
			if r.Uint32N(2) == 0 {
				p.Class = 2
			}
		}))...)
	})
}
