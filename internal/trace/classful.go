package trace

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// Classful is a run of a scheduler with classes (or of tbf), of the second
// format. Rates are in bytes/s.
type Classful struct {
	*text
	Header ClassfulHeader
	infos  []classValues // of the header
	ops    []classfulOp
	end    qdisc.Time
	totals []stat
	class  []classValues
}

// ClassfulHeader is the configuration of a run.
type ClassfulHeader struct {
	Discipline string
	Params     Params
	Device     Device
	Start      qdisc.Time
	Classes    []ClassDef
}

// ClassDef is a class to be made: of the header in order, or by an A line.
type ClassDef struct {
	Class, Parent uint32 // Parent 0: the discipline itself
	Params        Params
	Limit         *LeafLimit // nil: the device's queue length in packets

	line int
}

// classValues is a line of numbers about one class: an info line (derived from
// its parameters), a K line or, in the third format, a stat line.
type classValues struct {
	class  uint32
	values []stat
}

// classfulOp is one operation and its outcome.
type classfulOp struct {
	line    int
	verb    byte // E D P T S C A X L G R
	at      qdisc.Time
	arrival ClassfulArrival
	class   ClassDef      // of C A X L; of G its Params
	queue   int           // of S
	stop    bool          // of S
	infos   []classValues // that follow a C or A
	want    ClassfulOutcome
}

// ClassfulArrival is a packet as an E line of the second format describes it.
type ClassfulArrival struct {
	ID       uint64
	Len      uint32 // bytes
	Class    uint32 // what Class means is the discipline's
	Priority uint32 // instead of a class, if ByPriority
	Queue    uint16 // hardware queue

	ByPriority bool
}

// wakeWork stands for "call again at once", qdisc.Never for no wake-up.
const wakeWork qdisc.Time = -1

// ClassfulOutcome is what one operation did.
type ClassfulOutcome struct {
	verb    byte
	Verdict string // of E: ok drop cn nocls; of a change: ok or err n
	ID      ID     // of the packet that D, P or T gave; zero: none
	Blocked bool   // T: the packet's hardware queue is stopped
	Len     int    // if none came
	Wake    qdisc.Time
	Drops   []Event // of a change: in order of number
}

func (o *ClassfulOutcome) equal(p *ClassfulOutcome) bool {
	return o.Verdict == p.Verdict && o.ID == p.ID && o.Blocked == p.Blocked && o.Len == p.Len &&
		o.Wake == p.Wake && sameEvents(o.Drops, p.Drops)
}

// String writes the outcome as it stands after the equals sign.
func (o *ClassfulOutcome) String() string {
	drops := ids(o.Drops)
	switch o.verb {
	case 'E':
		return o.Verdict + drops
	case 'D', 'P', 'T':
	default:
		if drops != "" {
			drops = " drop" + drops
		}
		return o.Verdict + drops
	}
	switch {
	case o.Blocked:
		return "! " + o.ID.String() + drops
	case o.ID != ID{}:
		return o.ID.String() + drops
	}
	return fmt.Sprintf("- %d %s%s", o.Len, wakeString(o.Wake), drops)
}

func wakeString(t qdisc.Time) string {
	switch t {
	case wakeWork:
		return "work"
	case qdisc.Never:
		return "-"
	}
	return fmt.Sprint(int64(t))
}

// Kind names the discipline.
func (c *Classful) Kind() string { return "classful " + c.Header.Discipline }

// Operations returns the number of operations.
func (c *Classful) Operations() int { return len(c.ops) }
