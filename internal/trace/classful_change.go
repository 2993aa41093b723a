package trace

import (
	"fmt"
	"slices"
)

// add makes a class and sets its limit.
func (p *classfulReplay) add(def *ClassDef) error {
	t := p.target
	if t.Add == nil {
		return Missing("classes cannot be added")
	}
	if err := t.Add(p.now, def); err != nil || def.Limit == nil {
		return err
	}
	return p.setLimit(def)
}

func (p *classfulReplay) setLimit(def *ClassDef) error {
	if p.target.SetLimit == nil {
		return Missing("limits of leaves cannot be set")
	}
	return p.target.SetLimit(p.now, def.Class, *def.Limit)
}

// change runs C, A, X, L or G.
func (p *classfulReplay) change(op *classfulOp) error {
	t, def := p.target, &op.class
	switch {
	case op.verb == 'A':
		return p.add(def)
	case op.verb == 'L':
		return p.setLimit(def)
	case op.verb == 'C' && t.Change != nil:
		if err := t.Change(p.now, def.Class, def.Params); err != nil || def.Limit == nil {
			return err
		}
		return p.setLimit(def)
	case op.verb == 'X' && t.Delete != nil:
		return t.Delete(p.now, def.Class)
	case op.verb == 'G' && t.Configure != nil:
		return t.Configure(p.now, def.Params)
	}
	return Missing("operation %c", op.verb)
}

// compareInfos compares values derived from parameters, if the target shows
// them.
func (p *classfulReplay) compareInfos(infos []classValues) {
	if p.target.Info == nil {
		return
	}
	for _, i := range infos {
		for _, v := range i.values {
			got, ok := p.target.Info(i.class, v.name)
			p.compare(v, fmt.Sprintf("info %d ", i.class), got, ok)
		}
	}
}

// compareTotals compares the Q line and the K lines.
func (p *classfulReplay) compareTotals(c *Classful) {
	for _, s := range c.totals {
		if !slices.Contains(p.kind.Unchecked, "Q "+s.name) {
			v, ok := p.total(s.name)
			p.compare(s, "Q ", v, ok)
		}
	}
	for _, k := range c.class {
		for _, s := range k.values {
			if !slices.Contains(p.kind.Unchecked, "K "+s.name) {
				v, ok := p.classTotal(k.class, s.name)
				p.compare(s, fmt.Sprintf("K %d ", k.class), v, ok)
			}
		}
	}
}
