package qtest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// Classful is a discipline whose classes come and go.
type Classful interface {
	Parent
	SetChild(class uint32, child qdisc.Qdisc, now qdisc.Time) error
	RemoveClass(class uint32, now qdisc.Time) error
}

// Classes is how many numbers Churn gives to classes, from 1 on.
const Classes = 12

// Churn adds, changes and removes classes of q, and replaces their children,
// while these children lose, hold back and block packets. add and change make
// and change a class, if they can. Extreme, there are packets of all lengths
// and the clock jumps by years, to its end and back.
func Churn(t *testing.T, q Classful, drops *qdisc.List, rng *rand.Rand, extreme bool,
	add func(class, parent uint32, child qdisc.Qdisc, now qdisc.Time), change func(class uint32, now qdisc.Time)) {
	t.Helper()
	l := qdisctest.NewLedger(q, drops)
	child := func() qdisc.Qdisc {
		if rng.IntN(3) == 0 {
			return nil
		}
		return qdisctest.NewChaos(rng.Uint64(), qdisctest.AllFaults, nil)
	}
	class := func() uint32 { return 1 + rng.Uint32N(Classes) }
	const ms, year = 1e6, 365 * 24 * 3600e9
	now := qdisc.Time(1e9)
	for range 3000 {
		switch rng.IntN(12) {
		case 0:
			l.Do("AddClass", now, func() { add(class(), rng.Uint32N(8), child(), now) })
		case 1:
			l.Do("ChangeClass", now, func() { change(class(), now) })
		case 2:
			if rng.IntN(4) == 0 {
				l.Do("RemoveClass", now, func() { _ = q.RemoveClass(class(), now) })
			} else {
				l.Do("SetChild", now, func() { _ = q.SetChild(class(), child(), now) })
			}
		case 3, 4, 5, 6:
			p := l.Packet()
			p.Class, p.Len = class(), rng.Uint32N(1515)
			if extreme && rng.IntN(8) == 0 {
				p.Len = [3]uint32{0, 65000, qdisc.MaxLen}[rng.IntN(3)]
			}
			l.Enqueue(p, now)
		case 7:
			l.Peek(now)
		case 8:
			now = now.Add(time.Duration(rng.Int64N(10 * ms)))
			if extreme && rng.IntN(16) == 0 {
				now = [4]qdisc.Time{0, now / 2, now/2 + year, qdisc.MaxTime - qdisc.Time(rng.Int64N(year))}[rng.IntN(4)]
			}
		default:
			if l.Dequeue(now) == nil {
				if at := l.ReadyAt(now); at < qdisc.Blocked {
					now = max(now, min(at, now.Add(time.Second)))
				} else {
					l.Do("Wake", now, func() { qdisctest.Wake(q, now) })
				}
			}
		}
		if err := l.Err(); err != nil {
			t.Fatal(err)
		}
	}
	l.Drain(now, func(now qdisc.Time) { qdisctest.Wake(q, now) })
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	if l.Sent() == 0 {
		t.Fatal("nothing was sent")
	}
}

// NoAllocation counts every allocation of 1e5 rounds in which classes 0 to 7
// come and go, reach their limits and their queues', drop, and hold packets
// back: gate is the child of one of them. (testing.AllocsPerRun rounds down.) It
// returns the counters, which tell what else the rounds met.
func NoAllocation(t *testing.T, q qdisc.Parent, drops *qdisc.List, class uint32, gate *Gate) qdisc.Stats {
	t.Helper()
	const ms, s = 1e6, 1e9
	free := qdisc.Alloc(64)
	now := qdisc.Time(0)
	round := func() {
		now += 40_000
		for i := range uint32(8) {
			if p := free.Pop(); p != nil {
				p.Class, p.Len = i, 100+uint32(now>>10)%1400
				q.Enqueue(p, now)
			}
		}
		if now%(10*ms) < 40_000 {
			gate.Opens = now + 5*ms
			q.Sync(class, now)
		}
		q.Peek(now)
		for range 4 + now>>16%8 {
			if p := q.Dequeue(now); p != nil {
				free.Push(p)
			}
		}
		q.ReadyAt(now)
		if now%s < 40_000 {
			q.Reset(now)
		}
		free.Append(drops)
	}
	round()
	n := qdisctest.Mallocs(func() {
		for range 100_000 {
			round()
		}
	})
	if n != 0 {
		t.Errorf("%d allocations", n)
	}
	st := q.Common().ReadStats()
	for _, n := range []uint64{st.Dequeued, st.Refused, st.Purged} {
		if n == 0 {
			t.Errorf("the rounds are too gentle: %+v", st)
		}
	}
	return st
}
