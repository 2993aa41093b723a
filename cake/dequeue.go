package cake

import "github.com/netsched/netsched/qdisc"

// take returns the next packet to send, nil if none may leave now. Each call
// first looks at one decaying flow, so that these come to rest.
func (c *Cake) take(now qdisc.Time) *qdisc.Packet {
	decay := true
	for c.Len() > 0 {
		if c.blocked(now) {
			c.Overlimit()
			c.hold()
			return nil
		}
		var t *tin
		if c.shaped() {
			t = c.dueTin(now)
		} else if t = &c.tins[c.current&(maxTins-1)]; t.active() == 0 || t.deficit < 0 {
			t = c.nextTin()
		}
		if t == nil {
			return nil
		}
		if p := c.serve(t, now, decay); p != nil {
			return p
		}
		decay = false
	}
	return nil
}

// serve returns a packet of t: a decaying flow's if asked for, or else of the
// fresh flows, then of the old ones. It returns nil when the tin has perhaps
// no more, or its turn may be over.
func (c *Cake) serve(t *tin, now qdisc.Time, decay bool) *qdisc.Packet {
	lost := false
	if decay && t.decays(now) {
		decay = false
	}
	for {
		ring := decayRing
		i := t.head[decayRing]
		if !decay || i == none {
			ring = freshRing
			if i = t.head[freshRing]; i == none {
				ring = oldRing
				if i = t.head[oldRing]; i == none {
					ring = decayRing
					if i = t.head[decayRing]; i == none {
						return nil
					}
				} else if t.turn[i].deficit <= 0 {
					i = c.oldest(t, i)
				}
			}
		}
		decay = false
		f, q := &t.turn[i], &t.queue[i]
		if f.deficit <= 0 {
			if f.state == sparse {
				c.classify(t, f, i)
			}
			c.grant(t, f)
			t.move(i, ring, oldRing)
			continue
		}
		for {
			p := q.list.Pop()
			if p == nil {
				c.rest(t, i, ring, now)
				if lost || t.active() == 0 {
					return nil
				}
				break // nothing has changed that decides which tin is next
			}
			c.leave(t, q, p)
			if c.longest.left > 0 {
				c.shorter(t, i)
			}
			if t.law.calm(q, now-p.Stamp, now) || !c.drop(t, i, p, now) {
				c.deliver(t, f, p, now)
				return p
			}
			if c.ingress {
				lost = true
				break
			}
		}
	}
}

// decays looks at the first of the decaying flows, and tells whether it goes on
// decaying for its due time alone, as most do. If not, serve and rest decide.
func (t *tin) decays(now qdisc.Time) bool {
	i := t.head[decayRing]
	if i == none {
		return false
	}
	f, q := &t.turn[i], &t.queue[i]
	if f.deficit <= 0 || q.count|q.blue != 0 || now-q.dropNext >= 0 {
		return false
	}
	t.head[decayRing] = f.next
	return true
}

// pop takes the head of queue i of t, nil if there is none.
func (c *Cake) pop(t *tin, i uint16) *qdisc.Packet {
	q := &t.queue[i]
	p := q.list.Pop()
	if p != nil {
		c.leave(t, q, p)
		if c.longest.left > 0 {
			c.shorter(t, i)
		}
	}
	return p
}

// leave counts p out, which was just taken from a queue of t.
func (c *Cake) leave(t *tin, q *queue, p *qdisc.Packet) {
	q.backlog -= uint64(p.Len)
	t.backlog -= int64(p.Len)
	c.memory -= p.Charge()
	c.Release(p)
}

// rest takes a queue that was found empty at the head of a ring out of the
// rounds, or has it decay if there is something to remember.
func (c *Cake) rest(t *tin, i uint16, ring int, now qdisc.Time) {
	f, q := &t.turn[i], &t.queue[i]
	if q.count|q.blue != 0 {
		if t.law.empty(q, now) {
			t.unresponsive--
		}
	}
	q.dropping = false
	decays := q.count|q.blue != 0 || now-q.dropNext < 0
	if f.state == decaying && decays {
		t.move(i, ring, decayRing)
		return
	}
	switch f.state {
	case bulk:
		t.bulk--
		c.lower(t, f)
	case decaying:
		t.decaying--
	default:
		t.sparse--
	}
	if decays {
		t.decaying++
		f.state = decaying
		t.move(i, ring, decayRing)
		return
	}
	f.state = idle
	t.take(i, ring)
	t.flows.Free(int(i))
}

// drop has COBALT judge p, which left queue i of t just now, and tells whether
// it was dropped. The last packet of a queue never is. One that stays is marked
// if it must be.
//
//go:noinline
func (c *Cake) drop(t *tin, i uint16, p *qdisc.Packet, now qdisc.Time) bool {
	q, flows := &t.queue[i], uint32(0)
	if c.ingress {
		flows = t.bulk
	}
	drop, mark := t.law.judge(q, p, flows, now, c.random)
	if !drop || q.list.Empty() {
		if mark {
			c.mark(t, p)
		}
		return false
	}
	n := c.lose(t, p, now)
	if c.ingress {
		t.turn[i].deficit -= int32(n)
		t.deficit -= n
	}
	q.dropped++
	t.dropped++
	c.Drop(p, qdisc.AQM)
	return true
}

// mark marks p, which is ECN-capable.
func (c *Cake) mark(t *tin, p *qdisc.Packet) {
	if p.ECN() == qdisc.CE && !c.linux { // which counts it as one that it marked
		t.spared++
	} else {
		t.marks++
	}
	c.Mark(p)
}

// lose returns the framed length of p, which is lost, and charges the line for
// it if p came over it.
func (c *Cake) lose(t *tin, p *qdisc.Packet, now qdisc.Time) int64 {
	n := c.length(p)
	if c.ingress && c.shaped() {
		c.chargeLost(t, n, now)
	}
	return n
}

// deliver accounts for p, which goes to the line.
func (c *Cake) deliver(t *tin, f *turn, p *qdisc.Packet, now qdisc.Time) {
	delay := uint64(now - p.Stamp)
	t.avgDelay = average(t.avgDelay, delay, 8)
	t.peakDelay = approach(t.peakDelay, delay, 2, 8)
	t.baseDelay = approach(t.baseDelay, delay, 8, 2)
	n := c.length(p)
	if c.shaped() {
		c.charge(t, n, now)
	}
	if c.line.next > now {
		c.hold()
	}
	if c.linux {
		c.alarm(now)
	}
	f.deficit -= int32(n)
	t.deficit -= n
	if c.longest.left > 0 {
		c.longest.left--
	}
}
