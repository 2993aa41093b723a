package codel

import (
	"math"

	"github.com/netsched/netsched/internal/ways"
	"github.com/netsched/netsched/qdisc"
)

// FQ is FQ-CoDel: flows in turns, each with a CoDel of its own. It is not safe
// for concurrent use. Its Peek parks: the packet is judged then.
type FQ struct {
	qdisc.Base
	law         law
	flows       []flow
	newFlows    flowList // flows that had no packets before, or not for a round
	oldFlows    flowList // the other flows with packets, or that had some in this round
	limit       int
	memoryLimit int64
	largest     int64 // charge of a packet that can be held at all
	quantum     int32
	least       uint32 // bytes that a packet costs at least
	hashed      bool   // by Packet.Flow alone
	dropBatch   int
	fattest     fattest
	debts       debts // empty, with room for all flows
	ways        *ways.Table
	counts      Counts
	cfg         FQConfig
}

// Enqueue appends p to its flow. If that exceeds a limit, the flow with the
// most bytes loses packets from its head: the verdict is Congested if that is
// p's flow.
func (q *FQ) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	var f *flow
	if q.hashed {
		f = &q.flows[uint64(p.Flow)*uint64(len(q.flows))>>32]
	} else {
		f = q.classify(p)
	}
	charge := p.Charge()
	if f == nil || charge > q.largest || p.Len > qdisc.MaxLen || f.backlog > math.MaxUint32-p.Len {
		return q.refuse(p, f)
	}
	q.Accept(p, now)
	f.push(p)
	q.law.memory += charge
	if f.next == nil {
		q.start(f)
	}
	if q.over() {
		return q.makeRoom(f)
	}
	if q.fattest.kept() {
		q.fattest.changed(f)
	}
	return qdisc.Queued
}

//go:noinline
func (q *FQ) refuse(p *qdisc.Packet, f *flow) qdisc.Verdict {
	switch {
	case p.Len > qdisc.MaxLen:
		return q.Refuse(p, qdisc.TooLong)
	case f == nil:
		return q.Refuse(p, qdisc.Unclassified)
	}
	q.counts.DropOverlimit++
	return q.Refuse(p, qdisc.Overlimit)
}

// classify returns the flow of p where the hash alone does not tell it, nil if
// it has none.
//
//go:noinline
func (q *FQ) classify(p *qdisc.Packet) *flow {
	if q.cfg.Classify != nil {
		if n := q.cfg.Classify(p); n > uint32(len(q.flows)) {
			return nil
		} else if n > 0 {
			return q.named(n - 1)
		}
	}
	home := int(uint64(p.Flow) * uint64(len(q.flows)) >> 32)
	if q.ways == nil {
		return &q.flows[home]
	}
	slot, _ := q.ways.Find(p.Flow, home)
	return &q.flows[slot]
}

// named returns a flow that Classify chose. If a hashed one had its queue last,
// and no packets wait there, that is forgotten, lest it comes back to share the
// queue while others are free.
func (q *FQ) named(n uint32) *flow {
	f := &q.flows[n]
	if q.ways != nil && f.list.Empty() {
		elsewhere := uint32(1) // a hash of another set, if there is one; 0 is that of packets without any
		if int(n) < len(q.flows)/2 {
			elsewhere = math.MaxUint32
		}
		q.ways.Give(int(n), elsewhere)
	}
	return f
}

// Dequeue returns the next packet of the flow whose turn it is, nil if there
// is none. Those that the law drops go to the drop list with Reason AQM.
func (q *FQ) Dequeue(now qdisc.Time) *qdisc.Packet {
	if q.Parked() != nil {
		return q.SendParked(now)
	}
	p := q.take(q.Clock(now))
	if p != nil {
		q.Sent(p)
	}
	return p
}

// Peek returns what Dequeue would, and parks it.
func (q *FQ) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if q.Parked() == nil {
		if p := q.take(now); p != nil {
			q.Park(p)
		}
	}
	return q.Parked()
}

// take serves the flows in turn, the new ones first (RFC 8290 section 4.2).
func (q *FQ) take(now qdisc.Time) *qdisc.Packet {
	refills, enough := 0, max(64, len(q.flows)) // each new flow has one, and the old ones a round or more
	for {
		list := &q.newFlows
		f := list.head
		if f == nil {
			list = &q.oldFlows
			if f = list.head; f == nil {
				return nil
			}
		}
		if f.deficit <= 0 {
			if refills++; refills > enough {
				return q.takeByDebt(now, false)
			}
			f.deficit += q.quantum
			q.toOld(list)
			continue
		}
		p := f.list.Pop() // as in serve; written out, for a call costs 1 to 3 ns here
		if p == nil {
			f.none()
			q.rest(list)
			continue
		}
		q.law.leave(f, p)
		q.Release(p)
		if !q.law.inTime(f, p, now) {
			p = q.law.judge(&q.Base, f, p, now)
		}
		if q.fattest.kept() {
			q.fattest.changed(f)
		}
		if p != nil {
			f.deficit -= int32(max(p.Len, q.least))
			return p
		}
		q.rest(list)
	}
}

// start brings f, which has got its first packet, into the rounds.
func (q *FQ) start(f *flow) {
	q.counts.NewFlowCount++
	f.deficit = q.quantum
	q.newFlows.push(f)
	if q.ways != nil {
		q.ways.Take(int(f.index))
	}
}

// toOld moves the head of list to the end of the old flows.
func (q *FQ) toOld(list *flowList) {
	if list == &q.oldFlows {
		list.rotate()
	} else {
		q.oldFlows.push(list.pop())
	}
}

// rest takes the head of list, which is empty, out of the rounds. A new flow
// passes through the old ones first, lest it come back as new at once and
// starve them.
func (q *FQ) rest(list *flowList) {
	if list == &q.newFlows && q.oldFlows.head != nil {
		q.oldFlows.push(q.newFlows.pop())
		return
	}
	q.free(list.pop())
}

// free lets go of the queue of f, which is in no list any more.
func (q *FQ) free(f *flow) {
	if q.ways != nil {
		q.ways.Free(int(f.index))
	}
}

// Reset sends everything held to the drop list and forgets all flows.
func (q *FQ) Reset(now qdisc.Time) {
	q.Rewind(now)
	q.PurgeParked()
	for i := range q.flows {
		f := &q.flows[i]
		q.PurgeList(&f.list)
		*f = flow{index: f.index}
	}
	q.newFlows, q.oldFlows = flowList{}, flowList{}
	q.law.memory, q.fattest.left = 0, 0
	if q.ways != nil {
		q.ways.Reset()
	}
}
