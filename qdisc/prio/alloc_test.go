package prio_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// TestNoAllocation: the verbs allocate nothing, with children that drop, too.
func TestNoAllocation(t *testing.T) {
	var drops qdisc.List
	q := newPrio(t, prio.Config{Bands: 4, Drops: &drops, Sojourn: new(qdisc.Histogram)})
	require.NoError(t, q.SetChild(1, &qtest.Gate{}, 0))
	require.NoError(t, q.SetChild(2, &picky{}, 0))
	require.NoError(t, q.SetChild(3, qtest.FIFO(5), 0))
	st := qtest.NoAllocation(t, q, &drops, 1, q.Child(1).(*qtest.Gate))
	require.NotZero(t, st.Dropped)
}
