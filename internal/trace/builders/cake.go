package builders

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	trace.RegisterAQM("cake", trace.AQMKind{Build: buildCake, Wakes: true, Filtered: qdisc.AckFilter})
}

func buildCake(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	cfg := cake.Config{
		Target: micros(5000), MTU: min(h.Device.PacketSize(), cake.MaxMTU),
		Classify: func(p *qdisc.Packet) uint32 { return p.Class },
		Header:   env.Header, Split: env.Split, Rand: env.Rand, Drops: env.Drops, Compat: qdisc.Linux,
	}
	if err := cakeOptions(&cfg, h.Options); err != nil {
		return nil, err
	}
	q, err := cake.New(cfg)
	if err != nil {
		return nil, err
	}
	return &trace.AQMTarget{
		Qdisc: q,
		Limit: func() int64 { return 10240 }, // shown, but no limit of anything
		Change: func(now qdisc.Time, set []trace.Option) error {
			cfg := q.Config()
			if err := cakeOptions(&cfg, set); err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
		// A packet that came out, be it only to be parked, had the watchdog
		// set. One that was held back had it set for the time of ReadyAt.
		Wake: func(now qdisc.Time) qdisc.Time {
			if at := q.ReadyAt(now); at > now && q.Common().Parked() == nil {
				return at
			}
			return q.Watchdog()
		},
		Stat: func(name string, _ qdisc.Time) (int64, bool) { return cakeStat(q, name) },
	}, nil
}

func cakeOptions(cfg *cake.Config, set []trace.Option) error {
	for _, o := range set {
		if err := cakeOption(cfg, o); err != nil {
			return err
		}
	}
	return nil
}

func cakeOption(cfg *cake.Config, o trace.Option) error {
	switch o.Key {
	case "diffserv":
		return cfg.Diffserv.UnmarshalText([]byte(o.Value))
	case "isolation":
		return cfg.Isolation.UnmarshalText([]byte(o.Value))
	case "link":
		return cfg.Link.UnmarshalText([]byte(o.Value))
	case "ack-filter":
		return cfg.AckFilter.UnmarshalText([]byte(o.Value))
	}
	n, err := strconv.ParseInt(o.Value, 10, 64)
	if err != nil {
		return err
	}
	switch o.Key {
	case "bandwidth":
		cfg.Bandwidth = qdisc.Rate(n)
	case "overhead":
		cfg.Overhead = new(int(n))
	case "raw":
		cfg.Overhead = nil
	case "mpu":
		cfg.MPU = int(n)
	case "rtt":
		cfg.RTT = micros(n)
	case "target":
		cfg.Target = micros(n)
	case "autorate-ingress":
		cfg.Autorate = n != 0
	case "ingress":
		cfg.Ingress = n != 0
	case "wash":
		cfg.Wash = n != 0
	case "split-gso":
		cfg.NoSplit = n == 0
	case "memlimit":
		cfg.MemoryLimit = n
	case "fwmark":
		cfg.FwMark = uint32(n)
	default:
		return trace.Missing("option %s", o.Key)
	}
	return nil
}

func cakeStat(q *cake.Cake, name string) (int64, bool) {
	s := q.Stats()
	switch name {
	case "dropped": // but not what a change or a reset threw away
		st := q.ReadStats()
		return int64(st.Refused + st.Dropped), true
	case "capacity_estimate":
		return int64(s.Capacity / 8), true
	case "memory_limit":
		return s.MemoryLimit, true
	case "memory_used":
		return s.MemoryUsed, true
	case "avg_netoff":
		return int64(s.NetOff), true
	case "max_netlen":
		return int64(s.MaxNet), true
	case "min_netlen":
		return int64(s.MinNet), true
	case "max_adjlen":
		return int64(s.MaxAdjusted), true
	case "min_adjlen":
		return int64(s.MinAdjusted), true
	}
	tin, name, _ := strings.Cut(name, ".")
	var k int
	if n, _ := fmt.Sscanf(tin, "tin%d", &k); n != 1 || k >= len(s.Tins) {
		return 0, false
	}
	return cakeTinStat(&s.Tins[k], name)
}

func cakeTinStat(t *cake.TinStats, name string) (int64, bool) {
	v, ok := map[string]int64{
		"threshold_rate": int64(t.Threshold / 8), "target_us": t.Target.Microseconds(), "interval_us": t.Interval.Microseconds(),
		"peak_delay_us": t.PeakDelay.Microseconds(), "avg_delay_us": t.AvgDelay.Microseconds(),
		"base_delay_us": t.BaseDelay.Microseconds(), "backlog_bytes": t.Backlog,
		"sent_packets": int64(t.Packets), "sent_bytes": int64(t.Bytes),
		"way_indirect_hits": int64(t.WayHits), "way_misses": int64(t.WayMisses), "way_collisions": int64(t.WayShared),
		"dropped_packets": int64(t.Drops), "ecn_marked_packets": int64(t.Marks), "acks_dropped_packets": int64(t.AckDrops),
		"sparse_flows": int64(t.SparseFlows), "bulk_flows": int64(t.BulkFlows), "unresponsive_flows": int64(t.Unresponsive),
		"max_skblen": int64(t.MaxLen), "flow_quantum": int64(t.Quantum),
	}[name]
	return v, ok
}
