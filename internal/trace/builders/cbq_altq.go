package builders

import (
	"strconv"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func init() {
	trace.RegisterALTQ("cbq", trace.ALTQKind{Build: buildALTQCBQ, Rates: &trace.RateLevel{Defects: defects}})
}

func buildALTQCBQ(h *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
	link, err := altqLink(h)
	if err != nil {
		return nil, err
	}
	mtu, err := trace.Fit[uint32](int64(h.MTU))
	if err != nil {
		return nil, err
	}
	q, err := cbq.New(cbq.Config{Bandwidth: link, AvgPacket: mtu, Default: h.Default(), Drops: altqDrops(h, env)})
	if err != nil {
		return nil, err
	}
	q.Reset(trace.ALTQEpoch)
	for i, c := range h.Classes {
		if i+1 == altqRoot {
			continue
		}
		cfg, err := altqCBQClass(h, c, link, mtu)
		if err != nil {
			return nil, err
		}
		if err := q.AddClass(uint32(i+1), cfg, trace.ALTQEpoch); err != nil {
			return nil, err
		}
	}
	root, err := altqRegulator(h, q, env)
	return &trace.ALTQTarget{Qdisc: root, Rates: trace.RateSetup{Link: cbqLink(h, link), Packets: cbqPackets}}, err
}

// cbqLink returns the link that drains the scheduler, 0 if it is asked when the
// reference was. Sources put a packet into a queue as the reference sends
// one from it. A queue that holds no more than two would not have room for it
// nanoseconds earlier, and CoDel drops by when the queue was last short: there
// what leaves when the reference's does not meets arrivals of another run.
func cbqLink(h *trace.ALTQHeader, link qdisc.Rate) qdisc.Rate {
	for _, c := range h.Classes {
		limit := c.Params["qlimit"]
		if limit == "1" || limit == "2" || altqQueue(h, c).Has("codel") {
			return 0
		}
	}
	return link
}

// altqCBQClass turns the words of a class into its configuration.
func altqCBQClass(h *trace.ALTQHeader, c trace.ALTQClass, link qdisc.Rate, mtu uint32) (cfg cbq.ClassConfig, err error) {
	rate, err := altqRate(c.Params["bps"])
	if err != nil {
		return cfg, err
	}
	priority, err := strconv.Atoi(c.Params["prio"])
	if err != nil {
		return cfg, err
	}
	class := cbq.PFClass{Parent: altqParent(c), Bandwidth: rate, Priority: &priority, Borrow: altqQueue(h, c).Has("borrow")}
	cfg = class.Config(link, mtu)
	cfg.Child, err = altqRatesLeaf(h, c, fifo.Config{HeadDrop: true})
	return cfg, err
}
