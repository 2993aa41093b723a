package cake

import (
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// controlDSCP is CS7, that of what is not IP: ARP and the like.
const controlDSCP = 56

// Enqueue appends p to its flow. If that exceeds MemoryLimit, the flow with
// the most bytes loses packets from its head: the verdict is Congested if that
// is p's flow. A packet that is larger than MemoryLimit by itself, or longer than
// qdisc.MaxLen, is refused.
func (c *Cake) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = c.Arrive(p, now)
	charge := p.Charge()
	if charge > c.largest || p.Len > qdisc.MaxLen {
		return c.Refuse(p, qdisc.Overlimit)
	}
	t := &c.tins[c.tinByDSCP[p.DSField>>2]%maxTins]
	if c.override || p.Proto|p.DSField == 0 {
		t = c.special(p)
	}
	i := c.find(t, p)
	if t.backlog == 0 {
		c.wake(t, now)
	}
	t.maxLen = max(t.maxLen, p.Len)
	if p.Segs > 1 && c.cfg.Split != nil && !c.cfg.NoSplit {
		return c.cut(t, i, p, now)
	}
	c.accept(t, i, p, now)
	length := uint64(p.Len)
	if c.ackFilter != NoAckFilter && p.Proto == protoTCP {
		lost := c.filter(t, i, p, now)
		if c.linux { // as if it had not come over the line
			length -= uint64(lost)
		}
	}
	return c.settled(t, i, length, now)
}

// find returns the queue of p in t, and makes it that of p's flow.
func (c *Cake) find(t *tin, p *qdisc.Packet) uint16 {
	hash := p.Flow
	if c.byHost {
		hash = c.hostHash(p)
	}
	home := uint16(hash % numQueues)
	if t.hash[home] == hash && t.turn[home].state != idle {
		return home
	}
	return c.search(t, p, hash, int(home))
}

// special returns the tin of a packet of which the DSCP alone does not tell it.
//
//go:noinline
func (c *Cake) special(p *qdisc.Packet) *tin {
	if n := c.overridden(p); n > 0 {
		return &c.tins[c.plan.order[n-1]]
	}
	dscp := p.DSField >> 2
	if p.Proto|p.DSField == 0 {
		dscp = controlDSCP
	}
	return &c.tins[c.tinByDSCP[dscp]]
}

// overridden returns the number of the tin, from 1, that the mark or Classify
// gives; 0: neither does.
func (c *Cake) overridden(p *qdisc.Packet) uint32 {
	mask := c.cfg.FwMark
	n := (p.Mark & mask) >> (bits.TrailingZeros32(mask) & 31)
	if n-1 < uint32(c.n) {
		return n
	}
	if c.cfg.Classify != nil {
		if n = c.cfg.Classify(p); n-1 < uint32(c.n) {
			return n
		}
	}
	return 0
}

// wake brings up to date the clocks of a tin that was empty, and those of the
// line if all were: unused time is not made up for. A parked packet has the line
// behind it, which Linux ignores.
func (c *Cake) wake(t *tin, now qdisc.Time) {
	t.clock.catchUp(now)
	if n := c.Len(); n > 1 || n == 1 && (c.linux || c.Parked() == nil) {
		return
	}
	if c.line.next < now {
		c.line.next, c.line.frac, c.failsafe = now, 0, now
	} else if c.blocked(now) {
		c.Overlimit()
		c.hold()
	}
}

// accept puts p into queue i of t.
func (c *Cake) accept(t *tin, i uint16, p *qdisc.Packet, now qdisc.Time) {
	if c.wash {
		p.DSField = p.ECN()
	}
	c.measure(p)
	c.Accept(p, now)
	t.queue[i].push(p)
	t.packets++
	t.bytes += uint64(p.Len)
	t.backlog += int64(p.Len)
	c.memory += p.Charge()
}

func (q *queue) push(p *qdisc.Packet) {
	q.list.Push(p)
	q.backlog += uint64(p.Len)
}

// settled follows up what arrived, length bytes for queue i of t.
func (c *Cake) settled(t *tin, i uint16, length uint64, now qdisc.Time) qdisc.Verdict {
	if c.longest.left > 0 {
		c.longer(t, i)
	}
	if c.estimates {
		c.estimate(length, now)
	}
	if s := t.turn[i].state; s != bulk && s != sparse {
		c.activate(t, i)
	}
	c.memoryMost = max(c.memoryMost, c.memory)
	if c.memory > c.memoryLimit {
		return c.makeRoom(t, i, now)
	}
	return qdisc.Queued
}

// activate brings a queue that has got packets into the rounds, or notes that
// its flow is not that sparse.
func (c *Cake) activate(t *tin, i uint16) {
	f := &t.turn[i]
	switch f.state {
	case idle:
		t.flows.Take(int(i))
	case decaying:
		t.decaying--
		t.unlink(i)
	case waiting:
		t.sparse--
		t.bulk++
		f.state = bulk
		c.raise(t, f, t.queue[i].list.Head())
		return
	default:
		return
	}
	t.add(i, freshRing)
	f.state = sparse
	t.sparse++
	f.deficit = 0
	c.grant(t, f)
}

// cut appends the segments of a super-packet, each a packet of its own.
//
//go:noinline
func (c *Cake) cut(t *tin, i uint16, p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	length := uint64(p.Len)
	c.cfg.Split(p, &c.segs)
	if c.segs.Empty() {
		c.accept(t, i, p, now)
		return c.settled(t, i, length, now)
	}
	n, refused := 0, 0
	for s := c.segs.Pop(); s != nil; s = c.segs.Pop() {
		n++
		if s.Len > qdisc.MaxLen || s.Charge() > c.largest {
			c.Refuse(s, qdisc.Overlimit)
			refused++
			continue
		}
		c.accept(t, i, s, now)
	}
	c.SplitInto(n)
	if refused == n {
		return qdisc.Dropped
	}
	v := c.settled(t, i, length, now)
	if refused > 0 {
		v = qdisc.Congested
	}
	return v
}
