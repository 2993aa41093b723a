package prio_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// small returns a Prio whose FIFOs are soon full.
func small(t *testing.T, bands int, drops *qdisc.List) *prio.Prio {
	q := newPrio(t, prio.Config{Bands: bands, Drops: drops})
	for class := range q.Children() {
		require.NoError(t, q.SetChild(class, qtest.FIFO(int(class)+1), 0))
	}
	return q
}

func TestContract(t *testing.T) {
	for _, bands := range []int{3, 16} {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			return small(t, bands, drops)
		}, qdisctest.Peeks(qdisctest.Looking), qdisctest.WorkConserving())
	}
}

func TestContractAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		q := newPrio(t, prio.Config{Bands: 4, Drops: drops})
		for class := range q.Children() {
			require.NoError(t, q.SetChild(class, child(), 0))
		}
		return q
	}, qdisctest.WorkConserving())
}

// TestContractNested: a Prio in a Prio; the inner one goes by priority.
func TestContractNested(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		q := small(t, 4, drops)
		inner := small(t, 3, nil)
		require.NoError(t, inner.Change(prio.Config{Classify: func(*qdisc.Packet) uint32 { return 0 }}, 0))
		require.NoError(t, q.SetChild(2, inner, 0))
		return q
	}, qdisctest.WorkConserving(), qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) {
		if r.Uint32N(2) == 0 {
			p.Class = 2
		}
	}))
}
