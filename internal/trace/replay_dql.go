package trace

// replay drives a limiter.
func (d *DQL) replay(r *Registry) (res Result) {
	p := newReplayer(d.Kind(), d.text, 2)
	defer p.finish(&res)
	if len(d.ops) > 0 {
		p.first = d.ops[0].line
	}
	l, err := r.limiter(&d.Header)
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	p.compareState(&d.created, l)
	for i := range d.ops {
		if p.result != nil {
			return
		}
		op := &d.ops[i]
		p.op = op.line
		switch op.verb {
		case 'Q':
			l.Queued(op.n)
		case 'C':
			l.Completed(op.n, op.jiffies)
		case 'L':
			l.SetLimits(op.min, op.max, op.hold)
		case 'Z':
			l.Reset(op.jiffies)
		}
		p.compareState(&op.want, l)
		p.done++
	}
	return
}

func (r *replayer) compareState(want *LimiterState, l Limiter) {
	if got := l.State(); got != *want {
		r.diverge(want.String(), got.String())
	}
}
