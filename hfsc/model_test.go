package hfsc_test

import (
	"cmp"
	"math"
	"slices"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// naive is the scheduler written down as it is described: every choice looks
// at every class. Its exact arithmetic is that of math/big.
type naive struct {
	linux  bool
	root   *naiveClass
	class  map[uint32]*naiveClass
	def    uint32
	limit  int
	seq    int
	parked *qdisc.Packet
	wake   qdisc.Time
	lost   []*qdisc.Packet
}

type naiveClass struct {
	id     uint32
	parent *naiveClass
	kids   []*naiveClass
	cfg    hfsc.ClassConfig
	queue  []*qdisc.Packet

	deadline, virtual, ulimit naiveCurve

	total, cumul, e, d, vt, vtadj, f, myf, cfmin, cvtmin, cvtoff uint64

	eseq, vseq           int
	eligible, active     bool
	nactive              int
	period, parentPeriod uint32
}

func newNaive(compat qdisc.Compat, limit int) *naive {
	return &naive{linux: compat == qdisc.Linux, root: &naiveClass{}, class: map[uint32]*naiveClass{}, limit: limit}
}

func (n *naive) ticks(now qdisc.Time) uint64 {
	if n.linux {
		return uint64(now) / 64
	}
	return uint64(now)
}

func (n *naive) next() int { n.seq++; return n.seq }

func (c *naiveClass) leaf() bool { return c.parent != nil && len(c.kids) == 0 }
func (c *naiveClass) rt() bool   { return !c.cfg.RealTime.IsZero() }
func (c *naiveClass) ls() bool   { return !c.cfg.LinkShare.IsZero() }
func (c *naiveClass) ul() bool   { return !c.cfg.UpperLimit.IsZero() }

func (n *naive) begin(c *naiveClass) {
	c.deadline = n.curve(c.cfg.RealTime, 0, 0)
	c.virtual = n.curve(c.cfg.LinkShare, 0, 0)
	c.ulimit = n.curve(c.cfg.UpperLimit, 0, 0)
}

func (n *naive) add(id uint32, cfg hfsc.ClassConfig, now qdisc.Time) {
	p := n.root
	if cfg.Parent != 0 {
		p = n.class[cfg.Parent]
	}
	if p.leaf() {
		n.purge(p, now)
		if !p.ls() {
			p.cfg.LinkShare = p.cfg.RealTime
			p.virtual = n.curve(p.cfg.LinkShare, p.vt, p.total)
		}
	}
	c := &naiveClass{id: id, parent: p, cfg: cfg}
	n.begin(c)
	p.kids = append(p.kids, c)
	n.class[id] = c
}

func (n *naive) remove(id uint32, now qdisc.Time) {
	c := n.class[id]
	n.purge(c, now)
	c.parent.kids = slices.DeleteFunc(c.parent.kids, func(k *naiveClass) bool { return k == c })
	delete(n.class, id)
}

func (n *naive) purge(c *naiveClass, now qdisc.Time) {
	if len(c.queue) > 0 {
		n.lost = append(n.lost, c.queue...)
		c.queue = nil
		c.eligible = false
		n.update(c, 0, true, now)
	}
}

func (n *naive) change(id uint32, cfg hfsc.ClassConfig, now qdisc.Time) {
	c, t := n.class[id], n.ticks(now)
	old := c.cfg
	live := c.leaf() && len(c.queue) > 0
	if live && c.ls() && cfg.LinkShare.IsZero() {
		n.update(c, 0, true, now)
	}
	hadReal, hadShare := c.rt(), c.ls()
	c.cfg = cfg
	if cfg.RealTime != old.RealTime {
		c.deadline = n.curve(cfg.RealTime, t, c.cumul)
	}
	if cfg.LinkShare != old.LinkShare {
		c.virtual = n.curve(cfg.LinkShare, c.vt, c.total)
	}
	if cfg.UpperLimit != old.UpperLimit {
		c.ulimit = n.curve(cfg.UpperLimit, t, c.total)
		if !c.ul() {
			c.myf = 0
		} else if !n.linux {
			c.myf = n.when(&c.ulimit, c.total)
		}
	}
	switch {
	case live:
		switch {
		case c.rt() && hadReal:
			n.tag(c)
		case c.rt():
			n.enterReal(c, now)
		default:
			c.eligible = false
		}
		switch {
		case c.ls() && hadShare:
			n.update(c, 0, false, now)
		case c.ls():
			n.join(c, now)
		}
	case !c.leaf() && c.nactive > 0 && !n.linux:
		n.update(c, 0, false, now)
	}
}

func (n *naive) enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	c := n.class[p.Class]
	if c == nil || !c.leaf() {
		c = n.class[n.def]
	}
	if c == nil || !c.leaf() || len(c.queue) >= n.limit {
		n.lost = append(n.lost, p)
		return qdisc.Dropped
	}
	c.queue = append(c.queue, p)
	if len(c.queue) == 1 {
		if c.rt() {
			n.enterReal(c, now)
		}
		if c.ls() {
			n.join(c, now)
		}
	}
	return qdisc.Queued
}

