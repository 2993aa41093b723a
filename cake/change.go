package cake

import (
	"github.com/netsched/netsched/qdisc"
)

// Change sets a new configuration, all of it or nothing: its errors are New's,
// and Compat must stay. No packet is lost by it: those of tins that cease to
// exist are sorted into the others, and a lower MemoryLimit holds from the next
// arrival. What was sent just before is paid for at the new rate. Linux throws
// away the packets of such tins, and its line finishes at the old rate.
func (c *Cake) Change(cfg Config, now qdisc.Time) error {
	if err := cfg.check(); err != nil {
		return err
	}
	if cfg.Compat != c.cfg.Compat {
		return &qdisc.ConfigError{Field: "Compat", Value: cfg.Compat, Why: "the arithmetic is fixed by New"}
	}
	if err := c.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	now = c.Clock(now)
	c.Forget()
	old := c.cfg
	reframed := !cfg.Framing.equal(&old.Framing)
	if c.linux && reframed {
		c.measured()
	}
	if reframed {
		c.sizes.reset()
	}
	if !c.linux {
		c.auto.follow(old.Bandwidth, &cfg)
	}
	c.set(cfg, now)
	if c.linux {
		c.clear(c.n)
		c.wrapDeficits()
	} else if cfg.Diffserv != old.Diffserv || cfg.Isolation != old.Isolation {
		c.sort(cfg.Diffserv != old.Diffserv, now)
	}
	return nil
}

// sort takes all packets out and queues them anew, as flows of the present
// mode. They keep their order within a flow, and their age. Tins that now have
// other packets have nothing to catch up on.
func (c *Cake) sort(retin bool, now qdisc.Time) {
	var held [maxTins]qdisc.List
	for i := range c.tins {
		t := &c.tins[i]
		if t.queues == nil {
			continue
		}
		for j := range t.queue {
			held[i].Append(&t.queue[j].list)
		}
		clock, deficit := t.clock, t.deficit
		t.forget()
		t.clock, t.deficit, t.backlog = clock, deficit, 0
		if retin {
			t.clock.catchUp(now)
		}
	}
	c.longest.left = 0
	for i := range held {
		for p := range held[i].Drain() {
			t := &c.tins[i]
			if retin {
				t = c.special(p)
			}
			j := c.find(t, p)
			t.queue[j].push(p)
			t.backlog += int64(p.Len)
			c.activate(t, j)
		}
	}
}

// wrapDeficits cuts the deficits of the tins to 32 bits, as Linux keeps them:
// they run down while there is a rate, and matter when there is none any more.
func (c *Cake) wrapDeficits() {
	for i := range c.tins {
		c.tins[i].deficit = int64(int32(c.tins[i].deficit))
	}
}

// measured keeps the lengths of all packets, as framed when they arrived, for
// Linux, which charges them so though the framing changes meanwhile.
func (c *Cake) measured() {
	if c.early == nil {
		c.early = make(map[*qdisc.Packet]int64)
	}
	for i := range c.tins {
		t := &c.tins[i]
		if t.queues == nil {
			continue
		}
		for j := range t.queue {
			for p := range t.queue[j].list.All() {
				if _, ok := c.early[p]; !ok {
					c.early[p] = c.framing.length(p)
				}
			}
		}
	}
}

// length returns the framed length of p, which leaves.
func (c *Cake) length(p *qdisc.Packet) int64 {
	if p.Segs > 1 || c.framing.link != NoATM || c.early != nil {
		return c.longLength(p)
	}
	return c.framing.plain(p)
}

//go:noinline
func (c *Cake) longLength(p *qdisc.Packet) int64 {
	n, ok := c.early[p] // nil, but for a while after such a change
	if !ok {
		return c.framing.length(p)
	}
	if delete(c.early, p); len(c.early) == 0 {
		c.early = nil
	}
	return n
}
