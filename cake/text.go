package cake

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

// String writes the configuration in the words of tc, as "tc qdisc show" does:
// "bandwidth 20Mbit diffserv3 triple-isolate nonat nowash ...".
func (cfg Config) String() string {
	rtt := cfg.RTT
	if rtt == 0 {
		rtt = DefaultRTT
	}
	words := []string{"bandwidth", "unlimited"}
	if cfg.Bandwidth != 0 {
		words[1] = formatRate(cfg.Bandwidth)
	}
	add := func(on bool, yes string, no ...string) {
		if on {
			no = []string{yes}
		}
		words = append(words, no...)
	}
	add(cfg.Autorate, "autorate-ingress")
	words = append(words, cfg.Diffserv.String(), cfg.Isolation.String())
	add(cfg.NAT, "nat", "nonat")
	add(cfg.Wash, "wash", "nowash")
	add(cfg.Ingress, "ingress")
	words = append(words, cfg.AckFilter.String())
	add(cfg.NoSplit, "no-split-gso", "split-gso")
	words = append(words, "rtt", formatTime(rtt))
	overhead := 0
	if cfg.Overhead != nil {
		overhead = *cfg.Overhead
	}
	add(cfg.Overhead == nil, "raw")
	add(cfg.Overhead != nil || cfg.Link != NoATM, cfg.Link.String())
	words = append(words, "overhead", strconv.Itoa(overhead))
	add(cfg.MPU != 0, fmt.Sprint("mpu ", cfg.MPU))
	add(cfg.MemoryLimit != 0, "memlimit "+formatSize(cfg.MemoryLimit))
	add(cfg.FwMark != 0, fmt.Sprintf("fwmark 0x%x", cfg.FwMark))
	return strings.Join(words, " ")
}

// String writes the counters as the lines that "tc -s qdisc show" has for cake
// below those of every discipline.
func (s Stats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, " memory used: %s of %s\n", formatSize(s.MemoryUsed), formatSize(s.MemoryLimit))
	fmt.Fprintf(&b, " capacity estimate: %s\n", formatRate(s.Capacity))
	fmt.Fprintf(&b, " min/max network layer size: %12d / %7d\n", s.MinNet, s.MaxNet)
	fmt.Fprintf(&b, " min/max overhead-adjusted size: %8d / %7d\n", s.MinAdjusted, s.MaxAdjusted)
	fmt.Fprintf(&b, " average network hdr offset: %12d\n\n", s.NetOff)
	row := func(label string, column func(t *TinStats) any) {
		fmt.Fprintf(&b, "%-10s", label)
		for i := range s.Tins {
			fmt.Fprintf(&b, "%13v", column(&s.Tins[i]))
		}
		b.WriteByte('\n')
	}
	row("", func(t *TinStats) any { return t.Name })
	row("  thresh", func(t *TinStats) any { return formatRate(t.Threshold) })
	row("  target", func(t *TinStats) any { return formatTime(t.Target) })
	row("  interval", func(t *TinStats) any { return formatTime(t.Interval) })
	row("  pk_delay", func(t *TinStats) any { return formatTime(t.PeakDelay) })
	row("  av_delay", func(t *TinStats) any { return formatTime(t.AvgDelay) })
	row("  sp_delay", func(t *TinStats) any { return formatTime(t.BaseDelay) })
	row("  backlog", func(t *TinStats) any { return formatSize(t.Backlog) })
	row("  pkts", func(t *TinStats) any { return t.Packets })
	row("  bytes", func(t *TinStats) any { return t.Bytes })
	row("  way_inds", func(t *TinStats) any { return t.WayHits })
	row("  way_miss", func(t *TinStats) any { return t.WayMisses })
	row("  way_cols", func(t *TinStats) any { return t.WayShared })
	row("  drops", func(t *TinStats) any { return t.Drops })
	row("  marks", func(t *TinStats) any { return t.Marks })
	row("  ack_drop", func(t *TinStats) any { return t.AckDrops })
	row("  sp_flows", func(t *TinStats) any { return t.SparseFlows })
	row("  bk_flows", func(t *TinStats) any { return t.BulkFlows })
	row("  un_flows", func(t *TinStats) any { return t.Unresponsive })
	row("  max_len", func(t *TinStats) any { return t.MaxLen })
	row("  quantum", func(t *TinStats) any { return t.Quantum })
	return b.String()
}

// String writes the flow as "tc -s class show" does.
func (f FlowStats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, " (dropped %d)\n backlog %s %dp\n deficit %d count %d", f.Drops, formatSize(f.Backlog), f.Len, f.Deficit, f.Count)
	if f.Dropping {
		b.WriteString(" dropping")
	}
	if f.Count != 0 {
		sign := ""
		if f.DropNext < 0 {
			sign = "-"
		}
		fmt.Fprintf(&b, " drop_next %s%s", sign, formatTime(f.DropNext.Abs()))
	}
	if f.BlueDrop != 0 {
		fmt.Fprintf(&b, "\n blue_prob %.6f blue_timer %s", f.BlueDrop, formatTime(f.BlueTime))
	}
	return b.String() + "\n"
}

func formatRate(r qdisc.Rate) string { return units.FormatRate(uint64(r) / 8) }

func formatTime(d time.Duration) string { return units.FormatSigned(d.Microseconds()) }

func formatSize(bytes int64) string { return units.FormatSize(uint64(bytes)) }
