package pf

// The limits of a count in pf.conf.
const (
	maxQLimit   = 65535
	maxPriority = 255 // that the scheduler has is checked later
)

// given notes the words that a line has had.
type given map[string]bool

func (g given) once(t token) *Error {
	if g[t.text] {
		return t.pos.errorf("%s is given twice", t.text)
	}
	g[t.text] = true
	return nil
}

// altq reads an altq line.
func (p *parser) altq() *Error {
	line := Interface{Pos: p.list[0].pos}
	p.list = p.list[1:]
	if t, err := p.next(); err != nil || !t.is("on") {
		return orElse(err, t, "on, and an interface")
	}
	names, err := p.refs("an interface")
	for g := (given{}); err == nil; {
		var t token
		if t, err = p.next(); err != nil {
			return err
		}
		if err = g.once(t); err != nil {
			return err
		}
		switch {
		case t.is("queue"):
			return p.altqEnd(t, line, names)
		case t.is("tbrsize"):
			var n uint64
			n, err = p.count("tbrsize", MaxBurst)
			if line.TBRSize = new(uint32(n)); err == nil && n == 0 {
				err = t.pos.errorf("tbrsize 0: want 1 to 2^30 bytes")
			}
		case t.is("bandwidth"):
			line.Bandwidth, err = p.bandwidth(false)
		case t.is("qlimit"):
			line.QLimit, err = p.qlimit()
		default:
			if err = p.scheduler(t, &line.Scheduler, "bandwidth, qlimit, tbrsize, cbq, hfsc, priq or queue"); err == nil {
				err = p.noOptions(line.Scheduler)
			}
		}
	}
	return err
}

// noOptions refuses options on an altq line.
func (p *parser) noOptions(s Scheduler) *Error {
	t, err := p.peek()
	if err == nil && t.kind == '(' {
		err = t.pos.errorf("the options of %s stand on the queue lines", s)
	}
	return err
}

// altqEnd reads what follows the word queue of an altq line, and adds the
// line for each interface.
func (p *parser) altqEnd(t token, line Interface, names []Ref) (err *Error) {
	if line.Scheduler == "" {
		return t.pos.errorf("the scheduler is missing; want cbq, hfsc or priq before queue")
	}
	if line.Queues, err = p.refs("a queue"); err != nil {
		return err
	}
	for _, r := range names {
		line.Name = r.Name
		p.file.Interfaces = append(p.file.Interfaces, line)
	}
	return p.expect(newline, "the end of the line")
}

// queue reads a queue line.
func (p *parser) queue() *Error {
	line := Queue{Pos: p.list[0].pos}
	p.list = p.list[1:]
	name, err := p.ref("a queue")
	line.Name = name.Name
	for g := (given{}); err == nil; {
		var t token
		if t, err = p.peek(); err != nil {
			return err
		}
		if t.kind == '{' {
			line.Queues, err = p.refs("a queue")
			if err == nil {
				err = p.expect(newline, "the end of the line")
			}
		}
		if t.kind == '{' || t.kind == newline {
			p.file.Queues = append(p.file.Queues, line)
			return err
		}
		if err = g.once(t); err != nil {
			return err
		}
		if t, err = p.next(); err == nil {
			err = p.queueOption(t, &line)
		}
	}
	return err
}

// queueOption reads an option of a queue line, which begins with t.
func (p *parser) queueOption(t token, line *Queue) (err *Error) {
	switch {
	case t.is("on"):
		var r Ref
		r, err = p.ref("an interface")
		line.On = r.Name
	case t.is("bandwidth"):
		line.Bandwidth, err = p.bandwidth(false)
	case t.is("qlimit"):
		line.QLimit, err = p.qlimit()
	case t.is("priority"):
		var n uint64
		n, err = p.count("priority", maxPriority)
		line.Priority = new(int(n))
	case t.is("tbrsize"):
		err = t.pos.errorf("tbrsize is the interface's; want it on the altq line")
	default:
		err = p.scheduler(t, &line.Scheduler, "on, bandwidth, priority, qlimit, cbq, hfsc, priq or {")
		if err == nil {
			err = p.options(line.Scheduler, &line.Options)
		}
	}
	return err
}

func (p *parser) qlimit() (*int, *Error) {
	n, err := p.count("qlimit", maxQLimit)
	return new(int(n)), err
}

// scheduler reads the scheduler that t names; use says what else t could have been.
func (p *parser) scheduler(t token, s *Scheduler, use string) *Error {
	switch {
	case t.is("fairq"), t.is("codel"):
		return t.pos.errorf("scheduler %s is not here; want cbq, hfsc or priq", t.text)
	case !t.is("cbq") && !t.is("hfsc") && !t.is("priq"):
		return t.pos.errorf("%s: want %s", t.name(), use)
	case *s != "":
		return t.pos.errorf("%s: the scheduler is %s already", t.name(), *s)
	}
	*s = Scheduler(t.text)
	return nil
}

// orElse returns err, or says that t is not what was wanted.
func orElse(err *Error, t token, want string) *Error {
	if err != nil {
		return err
	}
	return t.pos.errorf("%s: want %s", t.name(), want)
}
