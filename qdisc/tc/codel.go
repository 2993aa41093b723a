package tc

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

var codelWords = wordsOf[codel.Config, *codel.CoDel]{
	blank: func(opt *Options) codel.Config {
		return codel.Config{MTU: opt.codelMTU(), Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn}
	},
	parse: parseCoDel, create: codel.New, print: printCoDel,
}

var codelOptions = []option{
	{word: "limit", name: "limit"},
	{word: "target", name: "target"},
	{word: "interval", name: "interval"},
	{word: "ecn", name: "ecn"},
	{word: "noecn", name: "noecn"},
	{word: "ce_threshold", name: "ce_threshold"},
}

// parseCoDel reads the options into cfg, which keeps what is not named. Of an
// option given twice the last counts.
func parseCoDel(w *words, _ *Options, cfg *codel.Config) error {
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, codelOptions)
		if err != nil {
			return err
		}
		switch name {
		case "limit":
			cfg.Limit, err = w.limit()
		case "target":
			cfg.Target, err = w.codelTime(name)
		case "interval":
			cfg.Interval, err = w.codelTime(name)
		case "ecn", "noecn":
			cfg.ECN = name == "ecn"
		case "ce_threshold":
			cfg.CEThreshold, err = w.ceThreshold()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// codelTime reads a target or an interval. In a Config 0 is the default, so
// 1 ns stands for 0: it too counts as 0 us, and in the kernel's clock as 0.
func (w *words) codelTime(name string) (time.Duration, error) {
	us, err := value(w, name, parseTime)
	return max(microseconds(us), 1), err
}

func (w *words) ceThreshold() (*time.Duration, error) {
	us, err := value(w, "ce_threshold", parseTime)
	return new(microseconds(us)), err
}

func microseconds(us uint32) time.Duration { return time.Duration(us) * time.Microsecond }

// codelMTU is the longest packet, which may wait alone without being judged.
func (o *Options) codelMTU() int { return min(o.MTU, codel.MaxMTU) }

func printCoDel(cfg codel.Config) string {
	out := fmt.Sprintf("limit %dp target %s", *cfg.Limit, formatCoDelTime(cfg.Target, cfg.Compat))
	if cfg.CEThreshold != nil {
		out += " ce_threshold " + formatCoDelTime(*cfg.CEThreshold, cfg.Compat)
	}
	out += " interval " + formatCoDelTime(cfg.Interval, cfg.Compat)
	if cfg.ECN {
		out += " ecn"
	}
	return out
}

// formatCoDelTime prints a time as the kernel keeps it, in units of 1024 ns:
// 100 us is shown as 99us.
func formatCoDelTime(d time.Duration, compat qdisc.Compat) string {
	if compat == qdisc.Linux {
		d = d.Truncate(time.Microsecond) >> 10 << 10
	}
	return units.FormatTime(uint64(d / time.Microsecond))
}

// codelCounters are those of a codel in tc's JSON, times in us.
type codelCounters struct {
	Count         uint32 `json:"count"`
	LastCount     uint32 `json:"lastcount"`
	Delay         int64  `json:"ldelay"`
	Dropping      bool   `json:"dropping,omitempty"`
	DropNext      int64  `json:"drop_next"`
	MaxPacket     uint32 `json:"maxpacket"`
	ECNMark       uint64 `json:"ecn_mark"`
	DropOverlimit uint64 `json:"drop_overlimit"`
	CEMark        uint64 `json:"ce_mark,omitempty"`
}

func countCoDel(q qdisc.Qdisc) counters {
	s := q.(*codel.CoDel).Stats(0) // as of the latest time seen
	return &codelCounters{
		Count: s.Count, LastCount: s.LastCount, Delay: s.Delay.Microseconds(), Dropping: s.Dropping, DropNext: s.DropNext.Microseconds(),
		MaxPacket: s.MaxPacket, ECNMark: s.ECNMark, DropOverlimit: s.DropOverlimit, CEMark: s.CEMark,
	}
}

func (c *codelCounters) String() string {
	dropping := ""
	if c.Dropping {
		dropping = " dropping"
	}
	return fmt.Sprintf("  count %d lastcount %d ldelay %s%s drop_next %s\n  maxpacket %d ecn_mark %d drop_overlimit %d%s",
		c.Count, c.LastCount, units.FormatSigned(c.Delay), dropping, units.FormatSigned(c.DropNext),
		c.MaxPacket, c.ECNMark, c.DropOverlimit, ifAny("ce_mark", c.CEMark))
}

// ifAny prints a counter that tc leaves out while it is 0.
func ifAny(name string, n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %s %d", name, n)
}
