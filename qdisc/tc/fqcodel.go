package tc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

var fqWords = wordsOf[codel.FQConfig, *codel.FQ]{
	blank: func(opt *Options) codel.FQConfig {
		mtu := opt.codelMTU()
		return codel.FQConfig{Quantum: max(mtu, codel.MinQuantum), MTU: mtu, Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn}
	},
	parse: parseFQ, create: codel.NewFQ, print: printFQ,
}

var fqOptions = []option{
	{word: "limit", name: "limit"},
	{word: "flows", name: "flows"},
	{word: "quantum", name: "quantum"},
	{word: "target", name: "target"},
	{word: "interval", name: "interval"},
	{word: "ecn", name: "ecn"},
	{word: "noecn", name: "noecn"},
	{word: "ce_threshold", name: "ce_threshold"},
	{word: "ce_threshold_selector", name: "ce_threshold_selector"},
	{word: "memory_limit", name: "memory_limit"},
	{word: "drop_batch", name: "drop_batch"},
}

// maxFQMemory is the most that the kernel makes of memory_limit, in bytes.
const maxFQMemory = 1 << 31

// parseFQ is parseCoDel for an fq_codel. The number of flows is settled once
// the fq_codel is there.
func parseFQ(w *words, _ *Options, cfg *codel.FQConfig) error {
	settled := cfg.Flows != 0
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, fqOptions)
		if err != nil {
			return err
		}
		switch name {
		case "limit":
			cfg.Limit, err = w.limit()
		case "flows":
			if settled {
				return w.errorf("flows can only be given when the fq_codel is added")
			}
			cfg.Flows, err = value(w, name, parseFlows)
		case "quantum":
			cfg.Quantum, err = w.count(name)
			cfg.Quantum = max(cfg.Quantum, codel.MinQuantum)
		case "target":
			cfg.Target, err = w.codelTime(name)
		case "interval":
			cfg.Interval, err = w.codelTime(name)
		case "ecn", "noecn":
			cfg.NoECN = name == "noecn"
		case "ce_threshold":
			cfg.CEThreshold, err = w.ceThreshold()
		case "ce_threshold_selector":
			var s dsSelector
			s, err = value(w, name, parseSelector)
			cfg.CESelector, cfg.CEMask = s.value, s.mask
		case "memory_limit":
			var bytes uint32
			bytes, err = value(w, name, parseSize)
			cfg.MemoryLimit = new(min(int64(bytes), maxFQMemory))
		case "drop_batch":
			cfg.DropBatch, err = w.count(name)
			cfg.DropBatch = max(cfg.DropBatch, 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func parseFlows(word string) (int, error) {
	n, err := parseCount(word)
	if err == nil && (n == 0 || n > codel.MaxFlows) {
		err = fmt.Errorf("an fq_codel has 1 to %d flows", codel.MaxFlows)
	}
	return int(min(n, codel.MaxFlows)), err
}

// dsSelector stands for the DS fields ds with ds & mask == value.
type dsSelector struct{ value, mask uint8 }

// parseSelector reads "VALUE/MASK".
func parseSelector(word string) (s dsSelector, err error) {
	left, right, ok := strings.Cut(word, "/")
	v, err1 := parseCount(left)
	m, err2 := parseCount(right)
	if !ok || err1 != nil || err2 != nil || v > 0xff || m > 0xff {
		return s, errors.New("give VALUE/MASK, two bytes such as 0x1/0x3")
	}
	return dsSelector{uint8(v), uint8(m)}, nil
}

func printFQ(cfg codel.FQConfig) string {
	out := fmt.Sprintf("limit %dp flows %d quantum %d target %s", *cfg.Limit, cfg.Flows, cfg.Quantum, formatCoDelTime(cfg.Target, cfg.Compat))
	if cfg.CEThreshold != nil {
		out += " ce_threshold " + formatCoDelTime(*cfg.CEThreshold, cfg.Compat)
		if cfg.CEMask != 0 {
			out += fmt.Sprintf(" ce_threshold_selector %#x/%#x", cfg.CESelector, cfg.CEMask)
		}
	}
	out += fmt.Sprintf(" interval %s memory_limit %s", formatCoDelTime(cfg.Interval, cfg.Compat), units.FormatSize(uint64(*cfg.MemoryLimit)))
	if !cfg.NoECN {
		out += " ecn"
	}
	return fmt.Sprintf("%s drop_batch %d", out, cfg.DropBatch)
}

// fqCounters are those of an fq_codel in tc's JSON.
type fqCounters struct {
	MaxPacket      uint32 `json:"maxpacket"`
	DropOverlimit  uint64 `json:"drop_overlimit"`
	NewFlowCount   uint64 `json:"new_flow_count"`
	ECNMark        uint64 `json:"ecn_mark"`
	CEMark         uint64 `json:"ce_mark,omitempty"`
	MemoryUsed     uint64 `json:"memory_used,omitempty"` // bytes
	DropOvermemory uint64 `json:"drop_overmemory,omitempty"`
	NewFlowsLen    int    `json:"new_flows_len"`
	OldFlowsLen    int    `json:"old_flows_len"`
}

func countFQ(q qdisc.Qdisc) counters {
	s := q.(*codel.FQ).Stats()
	return &fqCounters{
		MaxPacket: s.MaxPacket, DropOverlimit: s.DropOverlimit, NewFlowCount: s.NewFlowCount, ECNMark: s.ECNMark, CEMark: s.CEMark,
		MemoryUsed: uint64(s.MemoryUsed), DropOvermemory: s.DropOverMemory, NewFlowsLen: s.NewFlowsLen, OldFlowsLen: s.OldFlowsLen,
	}
}

func (c *fqCounters) String() string {
	return fmt.Sprintf("  maxpacket %d drop_overlimit %d new_flow_count %d ecn_mark %d%s%s%s\n  new_flows_len %d old_flows_len %d",
		c.MaxPacket, c.DropOverlimit, c.NewFlowCount, c.ECNMark,
		ifAny("ce_mark", c.CEMark), ifAny("memory_used", c.MemoryUsed), ifAny("drop_overmemory", c.DropOvermemory), c.NewFlowsLen, c.OldFlowsLen)
}
