package tc

import (
	"encoding/json"
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// ShowStats prints the counters of q, with those of everything below it, as
// the two lines that "tc -s" adds. Dropped are the packets refused or lost
// later, but not those that the owner threw away by a reset or a change.
// Nothing is ever requeued here.
func ShowStats(q qdisc.Qdisc) string {
	r := report(q)
	return fmt.Sprintf(" Sent %d bytes %d pkt (dropped %d, overlimits %d requeues %d)\n backlog %s %dp requeues %d",
		r.Bytes, r.Packets, r.Drops, r.Overlimits, r.Requeues, formatSize(uint64(r.Backlog)), r.Len, r.Requeues)
}

// Report is one discipline as "tc -s -j" prints it in JSON, without its
// options.
type Report struct {
	Kind   string `json:"kind"`
	Handle string `json:"handle,omitempty"` // in a Tree: "1:"
	Root   bool   `json:"root,omitempty"`   // in a Tree
	Parent string `json:"parent,omitempty"` // in a Tree: the parent's class, "1:1"

	Bytes      uint64 `json:"bytes"`
	Packets    uint64 `json:"packets"`
	Drops      uint64 `json:"drops"`
	Overlimits uint64 `json:"overlimits"`
	Requeues   uint64 `json:"requeues"`
	Backlog    int64  `json:"backlog"` // bytes
	Len        int    `json:"qlen"`    // packets
}

// JSON prints the counters of q as "tc -s -j" does.
func JSON(q qdisc.Qdisc) ([]byte, error) { return json.Marshal(report(q)) }

func report(q qdisc.Qdisc) Report {
	name, _ := describe(q)
	s := q.Common().ReadStats()
	return Report{
		Kind:       name,
		Bytes:      s.SentBytes,
		Packets:    s.Dequeued,
		Drops:      s.Refused + s.Dropped,
		Overlimits: s.Overlimits,
		Backlog:    q.Backlog(),
		Len:        q.Len(),
	}
}
