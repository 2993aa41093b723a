package codel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

func TestStats(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newCoDel(t, codel.Config{Compat: mode})
		assert.Equal(t, codel.Stats{}, q.Stats(0))
		put(t, q, 1, 100, 0, 0)
		put(t, q, 1, 9000, 0, 0)
		assert.Equal(t, codel.Stats{}, q.Stats(s), "nothing was judged yet")
		require.NotNil(t, q.Dequeue(2*1024*us))
		want := codel.Stats{Delay: 2048 * time.Microsecond}
		want.MaxPacket = 100
		assert.Equal(t, want, q.Stats(-5))
		require.NotNil(t, q.Peek(3*1024*us))
		want.MaxPacket, want.Delay = 9000, 3072*time.Microsecond
		assert.Equal(t, want, q.Stats(qdisc.Never), "judged when peeked at")
	})
}

// TestResetForgetsTheState, but no counter: the next packets are judged as a
// new queue's.
func TestResetForgetsTheState(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{ECN: true, Compat: mode}, 100, qdisc.ECT0, 0)
		require.NotNil(t, q.Dequeue(5*ms))
		for _, at := range signalTimes(mode, 5*ms, 100*ms, 5) {
			require.NotNil(t, q.Dequeue(at))
		}
		require.NotNil(t, q.Peek(s))
		before := q.Stats(s)
		require.True(t, before.Dropping)
		q.Reset(0)
		after := q.Stats(0)
		assert.Equal(t, codel.State{}, after.State)
		assert.Equal(t, before.Marks, after.Marks)
		assert.EqualValues(t, 94, q.ReadStats().Purged)

		put(t, q, 50, 1000, 0, 0)
		require.NotNil(t, q.Dequeue(5*ms))
		due := signalTimes(mode, 5*ms, 100*ms, 1)[0]
		require.NotNil(t, q.Dequeue(due-1))
		assert.Zero(t, q.ReadStats().Dropped, "a whole interval again")
		require.NotNil(t, q.Dequeue(due))
		assert.EqualValues(t, 1, q.Stats(due).Count)
		assert.EqualValues(t, 1, q.ReadStats().Dropped)
	})
}

// TestFlows follows a flow from its first packet to the round after its last.
func TestFlows(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Compat: mode})
		assert.Empty(t, flows(q, 0))
		put(t, q, 3, 1000, bucket(1023, 1024), 0)
		put(t, q, 1, 500, bucket(0, 1024), 10*ms)
		assert.Equal(t, map[int]codel.FlowStats{
			1023: {Len: 3, Backlog: 3000, Deficit: 1514, Delay: 20 * time.Millisecond},
			0:    {Len: 1, Backlog: 500, Deficit: 1514, Delay: 10 * time.Millisecond},
		}, flows(q, 20*ms))
		assert.Equal(t, map[int]codel.FlowStats{
			1023: {Len: 3, Backlog: 3000, Deficit: 1514, Delay: 10 * time.Millisecond},
			0:    {Len: 1, Backlog: 500, Deficit: 1514},
		}, flows(q, 5*ms), "a time that has passed counts as the latest")
		assert.Equal(t, [3]int{2, 2, 0}, counts(q))

		require.NotNil(t, q.Dequeue(20*ms))
		require.NotNil(t, q.Dequeue(20*ms))
		require.EqualValues(t, 500, q.Dequeue(20*ms).Len)
		assert.Equal(t, [3]int{2, 1, 1}, counts(q), "1023 has sent its quantum; 0 is empty and has not been found so")
		order := []int{}
		for i := range q.Flows(20 * ms) {
			order = append(order, i)
		}
		assert.Equal(t, []int{0, 1023}, order)
		for range q.Flows(20 * ms) {
			break // leaves the rest alone
		}

		require.NotNil(t, q.Dequeue(20*ms))
		assert.Equal(t, [3]int{2, 0, 2}, counts(q), "an emptied new flow passes through the old ones")
		assert.Equal(t, codel.FlowStats{Deficit: 1514 - 500}, flows(q, 20*ms)[0])
		require.Nil(t, q.Dequeue(20*ms))
		assert.Equal(t, [3]int{2, 0, 0}, counts(q))
		put(t, q, 1, 500, bucket(0, 1024), 20*ms)
		assert.Equal(t, [3]int{3, 1, 0}, counts(q), "new again")
	})
}

// counts returns how often a flow became new, and how many are new and old.
func counts(q *codel.FQ) [3]int {
	st := q.Stats()
	return [3]int{int(st.NewFlowCount), st.NewFlowsLen, st.OldFlowsLen}
}

