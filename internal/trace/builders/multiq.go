package builders

import (
	"fmt"
	"math"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

func init() {
	trace.RegisterClassful("multiq", trace.ClassfulKind{
		Build:     buildMultiq,
		Unchecked: []string{"Q backlog"}, // the kernel does not keep it
	})
}

func buildMultiq(h *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
	if len(h.Params) > 0 {
		return nil, trace.Missing("option %s", h.Params[0].Key)
	}
	q, err := multiq.New(multiq.Config{Bands: h.Device.Queues, Limit: &h.Device.TxQueueLen, Drops: env.Drops})
	if err != nil {
		return nil, err
	}
	return &trace.ClassfulTarget{
		Qdisc: q,
		// A class line only sets the limit of a band that exists.
		Add: func(_ qdisc.Time, def *trace.ClassDef) error {
			switch {
			case len(def.Params) > 0:
				return trace.Missing("option %s of a band", def.Params[0].Key)
			case q.Child(def.Class) == nil:
				return fmt.Errorf("there is no band of class %d", def.Class)
			}
			return nil
		},
		SetLimit: setLeafLimits(q),
		// What an E line has as the class is the hardware queue, from 0.
		Fill: func(p *qdisc.Packet, a *trace.ClassfulArrival) {
			p.TxQueue = uint16(min(a.Class, math.MaxUint16))
		},
		Stop: func(queue int, stop bool) {
			if stop {
				q.Stop(queue)
			} else {
				q.Wake(queue)
			}
		},
	}, nil
}
