package codel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
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
			var p *qdisc.Packet
			require.Zero(t, qdisctest.Mallocs(func() {
				for range flows + 1 {
					p = q.Dequeue(0)
				}
			}))
			require.Same(t, last, p)
			require.Nil(t, q.Dequeue(0))
			require.Zero(t, q.Stats().NewFlowsLen+q.Stats().OldFlowsLen)
		}
	})
}

// TestManyLateDebts: the same where the law drops the only packet of each flow,
// as Linux does, and where a cut of the limits takes all of them.
func TestManyLateDebts(t *testing.T) {
	const flows = codel.MaxFlows
	for _, cut := range []bool{false, true} {
		q := newFQ(t, codel.FQConfig{
			Flows: flows, Quantum: codel.MinQuantum, Limit: new(3 * flows), MemoryLimit: new(int64(1) << 50), Compat: qdisc.Linux,
		})
		packets := make([]qdisc.Packet, 3*flows)
		send := func(from, to int, size func(i int) uint32, at qdisc.Time) {
			for i := from; i < to; i++ {
				packets[i].Flow, packets[i].Len = uint32(i)<<16, size(i)
				require.Equal(t, qdisc.Queued, q.Enqueue(&packets[i], at))
			}
		}
		send(0, flows, func(i int) uint32 { return qdisc.MaxLen - uint32(i)*5000 }, 0)
		send(flows, 2*flows, func(int) uint32 { return 100 }, 0)
		for range flows { // late, and once more for an interval by the next one
			require.NotNil(t, q.Dequeue(qdisc.Time(time.Second)))
		}
		if cut {
			send(2*flows, 3*flows, func(i int) uint32 { return 300 + uint32(i)*4999%1_000_003 }, 0)
			require.NoError(t, q.Change(codel.FQConfig{Limit: new(0), Quantum: codel.MinQuantum, Compat: qdisc.Linux}, 0))
			require.EqualValues(t, 2*flows, q.ReadStats().Purged)
			require.Zero(t, q.Len())
			continue
		}
		require.NotNil(t, q.Dequeue(qdisc.Time(3*time.Second)))
		require.Greater(t, q.ReadStats().Drops[qdisc.AQM], uint64(flows-100))
	}
}

// newNamed returns an FQ of n queues with SetAssociative, in which Mark names
// the queue.
func newNamed(t *testing.T, n int) *codel.FQ {
	return newFQ(t, codel.FQConfig{Flows: n, SetAssociative: true, Classify: func(p *qdisc.Packet) uint32 { return p.Mark }})
}

// TestNamedQueueIsNotShared: Classify takes a queue that a hashed flow had
// before, or that its rounds have not left yet; the flow comes back to a free
// one.
func TestNamedQueueIsNotShared(t *testing.T) {
	for _, n := range []int{8, 64} {
		for home := range n {
			for _, left := range []bool{true, false} {
				q := newNamed(t, n)
				hash := bucket(home, n)
				q.Enqueue(&qdisc.Packet{Flow: hash, Len: 100}, 0)
				require.NotNil(t, q.Dequeue(0))
				if left {
					require.Nil(t, q.Dequeue(0))
				}
				q.Enqueue(&qdisc.Packet{Flow: 1, Mark: uint32(home) + 1, Len: 100}, 0)
				q.Enqueue(&qdisc.Packet{Flow: hash, Len: 100}, 0)
				require.Equal(t, 2, q.Stats().NewFlowsLen, "queue %d of %d, left: %v", home, n, left)
			}
		}
	}
}

// TestUnhashedFlowIsNotShared: packets whose Flow nobody set do not end up in a
// queue that Classify named while others are free.
func TestUnhashedFlowIsNotShared(t *testing.T) {
	for named := range uint32(8) {
		q := newNamed(t, 8)
		for i := range uint32(8) {
			q.Enqueue(&qdisc.Packet{Flow: 11 + i, Len: 100}, 0)
		}
		for range 8 {
			require.NotNil(t, q.Dequeue(0))
		}
		require.Nil(t, q.Dequeue(0))
		q.Enqueue(&qdisc.Packet{Mark: 1 + named, Len: 100}, 0)
		q.Enqueue(&qdisc.Packet{Len: 100}, 0)
		require.Equal(t, 2, q.Stats().NewFlowsLen, "queue %d", named)
	}
}

// TestSharedQueueStays: a flow whose queue another one must share, or that is
// refused there, keeps it: its packets stay in order.
func TestSharedQueueStays(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Flows: 8, SetAssociative: true, Quantum: codel.MinQuantum, Compat: mode})
		const flow = 0x100
		for i := range uint32(10) {
			q.Enqueue(&qdisc.Packet{Flow: flow, Len: 300, Mark: i}, 0)
		}
		for i := range uint32(7) { // the other queues
			q.Enqueue(&qdisc.Packet{Flow: flow + 1 + i, Len: 300}, 0)
		}
		q.Enqueue(&qdisc.Packet{Flow: 0x999, Len: 300}, 0)
		require.Equal(t, qdisc.Dropped, q.Enqueue(&qdisc.Packet{Flow: 0x999, Len: qdisc.MaxLen + 1}, 0))
		next, late := uint32(0), false
		for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
			if p.Flow == flow {
				require.Equal(t, next, p.Mark)
				next++
			}
			if next == 3 && !late { // others are empty by now
				late = true
				q.Enqueue(&qdisc.Packet{Flow: flow, Len: 300, Mark: 10}, 0)
			}
		}
		require.EqualValues(t, 11, next)
	})
}
