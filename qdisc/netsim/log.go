package netsim

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// EventKind says what happened to a packet.
type EventKind uint8

// The events, in the order of a packet's life.
const (
	Emitted     EventKind = iota // a source made it
	Arrived                      // it came to a link or device
	Dropped                      // a discipline dropped it; see Reason
	Transmitted                  // its last bit left for the line
	Collided                     // its transmission on a Medium met another's
	GivenUp                      // it collided too often
	Lost                         // the line lost it
	Delivered                    // it came out of a link or device
)

var eventNames = [...]string{"emitted", "arrived", "dropped", "transmitted", "collided", "given up", "lost", "delivered"}

// String names the event.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown event"
}

// Event is an entry of the event log: what happened, when, where (the Name of a
// link or source) and to which packet.
type Event struct {
	At      qdisc.Time
	Kind    EventKind
	Reason  qdisc.Reason // of a packet dropped
	DSField uint8
	Len     uint32
	Flow    uint32
	Seq     uint64
	Where   string
}

// String prints the event as a line of a log.
func (e Event) String() string {
	s := fmt.Sprintf("%d %s %s flow=%d seq=%d len=%d ds=%#02x", int64(e.At), e.Where, e.Kind, e.Flow, e.Seq, e.Len, e.DSField)
	if e.Kind == Dropped {
		s += " reason=" + e.Reason.String()
	}
	return s
}

// OnEvent has f called at every event from now on; nil: no more. f must not
// call into the world.
func (s *Sim) OnEvent(f func(Event)) { s.log = f }

// Note adds an event to the log, if somebody reads it.
func (s *Sim) Note(kind EventKind, where string, p *Packet) {
	if s.log != nil {
		s.log(Event{s.now, kind, p.Reason, p.DSField, p.Len, p.Flow, p.Seq, where})
	}
}
