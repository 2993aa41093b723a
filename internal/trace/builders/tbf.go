package builders

import (
	"fmt"
	"math"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

func init() {
	trace.RegisterClassful("tbf", trace.ClassfulKind{Build: buildTBF, Wakes: true})
}

func buildTBF(h *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
	cfg, err := tbfConfig(h.Params, env)
	if err != nil {
		return nil, err
	}
	q, err := tbf.New(cfg)
	if err != nil {
		return nil, err
	}
	q.Reset(h.Start)
	return &trace.ClassfulTarget{
		Qdisc: q,
		Configure: func(now qdisc.Time, params trace.Params) error {
			cfg, err := tbfConfig(params, env)
			if err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
		// The runs have no class; class 0 is the filter itself.
		ClassStat: func(_ uint32, name string, _ qdisc.Time) (int64, bool) {
			tokens, peakTokens, at := q.State()
			switch name {
			case "tokens":
				return tokens, true
			case "ptokens":
				return peakTokens, true
			case "t_c":
				return int64(at), true
			}
			return 0, false
		},
		// Shown for the creation only, when both buckets are full.
		Info: func(_ uint32, name string) (int64, bool) {
			tokens, peakTokens, _ := q.State()
			switch name {
			case "buffer":
				return tokens, true
			case "mtu":
				return peakTokens, true
			case "max_size":
				if cfg.PeakRate != 0 {
					return int64(min(cfg.Burst, cfg.MTU)), true
				}
				return int64(cfg.Burst), true
			}
			return 0, false
		},
	}, nil
}

func tbfConfig(params trace.Params, env *trace.Env) (tbf.Config, error) {
	cfg := tbf.Config{Compat: qdisc.Linux, Split: env.Split, Drops: env.Drops}
	for _, p := range params {
		v, err := p.Int()
		if err != nil {
			return cfg, err
		}
		switch p.Key {
		case "rate":
			cfg.Rate, err = byteRate(v)
		case "peakrate":
			cfg.PeakRate, err = byteRate(v)
		case "burst":
			cfg.Burst, err = trace.Fit[uint32](v)
		case "mtu":
			cfg.MTU, err = trace.Fit[uint32](v)
		case "limit":
			cfg.LimitBytes = &v
		case "overhead":
			cfg.Overhead, err = trace.Fit[uint32](v)
		case "mpu":
			cfg.MPU, err = trace.Fit[uint32](v)
		default:
			return cfg, trace.Missing("option %s", p.Key)
		}
		if err != nil {
			return cfg, fmt.Errorf("%s: %w", p.Key, err)
		}
	}
	return cfg, nil
}

// byteRate returns v bytes a second as a Rate.
func byteRate(v int64) (qdisc.Rate, error) {
	n, err := trace.Fit[uint64](v)
	if err == nil && n > math.MaxUint64/8 {
		err = fmt.Errorf("%d bytes/s is above 2^64 bit/s", n)
	}
	return qdisc.Rate(8 * n), err
}
