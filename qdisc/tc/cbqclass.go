package tc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

var cbqClassWords = classWordsOf[cbq.ClassConfig, cbq.ClassStats, *cbq.CBQ]{
	parse:  parseCBQClass,
	print:  printCBQClass,
	parent: func(cfg *cbq.ClassConfig) *uint32 { return &cfg.Parent },
	root:   func(q *cbq.CBQ) classRow { return classRow{options: printLink(q.Config().Bandwidth)} },
	count:  countCBQClass,
}

var cbqClassOptions = []option{
	{word: "rate", name: "rate", prefix: true},
	{word: "bandwidth", name: "bandwidth", prefix: true},
	{word: "prio", name: "prio", prefix: true},
	{word: "allot", name: "allot", prefix: true},
	{word: "weight", name: "weight", prefix: true},
	{word: "avpkt", name: "avpkt", prefix: true},
	{word: "maxburst", name: "maxburst", prefix: true},
	{word: "minburst", name: "minburst", prefix: true},
	{word: "minidle", name: "minidle", prefix: true},
	{word: "ewma", name: "ewma", prefix: true},
	{word: "cell", name: "cell", prefix: true},
	{word: "mpu", name: "mpu", prefix: true},
	{word: "bounded", name: "bounded", prefix: true},
	{word: "borrow", name: "borrow", prefix: true},
	{word: "isolated", name: "isolated", prefix: true},
	{word: "sharing", name: "sharing", prefix: true},
	{word: "split", name: "split", prefix: true},
	{word: "defmap", name: "defmap", prefix: true},
}

// parseCBQClass reads the options into cfg, which keeps what is not named; but
// weight and allot count by their product, so that naming one gives the other
// its default. Of an option given twice the last counts.
func parseCBQClass(w *words, cfg *cbq.ClassConfig) error {
	c := cfg.TC()
	weighed := c.Weight == 0
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, cbqClassOptions)
		if err != nil {
			return err
		}
		if !weighed && (name == "weight" || name == "allot") {
			weighed, c.Weight, c.Allot = true, 0, 0
		}
		if err := w.cbqOption(name, &c); err != nil {
			return err
		}
	}
	switch {
	case c.Rate == 0:
		return w.errorf("rate is required, and is at least 8bit, one byte a second")
	case c.Bandwidth == 0 && (c.MaxBurst != 0 || c.MinBurst != 0):
		return w.errorf("maxburst and minburst need bandwidth, that of the link")
	}
	if weighed {
		c.Allot = uint32(max(uint64(c.Allot), uint64(c.AvgPacket)*3/2)) // as tc does
	}
	*cfg = c.Config()
	return nil
}

// cbqOption takes the value of one option.
func (w *words) cbqOption(name string, c *cbq.TCClass) (err error) {
	switch name {
	case "rate":
		c.Rate, err = w.rate(name)
	case "bandwidth":
		c.Bandwidth, err = w.rate(name)
	case "prio":
		c.Prio, err = value(w, name, parseCBQPrio)
	case "allot":
		c.Allot, err = value(w, name, parseSize)
	case "weight":
		var n uint32
		n, err = value(w, name, parseSize)
		c.Weight = uint64(n)
	case "avpkt":
		c.AvgPacket, err = value(w, name, parseSize)
	case "maxburst":
		c.MaxBurst, err = w.count(name)
	case "minburst":
		c.MinBurst, err = w.count(name)
	case "minidle":
		var us uint32
		us, err = value(w, name, parseCount)
		c.MinIdle = microseconds(us)
	case "ewma":
		c.EWMA, err = w.ewma()
	case "bounded", "borrow":
		c.Bounded = name == "bounded"
	case "isolated", "sharing":
		c.Isolated = name == "isolated"
	case "split", "defmap":
		err = w.errorf("%s chooses a class by priority; that is the program's own, in Packet.Class, Config.Classify or Config.Default", name)
	default:
		err = w.rateTable(name)
	}
	return err
}

// lowestCBQPrio is that of a class that names none. tc takes it for one that
// sends nothing of its own.
const lowestCBQPrio = 8

func parseCBQPrio(word string) (int, error) {
	n, err := parseDec(word)
	if err != nil || n == 0 || n > lowestCBQPrio {
		return 0, fmt.Errorf("a priority is 1, served first, to %d", lowestCBQPrio)
	}
	return int(n), nil
}

func printCBQClass(cfg cbq.ClassConfig) string {
	out := "rate " + units.FormatRate(uint64(cfg.Rate)/8)
	var flags []string
	if cfg.Bounded {
		flags = append(flags, "bounded")
	}
	if cfg.Isolated {
		flags = append(flags, "isolated")
	}
	if flags != nil {
		out += " (" + strings.Join(flags, ",") + ")"
	}
	if cfg.Priority == lowestCBQPrio {
		return out + " prio no-transmit"
	}
	return out + " prio " + strconv.Itoa(cfg.Priority)
}

// cbqCounters are those of a class, times in us: the undertime is for how long
// it is over its limit yet.
type cbqCounters struct {
	Borrowed    uint64 `json:"borrowed"`
	Overactions uint64 `json:"overactions"`
	AvgIdle     int64  `json:"avgidle"`
	UnderTime   int64  `json:"undertime"`
}

func countCBQClass(q *cbq.CBQ, s cbq.ClassStats) (qdisc.ClassStats, counters) {
	under := max(0, s.UnderTime.Sub(q.Latest()))
	return s.ClassStats, &cbqCounters{s.Borrows, s.Overactions, s.AvgIdle.Microseconds(), under.Microseconds()}
}

func (c *cbqCounters) String() string {
	return fmt.Sprintf("  borrowed %d overactions %d avgidle %d undertime %d", c.Borrowed, c.Overactions, c.AvgIdle, c.UnderTime)
}
