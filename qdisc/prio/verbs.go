package prio

import (
	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
)

// Enqueue gives p to the child of its band, and returns the child's verdict.
func (q *Prio) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	b := p.Class - 1
	if b >= q.n || q.classify != nil {
		b = q.bandOf(p)
	}
	v := bands.Child(&q.strict, b).Enqueue(p, now)
	bands.Sync(&q.strict, b) // an arrival may free a band that gave nothing
	return v
}

func (q *Prio) bandOf(p *qdisc.Packet) uint32 {
	class := p.Class
	if q.classify != nil {
		class = q.classify(p)
	}
	switch {
	case class-1 < q.n:
		return class - 1
	case class == 0:
		return uint32(q.priomap[p.Priority&15])
	}
	return uint32(q.priomap[0])
}
