package builders

import (
	"strconv"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

func init() {
	trace.RegisterALTQ("priq", trace.ALTQKind{
		Build:     buildPRIQ,
		Unchecked: []string{"period"}, // times that a class ran empty; nobody asks
	})
}

func buildPRIQ(h *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
	q, err := priq.New(priq.Config{Default: h.Default(), Drops: altqDrops(h, env)})
	if err != nil {
		return nil, err
	}
	for i, c := range h.Classes {
		priority, err := strconv.Atoi(c.Params["prio"])
		if err != nil {
			return nil, err
		}
		leaf, err := altqLeaf(h, c)
		if err != nil {
			return nil, err
		}
		if err := q.AddClass(uint32(i+1), priq.ClassConfig{Priority: priority, Child: leaf}, trace.ALTQEpoch); err != nil {
			return nil, err
		}
	}
	root, err := altqRegulator(h, q, env)
	return &trace.ALTQTarget{
		Qdisc: root,
		ClassStat: func(class uint32, name string, _ qdisc.Time) (int64, bool) {
			return altqStat(q.Child(class), name)
		},
	}, err
}

// altqStat reads a counter of a class's queue.
func altqStat(q qdisc.Qdisc, name string) (int64, bool) {
	st := q.Common().ReadStats()
	switch name {
	case "xmit_packets":
		return int64(st.Dequeued), true
	case "xmit_bytes":
		return int64(st.SentBytes), true
	case "qlen":
		return int64(q.Len()), true
	}
	return 0, false
}
