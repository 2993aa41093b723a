package cbq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// TestNoAllocation: under every guideline the verbs allocate nothing.
func TestNoAllocation(t *testing.T) {
	for _, g := range guidelines {
		var drops qdisc.List
		q := newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: g, Default: 1, Limit: new(3), Drops: &drops, Sojourn: new(qdisc.Histogram)})
		trees[2].build(t, q, func() qdisc.Qdisc { return nil })
		gate := &qtest.Gate{}
		require.NoError(t, q.SetChild(3, gate, 0))
		require.NotZero(t, qtest.NoAllocation(t, q, &drops, 3, gate).Overlimits)
	}
}
