package codel

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// CoDel is one queue that keeps its own delay short. It is not safe for
// concurrent use. Its Peek parks: the packet is judged then.
type CoDel struct {
	qdisc.Base
	law         law
	flow        flow
	limit       int
	memoryLimit int64
	overlimit   uint64 // packets refused
	cfg         Config
}

// New returns an empty CoDel. Its error joins a *qdisc.ConfigError for each
// thing that is wrong with cfg.
func New(cfg Config) (*CoDel, error) {
	c := new(CoDel)
	c.cfg.Compat = cfg.Compat
	if err := c.Change(cfg, 0); err != nil {
		return nil, err
	}
	return c, nil
}

// Config returns the present configuration, with defaults filled in.
func (c *CoDel) Config() Config { return c.cfg.clone() }

// Change sets a new configuration. What it leaves no room for is purged, oldest
// first. The control state stays.
func (c *CoDel) Change(cfg Config, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	p := cfg.check(&errs)
	if cfg.Compat != c.cfg.Compat && cfg.Compat <= qdisc.Linux {
		errs.Add("Compat", cfg.Compat, "the arithmetic is fixed by New")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := c.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	c.Clock(now)
	c.law.set(&p)
	c.cfg, c.limit, c.memoryLimit = cfg, *cfg.Limit, math.MaxInt64
	if cfg.MemoryLimit != nil {
		c.memoryLimit = *cfg.MemoryLimit
	}
	for c.Len() > c.limit || c.law.memory > c.memoryLimit {
		if c.Parked() != nil && c.Len() > c.limit {
			c.PurgeParked()
		} else {
			c.Purge(c.law.pop(&c.Base, &c.flow))
		}
	}
	return nil
}

// Enqueue appends p, or refuses it when there is no room.
func (c *CoDel) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = c.Arrive(p, now)
	charge := p.Charge()
	if c.Len() >= c.limit || c.law.memory+charge > c.memoryLimit || p.Len > qdisc.MaxLen || c.flow.backlog > math.MaxUint32-p.Len {
		return c.refuse(p)
	}
	c.Accept(p, now)
	c.law.memory += charge
	c.flow.push(p)
	return qdisc.Queued
}

//go:noinline
func (c *CoDel) refuse(p *qdisc.Packet) qdisc.Verdict {
	if p.Len > qdisc.MaxLen {
		return c.Refuse(p, qdisc.TooLong)
	}
	c.overlimit++
	return c.Refuse(p, qdisc.Overlimit)
}

// Dequeue returns the oldest packet that the law lets through, nil if there is
// none. Those that it drops go to the drop list with Reason AQM.
func (c *CoDel) Dequeue(now qdisc.Time) *qdisc.Packet {
	if c.Parked() != nil {
		return c.SendParked(now)
	}
	p := c.take(c.Clock(now))
	if p != nil {
		c.Sent(p)
	}
	return p
}

func (c *CoDel) take(now qdisc.Time) *qdisc.Packet {
	p := c.flow.list.Pop()
	if p == nil {
		c.flow.none()
		return nil
	}
	c.law.leave(&c.flow, p)
	c.Release(p)
	if !c.law.inTime(&c.flow, p, now) {
		p = c.law.judge(&c.Base, &c.flow, p, now)
	}
	return p
}

// Peek returns what Dequeue would, and parks it.
func (c *CoDel) Peek(now qdisc.Time) *qdisc.Packet {
	now = c.Clock(now)
	if c.Parked() == nil {
		if p := c.take(now); p != nil {
			c.Park(p)
		}
	}
	return c.Parked()
}

// Reset sends everything held to the drop list and forgets the control state.
func (c *CoDel) Reset(now qdisc.Time) {
	c.Rewind(now)
	c.PurgeParked()
	c.PurgeList(&c.flow.list)
	c.law.memory, c.law.delay, c.flow = 0, 0, flow{}
}
