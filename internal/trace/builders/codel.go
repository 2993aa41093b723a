package builders

import (
	"strconv"
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	trace.RegisterAQM("codel", trace.AQMKind{Build: buildCoDel})
	trace.RegisterAQM("fq_codel", trace.AQMKind{Build: buildFQCoDel, ChangeSends: true})
}

func buildCoDel(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	cfg := codel.Config{MTU: min(h.Device.PacketSize(), codel.MaxMTU), Compat: qdisc.Linux, Drops: env.Drops}
	apply := func(set []trace.Option) error {
		return numbers(set, func(key string, n int64) error {
			switch key {
			case "target":
				cfg.Target = micros(n)
			case "interval":
				cfg.Interval = micros(n)
			case "ce_threshold":
				cfg.CEThreshold = new(micros(n))
			case "limit":
				cfg.Limit = new(int(n))
			case "ecn":
				cfg.ECN = n != 0
			default:
				return trace.Missing("option %s", key)
			}
			return nil
		})
	}
	if err := apply(h.Options); err != nil {
		return nil, err
	}
	q, err := codel.New(cfg)
	if err != nil {
		return nil, err
	}
	return &trace.AQMTarget{
		Qdisc: q,
		Limit: func() int64 { return int64(*q.Config().Limit) },
		Change: func(now qdisc.Time, set []trace.Option) error {
			if err := apply(set); err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
		Stat: func(name string, now qdisc.Time) (int64, bool) {
			s := q.Stats(now)
			switch name {
			case "count":
				return int64(s.Count), true
			case "lastcount":
				return int64(s.LastCount), true
			case "ldelay_us":
				return s.Delay.Microseconds(), true
			case "drop_next_us":
				return s.DropNext.Microseconds(), true
			case "dropping":
				return flag(s.Dropping), true
			case "drop_overlimit":
				return int64(s.DropOverlimit), true
			}
			return markStat(&s.Marks, name)
		},
	}, nil
}

func buildFQCoDel(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	mtu := min(h.Device.PacketSize(), codel.MaxMTU)
	cfg := codel.FQConfig{MTU: mtu, Quantum: max(mtu, codel.MinQuantum), Compat: qdisc.Linux, Drops: env.Drops}
	cfg.Flows = codel.DefaultFlows
	cfg.Classify = func(p *qdisc.Packet) uint32 {
		if p.Class > uint32(cfg.Flows) {
			return 0 // not the number of a queue: hashed
		}
		return p.Class
	}
	apply := func(set []trace.Option) error {
		return numbers(set, func(key string, n int64) error {
			switch key {
			case "target":
				cfg.Target = micros(n)
			case "interval":
				cfg.Interval = micros(n)
			case "ce_threshold":
				cfg.CEThreshold = new(micros(n))
			case "ce_threshold_selector":
				cfg.CESelector = uint8(n)
			case "ce_threshold_mask":
				cfg.CEMask = uint8(n)
			case "limit":
				cfg.Limit = new(int(n))
			case "flows":
				cfg.Flows = int(n)
			case "quantum":
				cfg.Quantum = max(int(n), codel.MinQuantum)
			case "memory_limit":
				cfg.MemoryLimit = new(min(n, 1<<31))
			case "drop_batch":
				cfg.DropBatch = max(int(n), 1)
			case "ecn":
				cfg.NoECN = n == 0
			default:
				return trace.Missing("option %s", key)
			}
			return nil
		})
	}
	if err := apply(h.Options); err != nil {
		return nil, err
	}
	q, err := codel.NewFQ(cfg)
	if err != nil {
		return nil, err
	}
	return &trace.AQMTarget{
		Qdisc: q,
		Limit: func() int64 { return int64(*q.Config().Limit) },
		Change: func(now qdisc.Time, set []trace.Option) error {
			if err := apply(set); err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
		Stat: func(name string, now qdisc.Time) (int64, bool) {
			s := q.Stats()
			switch name {
			case "drop_overlimit":
				return int64(s.DropOverlimit), true
			case "drop_overmemory":
				return int64(s.DropOverMemory), true
			case "new_flow_count":
				return int64(s.NewFlowCount), true
			case "new_flows_len":
				return int64(s.NewFlowsLen), true
			case "old_flows_len":
				return int64(s.OldFlowsLen), true
			case "memory_used":
				return s.MemoryUsed, true
			}
			return markStat(&s.Marks, name)
		},
	}, nil
}

// numbers calls f for each option.
func numbers(set []trace.Option, f func(key string, n int64) error) error {
	for _, o := range set {
		n, err := strconv.ParseInt(o.Value, 10, 64)
		if err != nil {
			return err
		}
		if err := f(o.Key, n); err != nil {
			return err
		}
	}
	return nil
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

func markStat(m *codel.Marks, name string) (int64, bool) {
	switch name {
	case "maxpacket":
		return int64(m.MaxPacket), true
	case "ecn_mark":
		return int64(m.ECNMark), true
	case "ce_mark":
		return int64(m.CEMark), true
	}
	return 0, false
}
