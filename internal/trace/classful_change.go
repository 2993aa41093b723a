package trace

import (
	"fmt"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// add makes a class and sets its limit.
func (t *ClassfulTarget) add(now qdisc.Time, def *ClassDef) error {
	if t.Add == nil {
		return Missing("classes cannot be added")
	}
	if err := t.Add(now, def); err != nil || def.Limit == nil {
		return err
	}
	return t.setLimit(now, def)
}

func (t *ClassfulTarget) setLimit(now qdisc.Time, def *ClassDef) error {
	if t.SetLimit == nil {
		return Missing("limits of leaves cannot be set")
	}
	return t.SetLimit(now, def.Class, *def.Limit)
}

// change runs C, A, X, L or G.
func (t *ClassfulTarget) change(op *classfulOp) error {
	now, def := op.at, &op.class
	switch {
	case op.verb == 'A':
		return t.add(now, def)
	case op.verb == 'L':
		return t.setLimit(now, def)
	case op.verb == 'C' && t.Change != nil:
		if err := t.Change(now, def.Class, def.Params); err != nil || def.Limit == nil {
			return err
		}
		return t.setLimit(now, def)
	case op.verb == 'X' && t.Delete != nil:
		return t.Delete(now, def.Class)
	case op.verb == 'G' && t.Configure != nil:
		return t.Configure(now, def.Params)
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
