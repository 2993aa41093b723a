package trace

import (
	"fmt"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// altqReplay is the replay of an ALTQ discipline.
type altqReplay struct {
	queueReplay
	kind   ALTQKind
	header *ALTQHeader
	target *ALTQTarget
	count  map[string]int64 // the end line
	losses []lossCount      // by class
}

// lossCount counts losses reported to the sender. The reference counts the
// bytes of the packet that arrived, whichever it destroyed, and no packet that
// an AQM drops later.
type lossCount struct{ packets, bytes int64 }

func (a *ALTQ) replay(r *Registry) (res Result) {
	if kind := r.altq[a.Header.Discipline]; kind.Rates != nil {
		return a.replayRates(&kind)
	}
	p := &altqReplay{queueReplay: queueReplay{replayer: newReplayer(a.Kind(), a.text, 1)}, kind: r.altq[a.Header.Discipline], header: &a.Header}
	p.count, p.losses = map[string]int64{}, make([]lossCount, len(a.Header.Classes)+1)
	defer p.finish(&res)
	if len(a.ops) > 0 {
		p.first = a.ops[0].line
	}
	env := &Env{Drops: &p.drops, Rand: NewXorshift(a.Header.Seed), Split: p.split, Header: p.ledger.header}
	target, err := p.kind.Build(&a.Header, env)
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	p.target, p.q, p.now = target, target.Qdisc, ALTQEpoch
	for i := range a.ops {
		if p.result != nil {
			return
		}
		op := &a.ops[i]
		p.op, p.now = op.line, ALTQEpoch+op.at
		p.apply(op)
		p.done++
	}
	p.trailer(a)
	p.empty()
	return
}

// apply runs one operation and compares its outcome.
func (p *altqReplay) apply(op *altqOp) {
	p.begin()
	got := ALTQOutcome{verb: op.verb}
	switch op.verb {
	case 'A':
		return
	case 'E':
		got.OK = p.enqueue(&op.arrival)
	case 'D':
		if q := p.q.Dequeue(p.now); q != nil {
			got.ID, got.CE = p.take(q).id, q.DSField&3 == 3
			p.count["deq"]++
			p.count["bytes_out"] += int64(q.Len)
		}
	case 'P':
		if q := p.q.Peek(p.now); q != nil {
			got.ID, got.CE = qdisc.Value[*packet](q).id, q.DSField&3 == 3
		}
	}
	p.collect()
	got.Drops = p.events
	if op.verb != 'E' && got.ID == (ID{}) {
		p.count["none"]++
	}
	if op.verb != 'E' {
		p.count["qlen"] += int64(len(got.Drops)) // the reference does not count them out
	}
	if !op.want.equal(&got) {
		p.diverge(op.want.String(), got.String())
	}
	p.check("every packet leaves once", p.balance(p.q))
}

// enqueue tells whether no loss was reported.
func (p *altqReplay) enqueue(a *ALTQArrival) bool {
	k := p.alloc()
	k.id = ID{Packet: a.ID}
	q := &k.Packet
	a.fill(q)
	ok := p.q.Enqueue(q, p.now) == qdisc.Queued
	p.count["enq"]++
	p.count["bytes_in"] += int64(a.Len)
	if ok {
		p.count["ok"]++
		return true
	}
	p.count["no"]++
	class := a.Class
	if class == 0 {
		class = p.header.Default()
	}
	p.losses[class].packets++
	p.losses[class].bytes += int64(a.Len)
	return false
}

// fill writes a packet's fields.
func (a *ALTQArrival) fill(q *qdisc.Packet) {
	q.Len, q.Class, q.Flow, q.Proto = a.Len, a.Class, a.Flow, 17
	if a.ECT {
		q.DSField = 2
	}
}

// trailer compares the end line and the stat lines.
func (p *altqReplay) trailer(a *ALTQ) {
	p.count["qlen"] += int64(p.q.Len())
	for _, s := range a.totals {
		p.compare(s, "end ", p.count[s.name], true)
	}
	for _, q := range a.queues {
		for _, s := range q.values {
			if !slices.Contains(p.kind.Unchecked, s.name) {
				v, ok := p.classStat(q.class, s.name)
				p.compare(s, fmt.Sprintf("stat %d ", q.class), v, ok)
			}
		}
	}
}

func (p *altqReplay) classStat(class uint32, name string) (int64, bool) {
	if p.target.ClassStat != nil {
		if v, ok := p.target.ClassStat(class, name, p.now); ok {
			return v, true
		}
	}
	switch name {
	case "drop_packets":
		return p.losses[class].packets, true
	case "drop_bytes":
		return p.losses[class].bytes, true
	}
	child := childOf(p.q, class)
	if child == nil {
		return 0, name == "xmit_packets" || name == "xmit_bytes" || name == "qlen"
	}
	return new(adjust).common(child, name, "xmit_")
}
