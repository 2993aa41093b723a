package priq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func TestContract(t *testing.T) {
	for _, n := range []int{3, 16} {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			q := newPRIQ(t, priq.Config{Default: 1, Drops: drops})
			for i := range n {
				add(t, q, uint32(i+1), 15-i, qtest.FIFO(i+1))
			}
			return q
		}, qdisctest.Peeks(qdisctest.Looking), qdisctest.WorkConserving())
	}
}

func TestContractAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		q := newPRIQ(t, priq.Config{Default: 2, Drops: drops})
		for i := range 4 {
			add(t, q, uint32(i+1), 3*i, child())
		}
		return q
	}, qdisctest.WorkConserving())
}

// TestInlined: finding a packet's class costs no call.
func TestInlined(t *testing.T) {
	qtest.Inlined(t, "(*PRIQ).find")
}

// TestNoAllocation: the verbs allocate nothing.
func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := filled(t, priq.Config{Default: 1, Limit: new(5), Drops: &drops, Sojourn: new(qdisc.Histogram)}, 4)
	g := &qtest.Gate{}
	require.NoError(t, q.SetChild(4, g, 0))
	qtest.NoAllocation(t, q, &drops, 4, g)
}
