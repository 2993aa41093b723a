package tc

import (
	"strconv"
	"strings"
	"time"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// cakeRTTs are the words for round-trip times. Two of them are an error, as in
// tc.
var cakeRTTs = map[string]time.Duration{
	"datacentre": cake.Datacentre, "lan": cake.LAN, "metro": cake.Metro, "regional": cake.Regional, "internet": cake.Internet,
	"oceanic": cake.Oceanic, "satellite": cake.Satellite, "interplanetary": cake.Interplanetary,
}

// parseCake reads the options into cfg, which keeps what is not named. Of an
// option given twice the last counts.
func parseCake(w *words, cfg *cake.Config) error {
	preset := ""
	for word, ok := w.next(); ok; word, ok = w.next() {
		if rtt, ok := cakeRTTs[word]; ok {
			if preset != "" {
				return w.errorf("%s and %s: one round-trip time is enough", preset, word)
			}
			preset = word
			cfg.RTT, cfg.Target = rtt, 0
			continue
		}
		if known, err := cakeValue(w, word, cfg); err != nil {
			return err
		} else if known || cakeFlag(word, cfg) || cakeFraming(word, &cfg.Framing) {
			continue
		}
		return w.errorf("unknown option %q; use bandwidth, unlimited, rtt, a tin mode such as diffserv3, an isolation mode such as triple-isolate, "+
			"nat, wash, ingress, ack-filter, split-gso, memlimit, fwmark, overhead, mpu, or a line such as ethernet", word)
	}
	return nil
}

// cakeValue reads an option that has a value; known tells whether word is one.
func cakeValue(w *words, word string, cfg *cake.Config) (known bool, err error) {
	switch word {
	case "bandwidth":
		var bytes uint64
		bytes, err = value(w, word, parseRate)
		cfg.Bandwidth, cfg.Autorate = qdisc.Rate(bytes)*8, false
	case "rtt":
		var us uint32
		us, err = value(w, word, parseTime)
		// 0 is the default in a Config, but counts as 1 us in tc.
		cfg.RTT, cfg.Target = max(microseconds(us), time.Microsecond), 0
	case "memlimit":
		var bytes uint32
		bytes, err = value(w, word, parseSize)
		cfg.MemoryLimit = int64(bytes)
	case "fwmark":
		cfg.FwMark, err = value(w, word, parseCount)
	case "overhead":
		var n int
		n, err = value(w, word, strconv.Atoi)
		cfg.Overhead = &n
	case "mpu":
		var n uint32
		n, err = value(w, word, parseDec)
		cfg.MPU = int(min(n, cake.MaxMPU+1)) // cake.New has the last word
	default:
		return false, nil
	}
	return true, err
}

// cakeFlag takes a word without a value.
func cakeFlag(word string, cfg *cake.Config) bool {
	switch word {
	case "unlimited":
		cfg.Bandwidth, cfg.Autorate = 0, false
	case "autorate-ingress":
		cfg.Autorate = true
	case "nat", "nonat":
		cfg.NAT = word == "nat"
	case "wash", "nowash":
		cfg.Wash = word == "wash"
	case "split-gso", "no-split-gso":
		cfg.NoSplit = word == "no-split-gso"
	case "ingress", "egress":
		cfg.Ingress = word == "ingress"
	case "diffserv":
		cfg.Diffserv = cake.Diffserv4
	default:
		text := []byte(word)
		return cfg.Diffserv.UnmarshalText(text) == nil || cfg.Isolation.UnmarshalText(text) == nil || cfg.AckFilter.UnmarshalText(text) == nil
	}
	return true
}

// cakeFraming takes the word for a line. Lines add to the overhead, as tags and
// headers do; raw and conservative set it.
func cakeFraming(word string, f *cake.Framing) bool {
	if word == "raw" {
		f.Overhead, f.Link = nil, cake.NoATM
		return true
	}
	if f.Link.UnmarshalText([]byte(word)) == nil || word == "via-ethernet" { // which tc ignores too
		return true
	}
	line, ok := cake.Preset(word)
	if !ok {
		return false
	}
	switch word {
	case "conservative":
		f.Overhead, f.Link = line.Overhead, line.Link
		return true
	case "ethernet", "ether-vlan": // beneath whatever the link is
	default:
		f.Link = line.Link
	}
	if f.Overhead != nil {
		*line.Overhead += *f.Overhead
	}
	f.Overhead, f.MPU = line.Overhead, max(f.MPU, line.MPU)
	return true
}

func buildCake(w *words, opt *Options) (qdisc.Qdisc, error) {
	cfg := cake.Config{
		MTU: min(opt.MTU, cake.MaxMTU), Header: opt.Header, Split: opt.Split,
		Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn,
	}
	if err := parseCake(w, &cfg); err != nil {
		return nil, err
	}
	c, err := cake.New(cfg)
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return c, nil
}

func changeCake(q qdisc.Qdisc, w *words, _ *Options, now qdisc.Time) error {
	c := q.(*cake.Cake)
	cfg := c.Config()
	if err := parseCake(w, &cfg); err != nil {
		return err
	}
	if err := c.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func showCake(q qdisc.Qdisc) (options string, ok bool) {
	c, ok := q.(*cake.Cake)
	if !ok {
		return "", false
	}
	return c.Config().String(), true
}

// cakeCounters are those of a cake, its text that of package cake, without the
// end of the last line.
type cakeCounters struct {
	MemoryUsed  int64             `json:"memory_used"`
	MemoryLimit int64             `json:"memory_limit"`
	Capacity    uint64            `json:"capacity_estimate"` // bytes/s
	MinNet      uint32            `json:"min_network_size"`
	MaxNet      uint32            `json:"max_network_size"`
	MinAdjusted uint32            `json:"min_adj_size"`
	MaxAdjusted uint32            `json:"max_adj_size"`
	NetOff      uint32            `json:"avg_hdr_offset"`
	Tins        []cakeTinCounters `json:"tins"`

	text string
}

// cakeTinCounters are those of a tin, times in us and rates in bytes/s.
type cakeTinCounters struct {
	Threshold    uint64 `json:"threshold_rate"`
	Bytes        uint64 `json:"sent_bytes"`
	Backlog      int64  `json:"backlog_bytes"`
	Target       int64  `json:"target_us"`
	Interval     int64  `json:"interval_us"`
	PeakDelay    int64  `json:"peak_delay_us"`
	AvgDelay     int64  `json:"avg_delay_us"`
	BaseDelay    int64  `json:"base_delay_us"`
	Packets      uint64 `json:"sent_packets"`
	WayHits      uint64 `json:"way_indirect_hits"`
	WayMisses    uint64 `json:"way_misses"`
	WayShared    uint64 `json:"way_collisions"`
	Drops        uint64 `json:"drops"`
	Marks        uint64 `json:"ecn_mark"`
	AckDrops     uint64 `json:"ack_drops"`
	SparseFlows  uint32 `json:"sparse_flows"`
	BulkFlows    uint32 `json:"bulk_flows"`
	Unresponsive uint32 `json:"unresponsive_flows"`
	MaxLen       uint32 `json:"max_pkt_len"`
	Quantum      uint32 `json:"flow_quantum"`
}

func countCake(q qdisc.Qdisc) counters {
	s := q.(*cake.Cake).Stats()
	c := &cakeCounters{
		MemoryUsed: s.MemoryUsed, MemoryLimit: s.MemoryLimit, Capacity: uint64(s.Capacity) / 8,
		MinNet: s.MinNet, MaxNet: s.MaxNet, MinAdjusted: s.MinAdjusted, MaxAdjusted: s.MaxAdjusted, NetOff: s.NetOff,
		text: strings.TrimSuffix(s.String(), "\n"),
	}
	for i := range s.Tins {
		t := &s.Tins[i]
		c.Tins = append(c.Tins, cakeTinCounters{
			Threshold: uint64(t.Threshold) / 8, Bytes: t.Bytes, Backlog: t.Backlog,
			Target: t.Target.Microseconds(), Interval: t.Interval.Microseconds(),
			PeakDelay: t.PeakDelay.Microseconds(), AvgDelay: t.AvgDelay.Microseconds(), BaseDelay: t.BaseDelay.Microseconds(),
			Packets: t.Packets, WayHits: t.WayHits, WayMisses: t.WayMisses, WayShared: t.WayShared,
			Drops: t.Drops, Marks: t.Marks, AckDrops: t.AckDrops,
			SparseFlows: t.SparseFlows, BulkFlows: t.BulkFlows, Unresponsive: t.Unresponsive, MaxLen: t.MaxLen, Quantum: t.Quantum,
		})
	}
	return c
}

// String returns the lines of tc -s.
func (c *cakeCounters) String() string { return c.text }