func (n *naive) enterReal(c *naiveClass, now qdisc.Time) {
	n.lower(&c.deadline, n.ticks(now), c.cumul)
	n.tag(c)
	c.eligible = true
}

func (n *naive) tag(c *naiveClass) {
	line := c.deadline
	if n.convex(c.cfg.RealTime) {
		line.dx, line.dy, line.knee = 0, 0, 0
	}
	c.e = n.when(&line, c.cumul)
	c.d = n.when(&c.deadline, c.cumul+uint64(c.queue[0].Len))
	c.eseq = n.next()
}

func (n *naive) activeKids(p *naiveClass) (list []*naiveClass) {
	for _, k := range p.kids {
		if k.active {
			list = append(list, k)
		}
	}
	return list
}

func (n *naive) fitMin(p *naiveClass) {
	p.cfmin = 0
	if l := n.activeKids(p); len(l) > 0 {
		p.cfmin = slices.MinFunc(l, func(a, b *naiveClass) int { return cmp.Compare(a.f, b.f) }).f
	}
}

func (n *naive) join(c *naiveClass, now qdisc.Time) {
	goes := true
	for ; c.parent != nil; c = c.parent {
		p := c.parent
		if goes {
			goes = c.nactive == 0
			c.nactive++
		}
		if goes {
			if l := n.activeKids(p); len(l) > 0 {
				v := slices.MaxFunc(l, func(a, b *naiveClass) int { return cmp.Compare(a.vt, b.vt) }).vt
				if p.cvtmin != 0 {
					v = (p.cvtmin + v) / 2
				}
				if p.period != c.parentPeriod || v > c.vt {
					c.vt = v
				}
			} else {
				c.vt, p.cvtmin = p.cvtoff, 0
			}
			n.lower(&c.virtual, c.vt, c.total)
			c.vtadj = 0
			c.period++
			c.parentPeriod = p.period
			if p.nactive == 0 {
				c.parentPeriod++
			}
			c.vseq, c.f, c.active = n.next(), 0, true
			if c.ul() {
				n.lower(&c.ulimit, n.ticks(now), c.total)
				c.myf = n.when(&c.ulimit, c.total)
			}
		}
		c.f = max(c.myf, c.cfmin)
		n.fitMin(p)
	}
	if goes && !n.linux {
		if c.nactive == 0 {
			c.period++
		}
		c.nactive++
	}
}

