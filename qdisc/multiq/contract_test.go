package multiq_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// anyQueue sends packets to every queue, and some to one too many.
func anyQueue(bands int) qdisctest.Option {
	return qdisctest.Fill(func(r *rand.Rand, p *qdisc.Packet) { p.TxQueue = uint16(r.IntN(bands + 1)) })
}

// small returns a Multiq whose FIFOs are soon full.
func small(t *testing.T, bands int, drops *qdisc.List) *multiq.Multiq {
	q := newMultiq(t, multiq.Config{Bands: bands, Drops: drops})
	for class := range q.Children() {
		require.NoError(t, q.SetChild(class, qtest.FIFO(int(class)%5+1), 0))
	}
	return q
}

func TestContract(t *testing.T) {
	for _, bands := range []int{1, 4, 70} {
		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
			return small(t, bands, drops)
		}, qdisctest.Peeks(qdisctest.Looking), qdisctest.WorkConserving(), anyQueue(bands), qdisctest.Steps(20000-200*bands))
	}
}

func TestContractAsParent(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		q := newMultiq(t, multiq.Config{Bands: 4, Drops: drops})
		for class := range q.Children() {
			require.NoError(t, q.SetChild(class, child(), 0))
		}
		return q
	}, qdisctest.WorkConserving(), anyQueue(4))
}

// device stops and wakes hardware queues at random, when a packet arrives.
type device struct {
	*multiq.Multiq
	rng *rand.Rand
}

func (d *device) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if n := d.rng.IntN(12); n < 4 {
		d.Stop(n)
	} else if n < 8 {
		d.Wake(n - 4)
	}
	return d.Multiq.Enqueue(p, now)
}

func wakeAll(q qdisc.Qdisc, _ qdisc.Time) {
	for i := range 4 {
		q.(qdisc.Stopper).Wake(i)
	}
}

func TestContractWithStops(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		return &device{small(t, 4, drops), rand.New(rand.NewPCG(1, 1))}
	}, qdisctest.Peeks(qdisctest.Looking), qdisctest.Wakes(wakeAll), anyQueue(4))
}

func TestContractAsParentWithStops(t *testing.T) {
	qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
		q := newMultiq(t, multiq.Config{Bands: 4, Drops: drops})
		for class := range q.Children() {
			require.NoError(t, q.SetChild(class, child(), 0))
		}
		return &device{q, rand.New(rand.NewPCG(1, 1))}
	}, qdisctest.Wakes(wakeAll), anyQueue(4))
}

// TestContractNested: a Multiq, half of it stopped, in a Multiq.
func TestContractNested(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		q := small(t, 2, drops)
		inner := small(t, 4, nil)
		inner.Stop(1)
		inner.Stop(3)
		require.NoError(t, q.SetChild(1, inner, 0)) // takes the queues that q has not
		return q
	}, anyQueue(5), qdisctest.Wakes(func(q qdisc.Qdisc, now qdisc.Time) {
		inner := q.(*multiq.Multiq).Child(1)
		wakeAll(inner, now)
		qdisctest.Sync(q, inner, now)
	}))
}
