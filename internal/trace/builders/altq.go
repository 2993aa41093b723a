package builders

import (
	"strconv"
	"strings"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/pf"
)

// altqQueue returns the queue line of a class of pf.conf.
func altqQueue(h *trace.ALTQHeader, c trace.ALTQClass) trace.ALTQQueue {
	for _, q := range h.Queues {
		if q.Name == c.Name {
			return q
		}
	}
	return trace.ALTQQueue{}
}

// altqLeaf makes the queue of a class of pf.conf.
func altqLeaf(h *trace.ALTQHeader, c trace.ALTQClass) (qdisc.Qdisc, error) {
	return altqLeafOf(h, c, fifo.Config{}, func(int) (qdisc.Qdisc, error) { // a peek here promises the packet
		return nil, trace.Missing("option codel of a queue: a poll there does not judge, and the removal may drop what it showed")
	})
}

// altqRatesLeaf makes the queue of a class of a run that is compared at the
// level of rates. ALTQ's CoDel descends from Linux's.
func altqRatesLeaf(h *trace.ALTQHeader, c trace.ALTQClass, plain fifo.Config) (qdisc.Qdisc, error) {
	return altqLeafOf(h, c, plain, func(limit int) (qdisc.Qdisc, error) {
		return codel.New(codel.Config{Limit: &limit, Compat: qdisc.Linux})
	})
}

func altqLeafOf(h *trace.ALTQHeader, c trace.ALTQClass, plain fifo.Config, delay func(limit int) (qdisc.Qdisc, error)) (qdisc.Qdisc, error) {
	limit, err := strconv.Atoi(c.Params["qlimit"])
	if err != nil {
		return nil, err
	}
	text := altqQueue(h, c)
	for _, word := range []string{"red", "ecn", "rio"} {
		if text.Has(word) {
			return nil, trace.Missing("option %s of a queue", word)
		}
	}
	if text.Has("codel") {
		return delay(limit)
	}
	plain.Limit = &limit
	return fifo.New(plain)
}

// altqLink returns the bandwidth of the interface.
func altqLink(h *trace.ALTQHeader) (qdisc.Rate, error) {
	_, after, _ := strings.Cut(h.Interface, "bandwidth ")
	word, _, _ := strings.Cut(after, " ")
	return qdisc.ParseRate(word)
}

// altqRate reads a number of bits a second.
func altqRate(word string) (qdisc.Rate, error) {
	n, err := strconv.ParseUint(word, 10, 64)
	return qdisc.Rate(n), err
}

// altqDrops returns the drop list of a scheduler: before one with a token
// bucket the regulator's serves both.
func altqDrops(h *trace.ALTQHeader, env *trace.Env) *qdisc.List {
	if h.TokenBucket {
		return nil
	}
	return env.Drops
}

// altqRegulator puts the token bucket of the interface before q, if there is
// one.
func altqRegulator(h *trace.ALTQHeader, q qdisc.Qdisc, env *trace.Env) (qdisc.Qdisc, error) {
	if !h.TokenBucket {
		return q, nil
	}
	rate, err := altqLink(h)
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

// altqRoot is the class that stands for the interface, where a discipline has
// one: here that is the discipline itself.
const altqRoot = 1

// altqParent returns the number of a class's parent.
func altqParent(c trace.ALTQClass) uint32 {
	if c.Parent == altqRoot {
		return 0
	}
	return c.Parent
}