func (n *naive) update(c *naiveClass, length uint64, passive bool, now qdisc.Time) {
	passive = passive && c.nactive > 0
	for ; c.parent != nil; c = c.parent {
		p := c.parent
		c.total += length
		if c.nactive == 0 {
			continue
		}
		if passive {
			c.nactive--
			passive = c.nactive == 0
		}
		c.vt = n.when(&c.virtual, c.total) + c.vtadj
		if c.vt < p.cvtmin {
			c.vtadj += p.cvtmin - c.vt
			c.vt = p.cvtmin
		}
		if passive {
			p.cvtoff = max(p.cvtoff, c.vt)
			c.active = false
			n.fitMin(p)
			continue
		}
		c.vseq = n.next()
		if c.ul() {
			if !n.linux {
				if lag := uint64(now) - min(uint64(now), n.slack(c)); c.myf < lag {
					c.ulimit.x += lag - c.myf
				}
			}
			c.myf = n.when(&c.ulimit, c.total)
		}
		c.f = max(c.myf, c.cfmin)
		n.fitMin(p)
	}
	if passive && !n.linux {
		c.nactive--
	}
}

func (n *naive) slack(c *naiveClass) uint64 {
	return max(uint64(hfsc.DefaultCatchUp), quotient(2*1514, 8e9, uint64(c.cfg.UpperLimit.M2)))
}

func (n *naive) held() (count int) {
	for _, c := range n.class {
		count += len(c.queue)
	}
	return count
}

func (n *naive) dequeue(now qdisc.Time) *qdisc.Packet {
	if p := n.parked; p != nil {
		n.parked = nil
		return p
	}
	return n.take(now)
}

func (n *naive) peek(now qdisc.Time) *qdisc.Packet {
	if n.parked == nil {
		n.parked = n.take(now)
	}
	return n.parked
}

func (n *naive) take(now qdisc.Time) *qdisc.Packet {
	n.wake = 0
	if n.held() == 0 {
		return nil
	}
	t := n.ticks(now)
	c := n.realTime(t)
	real := c != nil
	if !real {
		if c = n.share(t); c == nil {
			n.wait()
			return nil
		}
	}
	p := c.queue[0]
	c.queue = c.queue[1:]
	n.update(c, uint64(p.Len), len(c.queue) == 0, now)
	if real {
		c.cumul += uint64(p.Len)
	}
	switch {
	case !c.rt():
	case len(c.queue) == 0:
		c.eligible = false
	case real:
		n.tag(c)
	default:
		c.d = n.when(&c.deadline, c.cumul+uint64(c.queue[0].Len))
	}
	return p
}

func (n *naive) realTime(t uint64) *naiveClass {
	var best *naiveClass
	for _, c := range n.class {
		if c.eligible && c.e <= t && (best == nil || cmp.Or(cmp.Compare(c.d, best.d), cmp.Compare(c.e, best.e), c.eseq-best.eseq) < 0) {
			best = c
		}
	}
	return best
}

func (n *naive) share(t uint64) *naiveClass {
	if n.root.cfmin > t {
		return nil
	}
	c := n.root
	for !c.leaf() {
		var best *naiveClass
		for _, k := range n.activeKids(c) {
			if k.f <= t && (best == nil || cmp.Or(cmp.Compare(k.vt, best.vt), k.vseq-best.vseq) < 0) {
				best = k
			}
		}
		if best == nil {
			return nil
		}
		c.cvtmin = max(c.cvtmin, best.vt)
		c = best
	}
	return c
}

func (n *naive) wait() {
	at := uint64(math.MaxUint64)
	for _, c := range n.class {
		if c.eligible {
			at = min(at, c.e)
		}
	}
	if n.root.cfmin != 0 {
		at = min(at, n.root.cfmin)
	}
	unit := uint64(1)
	if n.linux {
		unit = 64
	}
	if at > uint64(qdisc.MaxTime)/unit {
		n.wake = qdisc.Blocked
	} else {
		n.wake = qdisc.Time(at * unit)
	}
}

func (n *naive) reset() {
	if n.parked != nil {
		n.lost = append(n.lost, n.parked)
		n.parked = nil
	}
	*n.root = naiveClass{kids: n.root.kids}
	for _, c := range n.class {
		n.lost = append(n.lost, c.queue...)
		*c = naiveClass{id: c.id, parent: c.parent, kids: c.kids, cfg: c.cfg}
		n.begin(c)
	}
	n.wake = 0
}
