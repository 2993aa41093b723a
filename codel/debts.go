package codel

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// debts are the old flows of an FQ in the order in which their turns come: a
// heap of round, place in the list and index, in 32, 16 and 16 bits. A flow
// holds less than 4 GiB, so rounds stay far below 2^32.
type debts []uint64

// gone is the deficit of a flow that is to leave the rounds: a debt is MaxLen
// at most.
const gone = math.MinInt32

// due returns how many quanta f needs before it may send.
func (q *FQ) due(f *flow) uint64 {
	if f.deficit > 0 {
		return 0
	}
	return uint64(-f.deficit/q.quantum) + 1
}

// takeByDebt does what take does when all flows are old and none could send in
// a whole round. A packet may be a million quanta long, so it does not go
// through the rounds. To shed is to purge what comes, until the limits hold.
//
//go:noinline
func (q *FQ) takeByDebt(now qdisc.Time, shed bool) (p *qdisc.Packet) {
	d := q.debts[:0]
	for f := range q.oldFlows.all() {
		d = append(d, q.due(f)<<32|uint64(len(d))<<16|uint64(f.index))
	}
	for i := len(d)/2 - 1; i >= 0; i-- {
		d.sink(i)
	}
	for len(d) > 0 {
		f := &q.flows[uint16(d[0])]
		f.deficit += int32(q.due(f)) * q.quantum
		if p = q.serve(f, now); p == nil {
			f.deficit = gone
			last := len(d) - 1
			d[0], d = d[last], d[:last]
			d.sink(0)
			continue
		}
		if !shed {
			break
		}
		q.Purge(p)
		p = nil
		if !q.over() {
			break
		}
		d[0] += q.due(f) << 32
		d.sink(0)
	}
	q.resume(d)
	return p
}

// serve is a turn of f: nil if it has no packet to send.
func (q *FQ) serve(f *flow, now qdisc.Time) *qdisc.Packet {
	p := q.law.pop(&q.Base, f)
	if p == nil {
		f.none()
		return nil
	}
	p = q.law.judge(&q.Base, f, p, now)
	if q.fattest.kept() {
		q.fattest.changed(f)
	}
	if p != nil {
		f.deficit -= int32(max(p.Len, q.least))
	}
	return p
}

// resume leaves the rounds as they are when the first of d has had its turn.
func (q *FQ) resume(d debts) {
	for i := 1; i < len(d); i++ {
		f := &q.flows[uint16(d[i])]
		left := (d[i] - d[0]) >> 32 // quanta to come; a round less if the place is before
		f.deficit += int32(q.due(f)-left) * q.quantum
	}
	old := q.oldFlows
	q.oldFlows = flowList{}
	for old.head != nil {
		if f := old.pop(); f.deficit == gone {
			q.free(f)
		} else {
			q.oldFlows.push(f)
		}
	}
	for len(d) > 0 && q.oldFlows.head != &q.flows[uint16(d[0])] {
		q.oldFlows.rotate()
	}
}

// sink restores the order below place i.
func (d debts) sink(i int) {
	for {
		next := 2*i + 1
		if next+1 < len(d) && d[next+1] < d[next] {
			next++
		}
		if next >= len(d) || d[i] <= d[next] {
			return
		}
		d[i], d[next] = d[next], d[i]
		i = next
	}
}
