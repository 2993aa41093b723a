package qtest

import "github.com/netsched/netsched/qdisc"

// Gate is a FIFO that gives nothing before a given time, as a shaper does, and
// counts how often it is asked.
type Gate struct {
	qdisc.Base
	list      qdisc.List
	Opens     qdisc.Time
	Asked     int // for a packet
	AskedTime int // for when it will give one
}

// Enqueue takes every packet.
func (g *Gate) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	g.Accept(p, g.Arrive(p, now))
	g.list.Push(p)
	return qdisc.Queued
}

// Dequeue gives the oldest packet once the gate is open.
func (g *Gate) Dequeue(now qdisc.Time) *qdisc.Packet {
	g.Asked++
	if g.Clock(now) < g.Opens {
		return nil
	}
	p := g.list.Pop()
	if p != nil {
		g.Release(p)
		g.Sent(p)
	}
	return p
}

// Peek looks.
func (g *Gate) Peek(now qdisc.Time) *qdisc.Packet {
	g.Asked++
	if g.Clock(now) < g.Opens {
		return nil
	}
	return g.list.Head()
}

// ReadyAt is when the gate opens.
func (g *Gate) ReadyAt(now qdisc.Time) qdisc.Time {
	g.AskedTime++
	if g.Len() == 0 {
		return qdisc.Never
	}
	return max(now, g.Opens)
}

// Reset purges what is held.
func (g *Gate) Reset(now qdisc.Time) {
	g.Rewind(now)
	g.PurgeList(&g.list)
}
