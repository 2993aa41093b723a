package prio_test

import (
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// picky has room for 4 packets and drops from the head while 2 or more remain
// behind it whenever it is asked for one. Its Peek parks.
type picky struct {
	qdisc.Base
	list qdisc.List
}

func (c *picky) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = c.Arrive(p, now)
	if c.Len() >= 4 {
		return c.Refuse(p, qdisc.Overlimit)
	}
	c.Accept(p, now)
	c.list.Push(p)
	return qdisc.Queued
}

func (c *picky) take() *qdisc.Packet {
	p := c.list.Pop()
	if p == nil {
		return nil
	}
	for c.Release(p); c.Len() >= 2; c.Release(p) {
		c.Drop(p, qdisc.HeadDrop)
		p = c.list.Pop()
	}
	return p
}

func (c *picky) Dequeue(now qdisc.Time) *qdisc.Packet {
	c.Clock(now)
	p := c.Unpark()
	if p == nil {
		p = c.take()
	}
	if p != nil {
		c.Sent(p)
	}
	return p
}

func (c *picky) Peek(now qdisc.Time) *qdisc.Packet {
	c.Clock(now)
	if c.Parked() == nil {
		if p := c.take(); p != nil {
			c.Park(p)
		}
	}
	return c.Parked()
}

func (c *picky) Reset(now qdisc.Time) {
	c.Rewind(now)
	c.PurgeParked()
	c.PurgeList(&c.list)
}

func newPrio(t require.TestingT, cfg prio.Config) *prio.Prio {
	q, err := prio.New(cfg)
	require.NoError(t, err)
	return q
}

// zeroes is a map that every number of bands allows.
func zeroes() *[16]uint8 { return new([16]uint8) }

func packet(class, size uint32) *qdisc.Packet {
	return &qdisc.Packet{Class: class, Len: size}
}

// fill returns the packets in each band.
func fill(q *prio.Prio) (list []int) {
	for _, s := range q.Classes() {
		list = append(list, s.Len)
	}
	return list
}
