package tc

import (
	"encoding/json"
	"fmt"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

// ShowStats prints the counters of q, with those of everything below it, as
// the lines that "tc -s" adds: two, and those of the kind's own. Dropped are
// the packets refused or lost later, but not those that the owner threw away by
// a reset or a change. Nothing is ever requeued here.
func ShowStats(q qdisc.Qdisc) string {
	r := report(q)
	return r.lines()
}

// lines prints the counters without the end of the last line.
func (r *Report) lines() string {
	out := fmt.Sprintf(" Sent %d bytes %d pkt (dropped %d, overlimits %d requeues %d)\n backlog %s %dp requeues %d",
		r.Bytes, r.Packets, r.Drops, r.Overlimits, r.Requeues, units.FormatSize(uint64(r.Backlog)), r.Len, r.Requeues)
	if r.own != nil {
		out += "\n" + r.own.String()
	}
	return out
}

// Report is one discipline as "tc -s -j" prints it in JSON, without its
// options. The counters that only its kind has follow as further members of
// the same object, named as tc names them, times in us.
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

	own counters // nil: none
}

// MarshalJSON adds the kind's own counters.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	all, err := json.Marshal(plain(r))
	if err != nil || r.own == nil {
		return all, err
	}
	own, err := json.Marshal(r.own)
	if err != nil {
		return nil, err
	}
	all[len(all)-1] = ','
	return append(all, own[1:]...), nil
}

// JSON prints the counters of q as "tc -s -j" does.
func JSON(q qdisc.Qdisc) ([]byte, error) { return json.Marshal(report(q)) }

func report(q qdisc.Qdisc) Report {
	k, _ := describe(q)
	r := reportOf(statsOf(q))
	r.Kind = k.name
	if k.count != nil {
		r.own = k.count(q)
	}
	return r
}

// reportOf reports the counters that all have.
func reportOf(s qdisc.ClassStats) Report {
	return Report{
		Bytes:      s.SentBytes,
		Packets:    s.Dequeued,
		Drops:      s.Refused + s.Dropped,
		Overlimits: s.Overlimits,
		Backlog:    s.Backlog,
		Len:        s.Len,
	}
}

func statsOf(q qdisc.Qdisc) qdisc.ClassStats {
	return qdisc.ClassStats{Stats: q.Common().ReadStats(), Len: q.Len(), Backlog: q.Backlog()}
}
