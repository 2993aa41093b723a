package builders

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	trace.RegisterClassful("hfsc", trace.ClassfulKind{
		Build: buildHFSC,
		Wakes: true,
		// Derived fit times: what is due is not ordered by them any more.
		Unchecked: []string{"K f", "K cfmin"},
	})
}

func buildHFSC(h *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
	cfg := hfsc.Config{Compat: qdisc.Linux, Limit: &h.Device.TxQueueLen, Drops: env.Drops}
	for _, p := range h.Params {
		n, err := p.Int()
		switch {
		case err != nil:
			return nil, err
		case p.Key != "default":
			return nil, trace.Missing("option %s", p.Key)
		}
		if cfg.Default, err = trace.Fit[uint32](n); err != nil {
			return nil, err
		}
	}
	q, err := hfsc.New(cfg)
	if err != nil {
		return nil, err
	}
	q.Reset(h.Start)
	return &trace.ClassfulTarget{
		Qdisc: q,
		Add: func(now qdisc.Time, def *trace.ClassDef) error {
			cfg := hfsc.ClassConfig{Parent: def.Parent}
			if err := hfscCurves(&cfg, def.Params); err != nil {
				return err
			}
			return q.AddClass(def.Class, cfg, now)
		},
		// The curves that are not named stay.
		Change: func(now qdisc.Time, class uint32, params trace.Params) error {
			cfg, ok := q.Class(class)
			if !ok {
				return fmt.Errorf("there is no class %d", class)
			}
			if err := hfscCurves(&cfg, params); err != nil {
				return err
			}
			return q.ChangeClass(class, cfg, now)
		},
		Delete:    func(now qdisc.Time, class uint32) error { return q.RemoveClass(class, now) },
		SetLimit:  setLeafLimits(q),
		ClassStat: func(class uint32, name string, _ qdisc.Time) (int64, bool) { return hfscStat(q, class, name) },
	}, nil
}

// hfscCurves sets the curves that the parameters name.
func hfscCurves(cfg *hfsc.ClassConfig, params trace.Params) error {
	for _, p := range params {
		if len(p.Values) != 3 {
			return fmt.Errorf("%s takes m1, d and m2, not %d numbers", p.Key, len(p.Values))
		}
		m1, err := byteRate(p.Values[0])
		if err != nil {
			return err
		}
		m2, err := byteRate(p.Values[2])
		if err != nil {
			return err
		}
		c := hfsc.Curve{M1: m1, D: time.Duration(p.Values[1]) * time.Microsecond, M2: m2}
		switch p.Key {
		case "rt":
			cfg.RealTime = c
		case "ls":
			cfg.LinkShare = c
		case "sc":
			cfg.RealTime, cfg.LinkShare = c, c
		case "ul":
			cfg.UpperLimit = c
		default:
			return trace.Missing("option %s", p.Key)
		}
	}
	return nil
}

func hfscStat(q *hfsc.HFSC, class uint32, name string) (int64, bool) {
	s, ok := q.Stats(class)
	if !ok {
		return 0, false
	}
	n := uint64(0)
	switch name {
	case "bytes":
		n = s.RealTime.Bytes + s.LinkShare.Bytes
	case "packets":
		n = s.RealTime.Packets + s.LinkShare.Packets
	case "drops", "overlimits", "qlen", "backlog":
		if s.Level == 0 {
			return 0, false // its queue's
		}
	case "total":
		n = s.Total
	case "cumul":
		n = s.Cumulative
	case "e":
		n = s.Eligible
	case "d":
		n = s.Deadline
	case "vt":
		n = s.VirtualTime
	case "vtadj":
		n = s.Adjusted
	case "myf":
		n = s.Fit
	case "cvtmin":
		n = s.ChildMin
	case "cvtoff":
		n = s.ChildMax
	case "period":
		n = uint64(s.Period)
	case "nactive":
		n = uint64(s.Active)
	case "level":
		n = uint64(s.Level)
	default:
		return 0, false
	}
	return int64(n), true
}
