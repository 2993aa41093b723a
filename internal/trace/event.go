package trace

import (
	"fmt"
	"slices"
	"strings"
)

// ID names a packet of a run. Numbers start at 1.
type ID struct {
	Packet  uint64
	Segment int // 0: the whole packet; k: segment k-1 of a super-packet
}

// String writes 12, or 12.0 for a first segment.
func (id ID) String() string {
	if id.Segment == 0 {
		return fmt.Sprint(id.Packet)
	}
	return fmt.Sprintf("%d.%d", id.Packet, id.Segment-1)
}

func compareIDs(a, b ID) int {
	if a.Packet != b.Packet {
		if a.Packet < b.Packet {
			return -1
		}
		return 1
	}
	return a.Segment - b.Segment
}

// Event is what happened to a packet during an operation.
type Event struct {
	Kind     byte // x: dropped; k: removed by the ACK filter; g: cut into segments
	ID       ID
	Segments int // of g
}

// String writes the event as a tag, without the remark on where the packet
// stood.
func (e Event) String() string {
	if e.Kind == 'g' {
		return fmt.Sprintf("g%v:%d", e.ID, e.Segments)
	}
	return fmt.Sprintf("%c%v", e.Kind, e.ID)
}

func sameEvents(a, b []Event) bool { return slices.Equal(a, b) }

// sortEvents makes a set of drops comparable.
func sortEvents(l []Event) {
	slices.SortFunc(l, func(a, b Event) int { return compareIDs(a.ID, b.ID) })
}

// ids lists the packets of drop events.
func ids(l []Event) string {
	var b strings.Builder
	for _, e := range l {
		b.WriteString(" " + e.ID.String())
	}
	return b.String()
}
