package trace

import (
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// ALTQ is a run of a BSD queueing discipline, of the third format.
type ALTQ struct {
	*text
	Header ALTQHeader
	ops    []altqOp
	totals []stat
	queues []classValues
}

// ALTQHeader is the configuration of a run.
type ALTQHeader struct {
	Discipline  string // cbq, hfsc, priq, fairq
	Hz          uint64 // clock ticks a second
	MachClk     uint64 // ticks a second of the machine clock
	MTU         int    // bytes
	Seed        uint32 // of Xorshift
	TokenBucket bool   // one at the interface bandwidth stands in front
	Interface   string // the altq line, after the name of the interface
	Queues      []ALTQQueue
	Classes     []ALTQClass // what the lines above came to
}

// ALTQQueue is a queue line of pf.conf. Its text holds what the class lines do
// not: words such as red, ecn, codel, and the buckets of fairq.
type ALTQQueue struct{ Name, Text string }

// Has tells whether the queue's options name word.
func (q ALTQQueue) Has(word string) bool {
	_, opts, _ := strings.Cut(q.Text, "(")
	for _, w := range strings.FieldsFunc(opts, func(r rune) bool { return strings.ContainsRune(" ,()", r) }) {
		if w == word {
			return true
		}
	}
	return false
}

// ALTQClass is a queue as it was created. Classes are numbered from 1 in this
// order.
type ALTQClass struct {
	Name    string
	Parent  uint32 // number; 0: none
	Inner   bool
	Default bool
	Params  map[string]string // as configured
	Kernel  map[string]string // as the reference computed them
}

// Class returns the number of the class of that name, 0 if there is none.
func (h *ALTQHeader) Class(name string) uint32 {
	for i := range h.Classes {
		if h.Classes[i].Name == name {
			return uint32(i + 1)
		}
	}
	return 0
}

// Default returns the number of the default class, 0 if there is none.
func (h *ALTQHeader) Default() uint32 {
	for i := range h.Classes {
		if h.Classes[i].Default {
			return uint32(i + 1)
		}
	}
	return 0
}

// altqOp is one operation and its outcome.
type altqOp struct {
	line    int
	verb    byte // E D P A
	at      qdisc.Time
	arrival ALTQArrival
	want    ALTQOutcome
}

// ALTQArrival is a packet as an E line of the third format describes it.
type ALTQArrival struct {
	ID    uint64
	Len   uint32 // bytes
	Class uint32 // number; 0: unclassified
	ECT   bool   // IPv4 and ECN-capable
	Flow  uint32
}

// ALTQOutcome is what one operation did.
type ALTQOutcome struct {
	verb  byte
	OK    bool // of E: no loss was reported
	ID    ID   // of the packet that D or P gave; zero: none
	CE    bool
	Drops []Event
}

func (o *ALTQOutcome) equal(p *ALTQOutcome) bool {
	return o.OK == p.OK && o.ID == p.ID && o.CE == p.CE && sameEvents(o.Drops, p.Drops)
}

// String writes the outcome as it stands after the equals sign.
func (o *ALTQOutcome) String() string {
	word := "-"
	switch {
	case o.verb == 'E' && o.OK:
		word = "ok"
	case o.verb == 'E':
		word = "no"
	case o.ID != ID{}:
		word = o.ID.String()
	}
	if o.CE {
		word += " ce"
	}
	if len(o.Drops) > 0 {
		word += " drop" + ids(o.Drops)
	}
	return word
}

// Kind names the discipline.
func (a *ALTQ) Kind() string { return "altq " + a.Header.Discipline }

// Operations returns the number of operations.
func (a *ALTQ) Operations() int { return len(a.ops) }
