package tc

import (
	"fmt"
	"strings"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

var hfscClassWords = classWordsOf[hfsc.ClassConfig, hfsc.ClassStats, *hfsc.HFSC]{
	parse:  parseHFSCClass,
	print:  printHFSCClass,
	parent: func(cfg *hfsc.ClassConfig) *uint32 { return &cfg.Parent },
	root: func(h *hfsc.HFSC) classRow {
		height := 0
		for _, s := range h.Classes() {
			height = max(height, s.Level+1)
		}
		return classRow{own: &hfscCounters{Level: height}}
	},
	count: func(_ *hfsc.HFSC, s hfsc.ClassStats) (qdisc.ClassStats, counters) {
		return s.ClassStats, &hfscCounters{Period: s.Period, Work: s.Total, RTWork: s.Cumulative, Level: s.Level}
	},
}

// hfscCurves are the curves that a class may be given. "sc" is that for
// real time and for link sharing.
var hfscCurves = []option{
	{word: "rt", name: "rt", prefix: true},
	{word: "ls", name: "ls", prefix: true},
	{word: "sc", name: "sc", prefix: true},
	{word: "ul", name: "ul", prefix: true},
}

// parseHFSCClass reads the curves into cfg, which keeps those that are not
// named. Of a curve given twice the last counts.
func parseHFSCClass(w *words, cfg *hfsc.ClassConfig) error {
	var rt, ls, ul bool
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("curve", word, hfscCurves)
		if err != nil {
			return err
		}
		c, err := w.curve(name)
		if err != nil {
			return err
		}
		switch name {
		case "rt":
			cfg.RealTime, rt = c, true
		case "ls":
			cfg.LinkShare, ls = c, true
		case "sc":
			cfg.RealTime, cfg.LinkShare, rt, ls = c, c, true, true
		case "ul":
			cfg.UpperLimit, ul = c, true
		}
	}
	switch {
	case ul && !ls:
		return w.errorf("ul bounds link sharing; give ls or sc with it")
	case !rt && !ls:
		return w.errorf("give at least one curve: rt, ls or sc")
	}
	return nil
}

func printHFSCClass(cfg hfsc.ClassConfig) string {
	var out []string
	add := func(name string, c hfsc.Curve) {
		if !c.IsZero() {
			out = append(out, fmt.Sprintf("%s m1 %s d %s m2 %s", name, units.FormatRate(uint64(c.M1)/8),
				units.FormatTime(uint64(c.D/time.Microsecond)), units.FormatRate(uint64(c.M2)/8)))
		}
	}
	if cfg.RealTime == cfg.LinkShare {
		add("sc", cfg.RealTime)
	} else {
		add("rt", cfg.RealTime)
		add("ls", cfg.LinkShare)
	}
	add("ul", cfg.UpperLimit)
	return strings.Join(out, " ")
}

// hfscCounters are those of a class, work in bytes: all of it, and that by real
// time.
type hfscCounters struct {
	Period uint32 `json:"period"`
	Work   uint64 `json:"work,omitempty"`
	RTWork uint64 `json:"rtwork,omitempty"`
	Level  int    `json:"level"`
}

func (c *hfscCounters) String() string {
	out := fmt.Sprintf(" period %d", c.Period)
	if c.Work != 0 {
		out += fmt.Sprintf(" work %d bytes", c.Work)
	}
	if c.RTWork != 0 {
		out += fmt.Sprintf(" rtwork %d bytes", c.RTWork)
	}
	return fmt.Sprintf("%s level %d\n", out, c.Level) // tc leaves a line empty here
}
