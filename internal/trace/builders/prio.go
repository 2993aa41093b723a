package builders

import (
	"fmt"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

func init() {
	trace.RegisterClassful("prio", trace.ClassfulKind{Build: buildPrio})
}

func buildPrio(h *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
	limit := &h.Device.TxQueueLen
	cfg := prio.Config{Limit: limit, Drops: env.Drops}
	if err := prioParams(&cfg, h.Params); err != nil {
		return nil, err
	}
	q, err := prio.New(cfg)
	if err != nil {
		return nil, err
	}
	return &trace.ClassfulTarget{
		Qdisc: q,
		// A class line only sets the limit of a band that exists.
		Add: func(_ qdisc.Time, def *trace.ClassDef) error {
			switch {
			case len(def.Params) > 0:
				return trace.Missing("option %s of a band", def.Params[0].Key)
			case q.Child(def.Class) == nil:
				return fmt.Errorf("there is no band of class %d", def.Class)
			}
			return nil
		},
		SetLimit: setLeafLimits(q),
		Configure: func(now qdisc.Time, params trace.Params) error {
			cfg := prio.Config{Bands: q.Config().Bands, Limit: limit, Drops: env.Drops}
			if err := prioParams(&cfg, params); err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
	}, nil
}

func prioParams(cfg *prio.Config, params trace.Params) error {
	for _, p := range params {
		switch p.Key {
		case "bands":
			n, err := p.Int()
			if err == nil {
				cfg.Bands, err = trace.Fit[int](n)
			}
			if err != nil {
				return err
			}
		case "priomap":
			if len(p.Values) != 16 {
				return fmt.Errorf("a priomap has 16 entries, not %d", len(p.Values))
			}
			cfg.Priomap = new([16]uint8)
			for i, band := range p.Values {
				var err error
				if cfg.Priomap[i], err = trace.Fit[uint8](band); err != nil {
					return err
				}
			}
		default:
			return trace.Missing("option %s", p.Key)
		}
	}
	return nil
}
