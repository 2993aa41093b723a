package trace

import (
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// aqmReplay is the replay of a queue manager.
type aqmReplay struct {
	queueReplay
	kind   AQMKind
	target *AQMTarget
	adjust adjust
}

func (a *AQM) replay(r *Registry) (res Result) {
	p := &aqmReplay{queueReplay: queueReplay{replayer: newReplayer(a.Kind(), a.text, 2)}, kind: r.aqm[a.Header.Discipline]}
	p.netOff, p.truesize, p.filtered = a.Header.NetOff, a.Header.Truesize, p.kind.Filtered
	defer p.finish(&res)
	if len(a.ops) > 0 {
		p.first = a.ops[0].line
	}
	env := &Env{Drops: &p.drops, Rand: a.Header.Random.Source(), Split: p.split, Header: p.header}
	target, err := p.kind.Build(&a.Header, env)
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	p.target, p.q, p.now = target, target.Qdisc, a.Header.Start
	p.compareOutcome(&a.created, &AQMOutcome{verb: 'c', Limit: p.limit()})
	for i := range a.ops {
		if p.result != nil {
			return
		}
		op := &a.ops[i]
		p.op, p.now = op.line, op.at
		p.apply(op)
		p.done++
	}
	for _, s := range a.stats {
		if p.result != nil {
			return
		}
		if !slices.Contains(p.kind.Unchecked, s.name) {
			v, ok := p.stat(s.name)
			p.compare(s, "S ", v, ok)
		}
	}
	p.empty()
	return
}

func (p *aqmReplay) limit() int64 {
	if p.target.Limit == nil {
		return 0
	}
	return p.target.Limit()
}

// apply runs one operation and compares its outcome.
func (p *aqmReplay) apply(op *aqmOp) {
	p.begin()
	got := AQMOutcome{verb: op.verb}
	var out *packet
	switch op.verb {
	case 'E':
		a := p.arrive(&op.arrival)
		got.Verdict = int(p.q.Enqueue(&a.Packet, op.at))
	case 'D':
		if q := p.q.Dequeue(op.at); q != nil {
			out = p.take(q)
			got.CE = q.DSField&3 == 3 && !out.arrivedCE
			p.adjust.packets += extra(q)
		}
	case 'P':
		if q := p.q.Peek(op.at); q != nil {
			out = qdisc.Value[*packet](q)
		}
	case 'X':
		err := p.change(op)
		if isMissing(err) {
			p.check("", err)
			return
		}
		got.Verdict = errno(err)
	case 'Z':
		p.adjust.dropped -= int64(p.adjust.command(p.q, func() { p.q.Reset(op.at) }))
	}
	if out != nil {
		got.ID, got.DS = out.id, out.DSField
		if out.arrival.NoIP { // it has no DS field; the runs repeat theirs
			got.DS = out.arrival.DS
		}
	}
	p.collect()
	got.Events = p.events
	if op.verb == 'X' && p.kind.ChangeSends {
		p.adjust.sendLost(p.lost)
	}
	got.Len, got.Backlog = p.q.Len(), p.q.Backlog()
	want := op.want
	if op.verb == 'Z' {
		got.Events = nil // the runs do not list them
	}
	got.Wake, want.Wake = p.wakes(&want)
	p.compareOutcome(&want, &got)
	p.check("every packet leaves once", p.balance(p.q))
}

func (p *aqmReplay) change(op *aqmOp) (err error) {
	switch {
	case p.target.Change == nil:
		err = Missing("operation X")
	case p.kind.ChangeSends:
		err = p.target.Change(op.at, op.set)
	default:
		p.adjust.command(p.q, func() { err = p.target.Change(op.at, op.set) })
	}
	return err
}

// wakes returns the replayed and the recorded wake-up, both 0 where they are
// not to be compared.
func (p *aqmReplay) wakes(want *AQMOutcome) (got, recorded qdisc.Time) {
	if !p.kind.Wakes || want.Wake == 0 || want.Len == 0 {
		return 0, 0
	}
	if p.target.Wake != nil {
		return p.target.Wake(p.now), want.Wake
	}
	return p.q.ReadyAt(p.now), want.Wake
}

func (p *aqmReplay) compareOutcome(want, got *AQMOutcome) {
	if p.filtered == qdisc.NotDropped {
		want.Events = slices.Clone(want.Events)
		for i := range want.Events {
			if want.Events[i].Kind == 'k' {
				want.Events[i].Kind = 'x'
			}
		}
	}
	if !want.equal(got) {
		p.diverge(want.String(), got.String())
	}
}

// errno is the number by which the references report a refused change.
func errno(err error) int {
	if err == nil {
		return 0
	}
	return 22 // EINVAL
}
