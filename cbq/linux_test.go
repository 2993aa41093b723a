package cbq_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// tick is the unit of Linux's idle times, in ns.
const tick = 64

// linux replays a run of Linux's scheduler.
func (c *comparison) linux(t *testing.T, lines []string, byLink bool) {
	cfg := cbq.Config{}
	began := false
	for _, line := range lines {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		now := qdisc.Time(0)
		if began && w[0] != "end" && len(w[0]) == 1 && w[0] != "Q" && w[0] != "K" {
			now = qdisc.Time(number(t, w[1]))
		}
		switch w[0] {
		case "begin":
			began = true
		case "dev":
			cfg.Limit = new(int(number(t, w[8])))
		case "start":
			c.start = qdisc.Time(number(t, w[1]))
		case "qdisc":
			cfg.Bandwidth, cfg.AvgPacket = 8*qdisc.Rate(number(t, w[3])), uint32(number(t, w[5]))
			c.q = newCBQ(t, cfg)
			if byLink {
				c.link = cfg.Bandwidth
			}
		case "class":
			c.add(t, w[1:], c.start)
		case "A":
			c.add(t, w[2:], now)
		case "C":
			c.advance(now)
			id := uint32(number(t, w[2]))
			if cfg, ok := c.q.Class(id); ok {
				c.params(t, &cfg, w[3:])
				require.NoError(t, c.q.ChangeClass(id, cfg, now))
			}
		case "X":
			c.advance(now)
			_ = c.q.RemoveClass(uint32(number(t, w[2])), now) // as in the run, some have children
		case "L":
			c.advance(now)
			c.limit(t, uint32(number(t, w[2])), w[3:])
		case "R":
			c.q.Reset(now)
		case "E":
			c.enqueue(w[2], uint32(number(t, w[4])), uint32(number(t, w[3])), now)
		case "D", "P":
			if w[0] == "P" {
				c.q.Peek(now)
				continue
			}
			c.dequeue(w[3], now)
		}
	}
}

// add makes the class of a line: number, parent, parameters.
func (c *comparison) add(t *testing.T, w []string, now qdisc.Time) {
	id := uint32(number(t, w[0]))
	cfg := cbq.ClassConfig{Parent: uint32(number(t, w[2]))}
	c.params(t, &cfg, w[3:])
	require.NoError(t, c.q.AddClass(id, cfg, now))
	if i := slices.Index(w, "limit"); i >= 0 {
		c.limit(t, id, w[i+1:])
	}
}

func (c *comparison) limit(t *testing.T, id uint32, w []string) {
	leaf, ok := c.q.Child(id).(*fifo.FIFO)
	require.True(t, ok)
	limit := fifo.Config{Limit: new(int(number(t, w[1])))}
	if w[0] == "bfifo" {
		limit = fifo.Config{LimitBytes: new(number(t, w[1]))}
	}
	require.NoError(t, leaf.Change(limit, 0))
}

// params sets what the words name. The bursts come from the idle times, by tc's
// formulas backwards.
func (c *comparison) params(t *testing.T, cfg *cbq.ClassConfig, w []string) {
	number := func(key string) (float64, bool) {
		i := slices.Index(w, key)
		if i < 0 {
			return 0, false
		}
		return float64(number(t, w[i+1])), true
	}
	class := cbq.TCClass{
		Parent: cfg.Parent, Rate: cfg.Rate, Prio: cfg.Priority, AvgPacket: cfg.AvgPacket, MaxBurst: cfg.MaxBurst, MinBurst: cfg.MinBurst,
		MinIdle: cfg.MinIdle, Weight: cfg.Weight, Allot: 1, Bounded: cfg.Bounded, Isolated: cfg.Isolated,
	}
	if n, ok := number("rate"); ok {
		class.Rate = qdisc.Rate(8 * n)
	}
	if n, ok := number("prio"); ok {
		class.Prio = int(n)
	}
	if n, ok := number("weight"); ok {
		class.Weight = uint64(n)
		if a, ok := number("allot"); ok {
			class.Allot = uint32(a)
		}
	}
	if n, ok := number("avpkt"); ok {
		class.AvgPacket = uint32(n)
	}
	const ewma = 5
	g := 1 - math.Pow(2, -ewma)
	link := float64(c.q.Config().Bandwidth)
	more := float64(class.AvgPacket) * 8e9 * (1/float64(class.Rate) - 1/link)
	if n, ok := number("maxidle"); ok && more > 0 {
		class.MaxBurst = int(math.Round(math.Log1p(n*tick/32/more) / -math.Log(g)))
	}
	if n, ok := number("offtime"); ok && more > 0 && n*tick > more {
		class.MinBurst = 1 + int(math.Round(math.Log1p((n*tick/more-1)/32)/-math.Log(g)))
	}
	if n, ok := number("minidle"); ok {
		class.MinIdle = time.Duration(max(n, 1) * tick / 32)
	}
	for _, word := range w {
		class.Bounded = class.Bounded || word == "bounded"
		class.Isolated = class.Isolated || word == "isolated"
	}
	*cfg = class.Config()
}

var linuxDefects = map[string]defect{
	"cbq-deep": {70_000, pardoned},
}

// TestAgainstLinux compares with Linux's scheduler.
func TestAgainstLinux(t *testing.T) {
	for name, lines := range recorded(t, "classful/cbq-*.trace.gz") {
		t.Run(name, func(t *testing.T) {
			c := newComparison()
			c.linux(t, lines, !slices.Contains(asked, name))
			c.judge(t, linuxDefects[name])
		})
	}
}