// TestFlowState shows each flow's own law.
func TestFlowState(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{MTU: 1, Compat: mode})
		put(t, q, 100, 1514, bucket(1, 1024), 0)
		put(t, q, 1, 1514, bucket(2, 1024), 0)
		require.NotNil(t, q.Dequeue(5*ms))
		require.EqualValues(t, bucket(2, 1024), q.Dequeue(5*ms).Flow)
		due := signalTimes(mode, 5*ms, 100*ms, 2)
		require.NotNil(t, q.Dequeue(due[0]))
		now := due[0] + 10_000*tick
		f := flows(q, now)[1]
		assert.Equal(t, codel.State{Count: 1, LastCount: 1, Dropping: true, DropNext: due[1].Sub(now)}, f.State)
		assert.EqualValues(t, 1, q.ReadStats().Drops[qdisc.AQM])
		q.Reset(0)
		assert.Empty(t, flows(q, 0))
		assert.Zero(t, q.Stats().NewFlowsLen+q.Stats().OldFlowsLen)
	})
}

// TestStatsOfFQ: what the limits took, and the memory without the parked packet.
func TestStatsOfFQ(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Limit: new(3), MemoryLimit: new(int64(4000)), Compat: mode})
		for i := range uint32(3) {
			require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 100, Truesize: 1000, Flow: bucket(int(i), 1024)}, 0))
		}
		assert.EqualValues(t, 3000, q.Stats().MemoryUsed)
		require.NotNil(t, q.Peek(0))
		assert.EqualValues(t, 2000, q.Stats().MemoryUsed)
		assert.EqualValues(t, 300, q.Backlog())
		require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 50, Truesize: 1, Flow: bucket(9, 1024)}, 0), "a packet too many")
		require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 50, Truesize: 3500, Flow: bucket(10, 1024)}, 0), "and too much memory")
		st := q.Stats()
		assert.EqualValues(t, 2, st.DropOverlimit)
		assert.EqualValues(t, 1, st.DropOverMemory)
		assert.EqualValues(t, 5, st.NewFlowCount)
		assert.EqualValues(t, 3501, st.MemoryUsed)
		qtest.Balanced(t, q)
	})
}

// TestCEThresholdForSome: the selector takes its bits of the DS field from the
// mask.
func TestCEThresholdForSome(t *testing.T) {
	for _, tt := range []struct {
		selector, mask uint8
		marked         []uint8 // of not capable, ECT(1), ECT(0), CE
	}{
		{0, 0, []uint8{qdisc.ECT1, qdisc.ECT0, qdisc.CE}},
		{3, 0, []uint8{qdisc.ECT1, qdisc.ECT0, qdisc.CE}}, // no mask: all
		{qdisc.ECT1, 3, []uint8{qdisc.ECT1}},
		{qdisc.ECT0, 3, []uint8{qdisc.ECT0}},
		{1, 1, []uint8{qdisc.ECT1, qdisc.CE}},
		{0, 3, nil}, // those are not capable
		{0, 0xfc, []uint8{qdisc.ECT1, qdisc.ECT0, qdisc.CE}},
	} {
		eachMode(t, func(t *testing.T, mode qdisc.Compat) {
			q := newFQ(t, codel.FQConfig{
				NoECN: true, CEThreshold: new(time.Millisecond), CESelector: tt.selector, CEMask: tt.mask, Compat: mode,
			})
			var marked []uint8
			for ds := range uint8(4) {
				require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 100, DSField: ds}, 0))
				before := q.Stats().CEMark
				p := q.Dequeue(1200 * us)
				require.NotNil(t, p)
				if q.Stats().CEMark > before {
					marked = append(marked, ds)
					assert.Equal(t, qdisc.CE, p.ECN())
				} else {
					assert.Equal(t, ds, p.DSField)
				}
				q.Reset(0)
			}
			assert.Equal(t, tt.marked, marked, "selector %d, mask %d", tt.selector, tt.mask)
			assert.Zero(t, q.Stats().ECNMark)
		})
	}
}

// TestThresholdIsExceeded only by what waited longer, and not by half a tick in
// Linux.
func TestThresholdIsExceeded(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		unit := qdisc.Time(1)
		if mode == qdisc.Linux {
			unit = tick
		}
		const at = 1024 * 1000 // both a whole microsecond and a whole tick
		q := newCoDel(t, codel.Config{CEThreshold: new(time.Duration(at)), Compat: mode})
		for _, tt := range []struct {
			wait qdisc.Time
			want uint64
		}{{at, 0}, {at + unit - 1, 0}, {at + unit, 1}} {
			q.Reset(0)
			require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 100, DSField: qdisc.ECT0}, 0))
			require.NotNil(t, q.Dequeue(tt.wait))
			assert.Equal(t, tt.want, q.Stats(0).CEMark)
		}
	})
}
