package builders

import (
	"strconv"
	"strings"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/pf"
	"github.com/netsched/netsched/qdisc/priq"
)

func init() {
	trace.RegisterALTQ("priq", trace.ALTQKind{
		Build:     buildPRIQ,
		Unchecked: []string{"period"}, // times that a class ran empty; nobody asks
	})
}

func buildPRIQ(h *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
	drops := env.Drops
	if h.TokenBucket {
		drops = nil // the regulator's serves both
	}
	q, err := priq.New(priq.Config{Default: h.Default(), Drops: drops})
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
	target := &trace.ALTQTarget{
		Qdisc: q,
		ClassStat: func(class uint32, name string, _ qdisc.Time) (int64, bool) {
			return altqStat(q.Child(class), name)
		},
	}
	if h.TokenBucket {
		target.Qdisc, err = altqRegulator(h, q, env)
	}
	return target, err
}

// altqLeaf makes the queue of a class of pf.conf.
func altqLeaf(h *trace.ALTQHeader, c trace.ALTQClass) (qdisc.Qdisc, error) {
	limit, err := strconv.Atoi(c.Params["qlimit"])
	if err != nil {
		return nil, err
	}
	var text trace.ALTQQueue
	for _, q := range h.Queues {
		if q.Name == c.Name {
			text = q
		}
	}
	for _, word := range []string{"red", "ecn", "rio"} {
		if text.Has(word) {
			return nil, trace.Missing("option %s of a queue", word)
		}
	}
	if text.Has("codel") { // a peek here promises the packet
		return nil, trace.Missing("option codel of a queue: a poll there does not judge, and the removal may drop what it showed")
	}
	return fifo.New(fifo.Config{Limit: &limit})
}

// altqRegulator puts the token bucket of the interface before q.
func altqRegulator(h *trace.ALTQHeader, q qdisc.Qdisc, env *trace.Env) (qdisc.Qdisc, error) {
	_, after, _ := strings.Cut(h.Interface, "bandwidth ")
	word, _, _ := strings.Cut(after, " ")
	rate, err := qdisc.ParseRate(word)
	if err != nil {
		return nil, err
	}
	r, err := pf.NewRegulator(pf.RegulatorConfig{Rate: rate, Burst: pf.DefaultBurst(rate, uint32(h.MTU)), Child: q, Drops: env.Drops})
	if err != nil {
		return nil, err
	}
	r.Reset(trace.ALTQEpoch)
	return r, nil
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
