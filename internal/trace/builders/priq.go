package builders

import (
	"strconv"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

func init() {
	trace.RegisterALTQ("priq", trace.ALTQKind{
		Build:     buildPRIQ,
		Unchecked: []string{"period"}, // times that a class ran empty; nobody asks
	})
}

// buildPRIQ makes a prio: PRIQ is the same discipline, with 16 priorities of
// one class each, the highest first.
func buildPRIQ(h *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
	if h.TokenBucket {
		return nil, trace.Missing("a token bucket in front of it")
	}
	for _, q := range h.Queues {
		for _, word := range []string{"red", "ecn", "rio", "codel"} {
			if q.Has(word) {
				return nil, trace.Missing("option %s of a queue", word)
			}
		}
	}
	// band holds the prio's class for each class of the run, 0 unclassified.
	band := make([]uint32, len(h.Classes)+1)
	q, err := prio.New(prio.Config{
		Bands:    prio.MaxBands,
		Classify: func(p *qdisc.Packet) uint32 { return band[p.Class] },
		Drops:    env.Drops,
	})
	if err != nil {
		return nil, err
	}
	for i, c := range h.Classes {
		priority, err := strconv.Atoi(c.Params["prio"])
		if err != nil {
			return nil, err
		}
		limit, err := strconv.Atoi(c.Params["qlimit"])
		if err != nil {
			return nil, err
		}
		leaf, err := fifo.New(fifo.Config{Limit: &limit})
		if err != nil {
			return nil, err
		}
		band[i+1] = uint32(prio.MaxBands - priority)
		if err := q.SetChild(band[i+1], leaf, trace.ALTQEpoch); err != nil {
			return nil, err
		}
	}
	band[0] = band[h.Default()]
	return &trace.ALTQTarget{
		Qdisc: q,
		ClassStat: func(class uint32, name string, _ qdisc.Time) (int64, bool) {
			st := q.Child(band[class]).Common().ReadStats()
			switch name {
			case "xmit_packets":
				return int64(st.Dequeued), true
			case "xmit_bytes":
				return int64(st.SentBytes), true
			case "qlen":
				return int64(q.Child(band[class]).Len()), true
			}
			return 0, false
		},
	}, nil
}
