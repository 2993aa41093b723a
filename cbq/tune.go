package cbq

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// tune sets all that follows from c's configuration and its place in the tree.
// c stands nowhere at a priority that changes, or with a limit that does.
func (q *CBQ) tune(c *class, now qdisc.Time) {
	cfg := &c.cfg
	c.pri = uint8(cfg.Priority - 1)
	q.weigh(cfg)
	c.cost = q.cost(cfg)
	q.prios |= 1 << c.pri

	if l := c.own; l != nil {
		l.bounded, l.isolated, l.cost = cfg.Bounded, cfg.Isolated, c.cost
		l.set(cfg.Rate-min(l.taken, cfg.Rate-1), now)
		q.setIdle(&l.meter, cfg)
		c.bounded, c.isolated = false, false
		c.set(cfg.Rate-min(l.given, cfg.Rate), now)
	} else {
		c.bounded, c.isolated = cfg.Bounded, cfg.Isolated
		c.set(cfg.Rate, now)
	}
	q.setIdle(&c.meter, cfg)

	for l := c.parent; l != nil; l = l.parent {
		if l.borrowers[c.pri] == nil {
			l.borrowers[c.pri] = new(turns)
		}
		l.borrowers[c.pri].grow(len(l.kids.at))
	}
}

// setIdle sets how far a meter may get behind and ahead, and the bounds of its
// average.
func (q *CBQ) setIdle(m *meter, cfg *ClassConfig) {
	avpkt, ewma := cmp.Or(cfg.AvgPacket, q.cfg.AvgPacket), *cmp.Or(cfg.EWMA, q.cfg.EWMA)
	link := cmp.Or(cfg.Bandwidth, q.cfg.Bandwidth)
	onLink, more := gap(link, cfg.Rate, avpkt)
	credit, hold := float64(cfg.MaxBurst)*more, 0.0
	if cfg.MinBurst > 1 {
		// A class is found over its limit while the last packet but one of a
		// burst begins: it must have another one's time left.
		credit += onLink
		hold = float64(cfg.MinBurst-1)*more + onLink
	}
	m.hold = qdisc.Time(duration(hold))
	m.lag = qdisc.Time(duration(credit)) + m.hold
	m.lead, m.least = qdisc.MaxTime, math.Inf(-1)
	if cfg.MinIdle > 0 {
		m.lead = qdisc.Time(duration(float64(cfg.MinIdle) * math.Pow(2, float64(ewma))))
		m.least = -float64(cfg.MinIdle)
	}
	fresh := m.gain == 0
	m.gain = math.Pow(2, -float64(ewma))
	m.most = float64(DeriveIdleTimes(link, cfg.Rate, avpkt, cfg.MaxBurst, cfg.MinBurst, ewma).MaxIdle)
	if fresh {
		m.average.restart()
	}
}

// tuneRoot sets what follows from the bandwidth and the isolated classes.
func (q *CBQ) tuneRoot(now qdisc.Time) {
	r := &q.root
	r.free = r.taken == 0
	r.set(q.cfg.Bandwidth-min(r.taken, q.cfg.Bandwidth-1), now)
	q.setIdle(&r.meter, &ClassConfig{Rate: q.cfg.Bandwidth})
}

// cost is turnCost of a class's weight.
func (q *CBQ) cost(cfg *ClassConfig) uint64 {
	return turnCost(cfg.weight() << (weightLen - q.weightLen))
}

// weigh makes room for a weight. One that has more bits than any before changes
// the scale of all costs: nobody owes a turn any more then.
func (q *CBQ) weigh(cfg *ClassConfig) {
	n := uint8(bits.Len64(cfg.weight()))
	if n <= q.weightLen {
		return
	}
	q.weightLen = n
	q.rows.forget()
	for l := range q.lenders.all() {
		for _, t := range l.borrowers {
			if t != nil {
				t.forget()
			}
		}
		if l.class != nil {
			l.cost = q.cost(&l.class.cfg)
		}
	}
	for c := range q.classes.all() {
		c.cost = q.cost(&c.cfg)
	}
}

func (cfg *ClassConfig) weight() uint64 { return cmp.Or(cfg.Weight, uint64(cfg.Rate)) }
