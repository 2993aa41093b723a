package mq_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// anyQueue sends packets to each of 4 queues, and some to one too many.
var anyQueue = qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) { p.TxQueue = uint16(r.IntN(5)) })

// small returns an MQ whose FIFOs are soon full.
func small(t *testing.T, drops *qdisc.List) *mq.MQ {
	q := newMQ(t, mq.Config{Queues: 4, Drops: drops})
	for class := range q.Children() {
		require.NoError(t, q.SetChild(class, qtest.FIFO(int(class)+1), 0))
	}
	return q
}

// chaotic returns an MQ over the given children.
func chaotic(t *testing.T, drops *qdisc.List, child func() qdisc.Qdisc) *mq.MQ {
	q := newMQ(t, mq.Config{Queues: 4, Drops: drops})
	for class := range q.Children() {
		require.NoError(t, q.SetChild(class, child(), 0))
	}
	return q
}

func TestContract(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		return small(t, drops)
	}, qdisctest.Peeks(qdisctest.Looking), qdisctest.WorkConserving(), anyQueue)
}

func TestContractAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		return chaotic(t, drops, child)
	}, qdisctest.WorkConserving(), anyQueue)
}

// perQueue is a driver that asks queue by queue, and is now and then out of
// room for one.
type perQueue struct {
	*mq.MQ
	rng  *rand.Rand
	next int
}

func (d *perQueue) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if n := d.rng.IntN(12); n < 4 {
		d.Stop(n)
	} else if n < 8 {
		d.Wake(n - 4)
	}
	return d.MQ.Enqueue(p, now)
}

// Dequeue asks every queue, first the one that gave or showed a packet last.
func (d *perQueue) Dequeue(now qdisc.Time) *qdisc.Packet {
	for range 4 {
		p := d.DequeueFrom(d.next, now)
		if p != nil {
			return p
		}
		d.next = (d.next + 1) % 4
	}
	return nil
}

// Peek looks at the child that Dequeue would ask.
func (d *perQueue) Peek(now qdisc.Time) *qdisc.Packet {
	for range 4 {
		if d.ReadyAtQueue(d.next, now) <= d.Common().Clock(now) {
			p := d.Child(uint32(d.next + 1)).Peek(now)
			d.Sync(uint32(d.next+1), now)
			if p != nil {
				return p
			}
		}
		d.next = (d.next + 1) % 4
	}
	return nil
}

// ReadyAt is the earliest time of a queue.
func (d *perQueue) ReadyAt(now qdisc.Time) qdisc.Time {
	at := qdisc.Never
	for i := range 4 {
		at = min(at, d.ReadyAtQueue(i, now))
	}
	return at
}

func wakeAll(q qdisc.Qdisc, _ qdisc.Time) {
	for i := range 4 {
		q.(qdisc.Stopper).Wake(i)
	}
}

// TestContractByQueue: the verbs that name a queue keep the contract too.
func TestContractByQueue(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		return &perQueue{MQ: small(t, drops), rng: rand.New(rand.NewPCG(1, 1))}
	}, qdisctest.Wakes(wakeAll), anyQueue)
}

func TestContractByQueueAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		return &perQueue{MQ: chaotic(t, drops, child), rng: rand.New(rand.NewPCG(1, 1))}
	}, qdisctest.Wakes(wakeAll), anyQueue)
}
