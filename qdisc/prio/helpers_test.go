package prio_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// gate is a FIFO that gives nothing before a given time, as a shaper does, and
// counts how often it is asked.
type gate struct {
	qdisc.Base
	list  qdisc.List
	opens qdisc.Time
	asked int
}

func (g *gate) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	g.Accept(p, g.Arrive(p, now))
	g.list.Push(p)
	return qdisc.Queued
}

func (g *gate) Dequeue(now qdisc.Time) *qdisc.Packet {
	g.asked++
	if g.Clock(now) < g.opens {
		return nil
	}
	p := g.list.Pop()
	if p != nil {
		g.Release(p)
		g.Sent(p)
	}
	return p
}

func (g *gate) Peek(now qdisc.Time) *qdisc.Packet {
	g.asked++
	if g.Clock(now) < g.opens {
		return nil
	}
	return g.list.Head()
}

func (g *gate) ReadyAt(now qdisc.Time) qdisc.Time {
	if g.Len() == 0 {
		return qdisc.Never
	}
	return max(now, g.opens)
}

func (g *gate) Reset(now qdisc.Time) {
	g.Rewind(now)
	g.PurgeList(&g.list)
}

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

// drain dequeues all at now and returns the lengths in order.
func drain(q qdisc.Qdisc, now qdisc.Time) (list []int) {
	for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
		list = append(list, int(p.Len))
	}
	return list
}

// checkSums checks the identities of Stats, and the fill against the children.
func checkSums(t require.TestingT, q *prio.Prio) {
	s := q.ReadStats()
	n, bytes := 0, int64(0)
	for class, c := range q.Children() {
		require.Same(t, c, q.Child(class))
		n += c.Len()
		bytes += c.Backlog()
	}
	require.True(t, s.Received+s.Split == s.Queued+s.Refused &&
		s.Queued == s.Dequeued+s.Dropped+s.Purged+uint64(q.Len()) &&
		n == q.Len() && bytes == q.Backlog(), "%+v; %d packets in the children", s, n)
}

func configErrors(t *testing.T, err error, fields ...string) {
	t.Helper()
	require.Error(t, err)
	for _, f := range fields {
		assert.ErrorContains(t, err, f)
	}
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.NotEmpty(t, ce.Why)
}
