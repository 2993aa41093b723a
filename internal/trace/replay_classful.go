package trace

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// classfulReplay is the replay of a scheduler.
type classfulReplay struct {
	queueReplay
	kind   ClassfulKind
	target *ClassfulTarget

	pending qdisc.Time // the timer that the reference would have running
	device  device
	adjust  adjust
}

func (c *Classful) replay(r *Registry) (res Result) {
	if kind := r.classful[c.Header.Discipline]; kind.Rates != nil {
		return c.replayRates(&kind)
	}
	p := &classfulReplay{queueReplay: queueReplay{replayer: newReplayer(c.Kind(), c.text, 1)}, kind: r.classful[c.Header.Discipline]}
	p.pending, p.now = qdisc.Never, c.Header.Start
	defer p.finish(&res)
	if len(c.ops) > 0 {
		p.first = c.ops[0].line
	}
	target, err := p.kind.Build(&c.Header, &Env{Drops: &p.drops, Split: p.split, Header: p.header})
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	p.target, p.q = target, target.Qdisc
	for i := range c.Header.Classes {
		def := &c.Header.Classes[i]
		p.op = def.line
		p.check("the class is made", target.add(p.now, def))
	}
	p.compareInfos(c.infos)
	for i := range c.ops {
		if p.result != nil {
			return
		}
		op := &c.ops[i]
		p.op, p.now = op.line, op.at
		p.apply(op)
		p.done++
	}
	if p.result == nil {
		p.now = c.end
		p.compareTotals(c)
	}
	p.empty()
	return
}

// apply runs one operation and compares its outcome.
func (p *classfulReplay) apply(op *classfulOp) {
	p.begin()
	if p.pending <= op.at {
		p.pending = qdisc.Never // the timer has gone off
	}
	got := ClassfulOutcome{verb: op.verb}
	want := op.want
	switch op.verb {
	case 'S':
		p.device.stop(op.queue, op.stop)
		if p.target.Stop != nil {
			p.target.Stop(op.queue, op.stop)
		}
		return
	case 'E':
		p.enqueue(&op.arrival, &got)
	case 'D':
		p.gave(p.q.Dequeue(op.at), true, &got)
	case 'P':
		p.gave(p.q.Peek(op.at), false, &got)
	case 'T':
		p.transmit(&got)
	case 'R':
		p.adjust.dropped -= int64(p.adjust.command(p.q, func() { p.q.Reset(op.at) }))
		p.pending = qdisc.Never
		got.Verdict = "ok"
	default:
		var err error
		p.adjust.command(p.q, func() { err = p.target.change(op) })
		if isMissing(err) {
			p.check("", err)
			return
		}
		if got.Verdict = "ok"; err != nil {
			got.Verdict = fmt.Sprint("err ", errno(err))
		}
	}
	p.collect()
	got.Drops = p.events
	switch op.verb {
	case 'E':
	case 'D', 'P', 'T':
		if got.ID == (ID{}) {
			got.Len = p.q.Len()
			got.Wake = p.wake()
			if !p.kind.Wakes || got.Len == 0 && want.Len == 0 {
				got.Wake, want.Wake = qdisc.Never, qdisc.Never
			}
		}
	default:
		sortEvents(got.Drops)
	}
	if !want.equal(&got) {
		p.diverge(want.String(), got.String())
	}
	p.check("every packet leaves once", p.balance(p.q))
	p.compareInfos(op.infos)
}

func (p *classfulReplay) enqueue(a *ClassfulArrival, got *ClassfulOutcome) {
	k := p.alloc()
	k.id = ID{Packet: a.ID}
	q := &k.Packet
	p.target.fill(q, a)
	switch v := p.q.Enqueue(q, p.now); {
	case v == qdisc.Queued:
		got.Verdict = "ok"
	case v == qdisc.Congested:
		got.Verdict = "cn"
	case q.Reason == qdisc.Unclassified:
		got.Verdict = "nocls"
	default:
		got.Verdict = "drop"
	}
}

// fill writes a packet's fields.
func (t *ClassfulTarget) fill(q *qdisc.Packet, a *ClassfulArrival) {
	q.Len, q.Class, q.Priority, q.TxQueue = a.Len, a.Class, a.Priority, a.Queue
	if t.Fill != nil {
		t.Fill(q, a)
	}
}

// gave notes what Dequeue or Peek gave.
func (p *classfulReplay) gave(q *qdisc.Packet, taken bool, got *ClassfulOutcome) {
	switch {
	case q == nil:
	case taken:
		got.ID = p.take(q).id
	default:
		got.ID = qdisc.Value[*packet](q).id
	}
}

// wake returns the timer that the reference would have running after a call
// that gave nothing. One that asks for no wake-up leaves an older one alone.
func (p *classfulReplay) wake() qdisc.Time {
	at := qdisc.Never
	if p.target.Wake != nil {
		at = p.target.Wake(p.now)
	} else if p.q.Len() > 0 {
		at = p.q.ReadyAt(p.now)
	}
	switch {
	case at <= p.now:
		return wakeWork
	case at < qdisc.Never:
		p.pending = at
	}
	return p.pending
}
