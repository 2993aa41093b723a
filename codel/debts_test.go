package codel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// TestManyDebts: flows that each owe millions of quanta, all by a different
// number, cost one Dequeue a few visits each. (Going through the rounds one by
// one, or from one emptied flow to the next, would take minutes.)
func TestManyDebts(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		const flows = codel.MaxFlows
		q := newFQ(t, codel.FQConfig{
			Flows: flows, Quantum: codel.MinQuantum, Limit: new(2 * flows), MemoryLimit: new(int64(1) << 50), Compat: mode,
		})
		packets := make([]qdisc.Packet, flows)
		for range 2 {
			for i := range packets {
				packets[i].Flow, packets[i].Len = uint32(i)<<16, qdisc.MaxLen-uint32(i)*5000
				require.Equal(t, qdisc.Queued, q.Enqueue(&packets[i], 0))
			}
			last := &qdisc.Packet{Len: 1}
			q.Enqueue(last, 0)
			for range packets {
				require.NotNil(t, q.Dequeue(0))
			}
			require.Same(t, last, q.Dequeue(0))
			require.Nil(t, q.Dequeue(0))
			require.Zero(t, q.Stats().NewFlowsLen+q.Stats().OldFlowsLen)
		}
	})
}
