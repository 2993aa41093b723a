package pf

import (
	"math"
	"time"
)

// optionsOf are the options of each scheduler, as an error lists them.
var optionsOf = map[Scheduler]string{
	CBQ:  "default, borrow or codel",
	HFSC: "default, codel, realtime, linkshare or upperlimit",
	PRIQ: "default or codel",
}

// missing are the options of ALTQ that are read, but that no discipline here has.
var missing = map[string]bool{"red": true, "ecn": true, "rio": true, "flowvalve": true, "cleardscp": true}

// options reads the options in brackets after a queue's scheduler, if there are
// any.
func (p *parser) options(s Scheduler, o *QueueOptions) *Error {
	open, err := p.accept('(')
	if !open || err != nil {
		return err
	}
	g := given{}
	for {
		if done, err := p.accept(')'); done || err != nil {
			return err
		}
		t, err := p.next()
		if err == nil {
			err = g.once(t)
		}
		if err == nil {
			err = p.option(t, s, o)
		}
		if err == nil {
			_, err = p.accept(',')
		}
		if err != nil {
			return err
		}
	}
}

// option reads the option that t begins.
func (p *parser) option(t token, s Scheduler, o *QueueOptions) (err *Error) {
	switch {
	case t.is("default"):
		o.Default = true
	case t.is("codel"):
		o.CoDel = true
	case t.is("borrow") && s == CBQ:
		o.Borrow = true
	case t.is("realtime") && s == HFSC:
		o.RealTime, err = p.curve()
	case t.is("linkshare") && s == HFSC:
		o.LinkShare, err = p.curve()
	case t.is("upperlimit") && s == HFSC:
		o.UpperLimit, err = p.curve()
	case t.kind == word && missing[t.text]:
		o.Missing = append(o.Missing, Ref{t.pos, t.text})
	default:
		err = t.pos.errorf("%s: want an option of %s, %s, or )", t.name(), s, optionsOf[s])
	}
	return err
}

// curve reads a service curve: a bandwidth, or ( m1 d m2 ).
func (p *parser) curve() (*Curve, *Error) {
	c := new(Curve)
	two, err := p.accept('(')
	if err != nil {
		return nil, err
	}
	if two {
		if err := p.firstPiece(c); err != nil {
			return nil, err
		}
	}
	if c.Second, err = p.bandwidth(true); err == nil && two {
		err = p.expect(')', "the ) of the curve ( m1 d m2 )")
	}
	if c.D == 0 {
		c.First = Bandwidth{}
	}
	return c, err
}

// firstPiece reads m1 and d.
func (p *parser) firstPiece(c *Curve) (err *Error) {
	if c.First, err = p.bandwidth(true); err == nil {
		_, err = p.accept(',')
	}
	if err != nil {
		return err
	}
	ms, err := p.count("number of milliseconds", math.MaxUint32)
	if c.D = time.Duration(ms) * time.Millisecond; err == nil {
		_, err = p.accept(',')
	}
	return err
}
