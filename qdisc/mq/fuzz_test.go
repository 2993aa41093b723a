package mq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/tbf"
)

// FuzzMQ runs a program of bytes, an operation and its operand each, over an
// MQ, and beside it over its children's twins, which nothing joins: as long as
// a queue runs, what it does must not depend on the others.
func FuzzMQ(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x02\x00\x03\x01\x01\x02\x02\x04\x00\x04\x00"))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x03\x40\x01\x00\x04\x00\x05\x00\x06\x00"))
	f.Add([]byte("\x05\x01\x00\x01\x00\x01\x01\x01\x06\x01\x01\x01\x07\x09\x00\x01\x04\x00\x04\x00"))
	const queues = 5
	f.Fuzz(func(t *testing.T, program []byte) {
		program = program[:min(len(program), 1000)]
		var drops, twinDrops qdisc.List
		q := newMQ(t, mq.Config{Queues: queues, Drops: &drops})
		var twins [queues]qdisc.Qdisc
		var stopped [queues]bool
		for i := range twins {
			for _, twin := range []bool{false, true} {
				child := leaf(t, i)
				if twin {
					require.NoError(t, child.Common().Attend(&twinDrops, nil))
					twins[i] = child
				} else {
					require.NoError(t, q.SetChild(uint32(i+1), child, 0))
				}
			}
		}
		now := qdisc.Time(0)
		for len(program) >= 2 {
			op, arg := program[0]%8, int(program[1])
			program = program[2:]
			i := arg % queues
			switch op {
			case 0:
				p, twin := packet(i, uint32(arg)*8), packet(i, uint32(arg)*8)
				require.Equal(t, twins[i].Enqueue(twin, now), q.Enqueue(p, now))
			case 1, 2:
				p := q.DequeueFrom(i, now)
				if stopped[i] {
					require.Nil(t, p)
					break
				}
				same(t, twins[i].Dequeue(now), p)
				require.True(t, p != nil || q.ReadyAtQueue(i, now) > now)
			case 3:
				now += qdisc.Time(arg) * 10_000
			case 4: // the round takes from a queue that runs, and finds one if there is
				p := q.Dequeue(now)
				if p != nil {
					require.False(t, stopped[p.TxQueue])
					same(t, twins[p.TxQueue].Dequeue(now), p)
					break
				}
				for k, twin := range twins {
					require.True(t, stopped[k] || twin.Dequeue(now) == nil, "queue %d had a packet", k)
				}
				require.Greater(t, q.ReadyAt(now), now)
			case 5:
				q.Stop(i)
				stopped[i] = true
			case 6:
				q.Wake(i)
				stopped[i] = false
			case 7:
				q.Reset(now)
				for _, twin := range twins {
					twin.Reset(now)
				}
			}
			qtest.CheckSums(t, q)
			require.Equal(t, twinDrops.Len(), drops.Len())
			held, at := 0, qdisc.Never
			for k, twin := range twins {
				held += twin.Len()
				got, ready := q.ReadyAtQueue(k, now), twin.ReadyAt(now)
				if got > ready && !stopped[k] { // it was asked meanwhile, and the twin was not
					require.Nil(t, twin.Dequeue(now))
					ready = twin.ReadyAt(now)
				}
				if stopped[k] && twin.Len() > 0 {
					ready = qdisc.Blocked
				}
				at = min(at, ready)
				// now is also right: it is not known any more after an arrival.
				if got != ready && got != now {
					t.Fatalf("ReadyAtQueue(%d, %v) = %v, want %v", k, now, got, ready)
				}
			}
			require.Equal(t, held, q.Len())
			if got := q.ReadyAt(now); got != at && got != now {
				t.Fatalf("ReadyAt(%v) = %v, want %v", now, got, at)
			}
		}
	})
}

// leaf returns the child of queue i: a shaper in two, else a short FIFO.
func leaf(t *testing.T, i int) qdisc.Qdisc {
	if i > 1 {
		return qtest.FIFO(i)
	}
	b, err := tbf.New(tbf.Config{Rate: 8 * qdisc.Mbit, Burst: 3000})
	require.NoError(t, err)
	return b
}

func same(t *testing.T, want, got *qdisc.Packet) {
	require.Equal(t, want == nil, got == nil)
	if want != nil {
		require.Equal(t, want.Len, got.Len)
		require.Equal(t, want.Stamp, got.Stamp)
	}
}
