package trace

import (
	"fmt"
	"strconv"

	"github.com/netsched/netsched/qdisc"
)

// replayRates replays a run of a BSD discipline at the level of rates.
func (a *ALTQ) replayRates(kind *ALTQKind) (res Result) {
	p := newRateReplay(a.Kind(), a.text, ALTQEpoch, func(class uint32) string {
		if class == noClass {
			return "-"
		}
		return a.Header.Classes[class-1].Name
	})
	defer p.finish(&res)
	env := &Env{Drops: &p.drops, Rand: NewXorshift(a.Header.Seed), Split: p.split, Header: p.ledger.header}
	target, err := kind.Build(&a.Header, env)
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	p.drain(target.Qdisc, target.Rates, a.departures())
	for i := range a.ops {
		if p.result != nil {
			return
		}
		op := &a.ops[i]
		p.begin(op.line, ALTQEpoch+op.at)
		switch op.verb {
		case 'E':
			r := &op.arrival
			class := r.Class
			if class == 0 {
				class = a.Header.Default()
			}
			p.arrive(r.ID, class, r.fill)
		case 'D', 'P':
			p.ask(op.want.ID, op.verb == 'D')
		}
		p.done++
	}
	p.end(kind.Rates)
	return
}

// replayRates replays a run of a scheduler of the second format at the level
// of rates.
func (c *Classful) replayRates(kind *ClassfulKind) (res Result) {
	p := newRateReplay(c.Kind(), c.text, c.Header.Start, func(class uint32) string { return strconv.FormatUint(uint64(class), 10) })
	defer p.finish(&res)
	target, err := kind.Build(&c.Header, &Env{Drops: &p.drops, Split: p.split, Header: p.header})
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	for i := range c.Header.Classes {
		def := &c.Header.Classes[i]
		p.op = def.line
		p.check("the class is made", target.add(p.now, def))
	}
	there := map[uint32]bool{}
	for i := range c.Header.Classes {
		there[c.Header.Classes[i].Class] = true
	}
	p.drain(target.Qdisc, target.Rates, c.departures())
	for i := range c.ops {
		if p.result != nil {
			return
		}
		op := &c.ops[i]
		p.begin(op.line, op.at)
		switch op.verb {
		case 'E':
			class := op.arrival.Class
			if !there[class] {
				class = noClass
			}
			p.arrive(op.arrival.ID, class, func(q *qdisc.Packet) { target.fill(q, &op.arrival) })
		case 'D', 'P':
			p.ask(op.want.ID, op.verb == 'D')
		case 'R':
			p.q.Reset(op.at)
			p.settle()
		case 'S', 'T':
			p.check("", Missing("hardware queues, at the level of rates"))
		default:
			p.command(target, op)
			if op.want.Verdict == "ok" && (op.verb == 'A' || op.verb == 'X') {
				there[op.class.Class] = op.verb == 'A'
			}
		}
		p.done++
	}
	p.end(kind.Rates)
	return
}

// command changes classes, which must be allowed if it was in the run.
func (p *rateReplay) command(target *ClassfulTarget, op *classfulOp) {
	err := target.change(op)
	if isMissing(err) {
		p.check("", err)
		return
	}
	got := "ok"
	if err != nil {
		got = fmt.Sprint("err ", errno(err))
	}
	if want := op.want.Verdict; got != want {
		p.diverge(want, got)
	}
	p.settle()
}
