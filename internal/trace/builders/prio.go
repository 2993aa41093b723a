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
	cfg := prio.Config{Drops: env.Drops}
	if err := prioParams(&cfg, h.Params); err != nil {
		return nil, err
	}
	q, err := prio.New(cfg)
	if err != nil {
		return nil, err
	}
	// Bands from the one given on are new, and get the device's queue length.
	setLimit := setLeafLimits(q)
	limitFrom := func(first int, now qdisc.Time) error {
		for band := first; band < q.Config().Bands; band++ {
			if err := setLimit(now, uint32(band+1), trace.LeafLimit{N: int64(h.Device.TxQueueLen)}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := limitFrom(0, h.Start); err != nil {
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
		SetLimit: setLimit,
		Configure: func(now qdisc.Time, params trace.Params) error {
			was := q.Config()
			cfg := prio.Config{Bands: was.Bands, Drops: env.Drops}
			if err := prioParams(&cfg, params); err != nil {
				return err
			}
			if err := q.Change(cfg, now); err != nil {
				return err
			}
			return limitFrom(was.Bands, now)
		},
	}, nil
}

func prioParams(cfg *prio.Config, params trace.Params) error {
	for _, p := range params {
		switch p.Key {
		case "bands":
			n, err := p.Int()
			if err != nil {
				return err
			}
			cfg.Bands = int(n)
		case "priomap":
			if len(p.Values) != 16 {
				return fmt.Errorf("a priomap has 16 entries, not %d", len(p.Values))
			}
			cfg.Priomap = new([16]uint8)
			for i, band := range p.Values {
				cfg.Priomap[i] = uint8(band)
			}
		default:
			return trace.Missing("option %s", p.Key)
		}
	}
	return nil
}
