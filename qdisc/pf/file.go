package pf

import (
	"strconv"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// File is what the queueing lines of a pf.conf say.
type File struct {
	Interfaces []Interface // the altq lines, one for each interface
	Queues     []Queue     // the queue lines
}

// Interface is an altq line.
type Interface struct {
	Pos
	Name      string
	Scheduler Scheduler
	Bandwidth Bandwidth
	QLimit    *int    // nil: none given
	TBRSize   *uint32 // bytes; nil: none given
	Queues    []Ref
}

// Queue is a queue line.
type Queue struct {
	Pos
	Name      string
	On        string // interface; "": every one that names the queue
	Bandwidth Bandwidth
	Priority  *int // nil: none given
	QLimit    *int // nil: none given
	Scheduler Scheduler
	Options   QueueOptions
	Queues    []Ref
}

// Ref is where a line names a queue below it.
type Ref struct {
	Pos
	Name string
}

// Scheduler is one of ALTQ's; "": none given.
type Scheduler string

// The schedulers that are here.
const (
	CBQ  Scheduler = "cbq"
	HFSC Scheduler = "hfsc"
	PRIQ Scheduler = "priq"
)

// QueueOptions are what stands in brackets after the scheduler of a queue.
type QueueOptions struct {
	Default bool
	Borrow  bool // of cbq
	CoDel   bool
	Missing []Ref // red, ecn, rio, flowvalve and cleardscp, which Build cannot build

	// Of hfsc; nil: none given.
	RealTime, LinkShare, UpperLimit *Curve
}

// Curve is a service curve of hfsc: First for D, and Second from then on. D = 0:
// Second alone.
type Curve struct {
	First  Bandwidth
	D      time.Duration // whole milliseconds
	Second Bandwidth
}

// Bandwidth is a rate or a percentage. The zero value is none given, and in a
// Curve a rate of 0.
type Bandwidth struct {
	Rate    qdisc.Rate
	Percent float64 // of the parent's bandwidth, above 0 to 100; 0: Rate counts
}

// valid tells whether b is a rate or a percentage that there can be.
func (b Bandwidth) valid() bool { return b.Percent >= 0 && b.Percent <= 100 }

// of returns the rate, where 100 % are all of it. It is rounded to a bit/s.
func (b Bandwidth) of(all qdisc.Rate) qdisc.Rate {
	if b.Percent == 0 {
		return b.Rate
	}
	return min(all, qdisc.Rate(float64(all)*b.Percent/100+0.5))
}

// String prints b as pf.conf has it, in the largest unit that divides it.
func (b Bandwidth) String() string {
	if b.Percent != 0 {
		return strconv.FormatFloat(b.Percent, 'f', -1, 64) + "%"
	}
	rate, i := uint64(b.Rate), 0
	names := [...]string{"b", "Kb", "Mb", "Gb"}
	for rate >= 1000 && rate%1000 == 0 && i < len(names)-1 {
		rate /= 1000
		i++
	}
	return strconv.FormatUint(rate, 10) + names[i]
}

// on returns the curve in rates.
func (c *Curve) on(all qdisc.Rate) hfsc.Curve {
	if c == nil {
		return hfsc.Curve{}
	}
	return hfsc.Curve{M1: c.First.of(all), D: c.D, M2: c.Second.of(all)}
}
