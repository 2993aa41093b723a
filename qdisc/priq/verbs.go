package priq

import (
	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
)

// Enqueue gives p to the child of its class, and returns the child's verdict.
// A packet without a class is refused with Reason Unclassified.
func (q *PRIQ) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	class := p.Class
	if q.classify != nil {
		class = q.classify(p)
	}
	b := q.find(class)
	if b == none {
		if b = q.fallback; b == none {
			return q.Refuse(p, qdisc.Unclassified)
		}
	}
	v := bands.Child(&q.strict, b).Enqueue(p, now)
	bands.Sync(&q.strict, b) // an arrival may free a band that gave nothing
	return v
}
