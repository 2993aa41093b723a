package trace

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// RateLevel has the runs of a kind compared by the bytes that each class gets
// within each second, not packet by packet. It is for references that are known
// to be inaccurate, or that differ by design in when a packet leaves but not in
// how many do.
//
// The discipline is offered the same packets at the same times, and within a
// second each class must get what the reference gave it, to some packets; in all
// seconds together to twice as many, which a rate that is a little wrong soon
// exceeds. (A packet that stays a moment longer may fill a queue, and what is
// lost for that does not come back: hence twice.) Where the reference has
// a known defect, how far off it is is part of the comparison, too. Packets
// for a class that is not there count for none.
type RateLevel struct {
	// Defects are those of the reference, by the name of the run, without
	// folder and ending.
	Defects map[string]Defect
}

// RateSetup is what the builder of a run that is compared at the level of rates
// says besides.
type RateSetup struct {
	// Link is the rate of the link. If it drained the reference, asking for a
	// packet when the one before was out, one of this rate drains the
	// discipline: its own packets make it busy, and it is woken at its own
	// times. 0, or if the reference was asked otherwise: the discipline is asked
	// when the reference was.
	Link qdisc.Rate
	// Packets is the tolerance: how many of the run's longest packets a class
	// may get more or less within a second.
	Packets int
}

// rateWindow is a second.
const rateWindow qdisc.Time = 1e9

// Defect is a known fault of a reference, and what it does to a run.
type Defect struct {
	Fact string // in plain words
	// Leads are how far the classes that it concerns, by name, get ahead of
	// the reference. Other classes are compared as in any run.
	Leads map[string]Lead
}

// Lead is the most bytes that a class is ahead of the reference and behind, of
// all that was sent until the end of any second. Each must be between half of
// the number and the number, or, if it is 0, within the tolerance.
type Lead struct{ Ahead, Behind int64 }

// Rates is the outcome of a comparison of bytes.
type Rates struct {
	Classes   []ClassRates // that sent anything, by number
	Tolerance int64        // bytes within a second
	Defect    *Defect      // of the reference, in this run; nil: none is known
}

// ClassRates is what a class sent, in bytes.
type ClassRates struct {
	Class           uint32
	Name            string
	Ours, Reference int64
	Apart           int64 // the largest difference within a second
	Ahead, Behind   int64 // the most that all that was sent was apart at the end of a second

	windowOurs, windowReference int64
	line                        int // where Apart was
}

// String writes a class's figures.
func (c *ClassRates) String() string {
	return fmt.Sprintf("class %s: %d bytes, the reference %d (%+.2f %%); within a second at most %d apart, in all at most %d ahead and %d behind",
		c.Name, c.Ours, c.Reference, 100*float64(c.Ours-c.Reference)/float64(max(c.Reference, 1)), c.Apart, c.Ahead, c.Behind)
}

// Summary describes the comparison in one line.
func (r *Rates) Summary() string {
	worst := int64(0)
	for i := range r.Classes {
		worst = max(worst, r.Classes[i].Apart)
	}
	s := fmt.Sprintf("%d classes at most %d bytes apart within a second, tolerance %d", len(r.Classes), worst, r.Tolerance)
	if r.Defect != nil {
		s += "; the reference is known to be wrong: " + r.Defect.Fact
	}
	return s
}

// Details lists the classes, a line each.
func (r *Rates) Details() string {
	lines := make([]string, len(r.Classes))
	for i := range r.Classes {
		lines[i] = r.Classes[i].String()
	}
	return strings.Join(lines, "\n")
}

// endWindow counts a second as over.
func (c *ClassRates) endWindow(line int) {
	if d := max(c.windowOurs-c.windowReference, c.windowReference-c.windowOurs); d > c.Apart {
		c.Apart, c.line = d, line
	}
	c.Ahead, c.Behind = max(c.Ahead, c.Ours-c.Reference), max(c.Behind, c.Reference-c.Ours)
	c.windowOurs, c.windowReference = 0, 0
}

// wrong says what the class should have sent, "" if it did.
func (c *ClassRates) wrong(r *Rates) string {
	if r.Defect != nil {
		if lead, ok := r.Defect.Leads[c.Name]; ok {
			if within(c.Ahead, lead.Ahead, r.Tolerance) && within(c.Behind, lead.Behind, r.Tolerance) {
				return ""
			}
			return fmt.Sprintf("class %s in all about %d bytes ahead and %d behind, because of the reference: %s", c.Name, lead.Ahead, lead.Behind, r.Defect.Fact)
		}
	}
	if c.Apart > r.Tolerance {
		return fmt.Sprintf("class %s within a second at most %d apart", c.Name, r.Tolerance)
	}
	if max(c.Ahead, c.Behind) > 2*r.Tolerance {
		return fmt.Sprintf("class %s in all at most %d apart", c.Name, 2*r.Tolerance)
	}
	return ""
}

// within tells whether a lead is as large as expected.
func within(got, want, tolerance int64) bool {
	if want == 0 {
		return got <= tolerance
	}
	return want/2 <= got && got <= want
}

// runName is the name by which a run's defect is found.
func runName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(strings.ReplaceAll(file, "\\", "/")), ".gz"), ".trace")
}

// sorted returns the classes by number.
func sorted(m map[uint32]*ClassRates) (l []ClassRates) {
	for _, c := range m {
		l = append(l, *c)
	}
	slices.SortFunc(l, func(a, b ClassRates) int { return cmp.Compare(a.Class, b.Class) })
	return l
}
