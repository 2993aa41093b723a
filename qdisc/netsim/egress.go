package netsim

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// LinkStats count what became of the packets given to a link or device. Once it
// is empty, and unless its discipline cuts super-packets,
//
//	Received = Transmitted + Dropped + GivenUp
//	Transmitted = Delivered + Lost
type LinkStats struct {
	Received    uint64 // packets given to it
	Dropped     uint64 // by the discipline
	Transmitted uint64 // packets that were put on the line
	SentBytes   uint64 // their bytes, by Packet.Len
	GivenUp     uint64 // collided too often (Medium)
	Lost        uint64 // at random, on the line
	Delivered   uint64 // packets handed on at the far end
	Requeues    uint64 // times that the packet to send was for a full hardware queue (Device)
}

// egress is what links and devices share: the discipline in front and the ways
// in which a packet leaves them.
type egress struct {
	sim   *Sim
	q     qdisc.Qdisc
	base  *qdisc.Base
	drops *qdisc.List
	wake  *Timer // for a discipline that holds packets back

	name   string
	to     Receiver
	onDrop func(*Packet)
	stats  LinkStats
}

// init takes the discipline over; fill is to be called when it may give again.
func (e *egress) init(s *Sim, q qdisc.Qdisc, fill func(), errs *qdisc.ConfigErrors) {
	if q == nil {
		q, _ = fifo.New(fifo.Config{}) // the default cannot fail
	}
	e.sim, e.q, e.base = s, q, q.Common()
	switch {
	case e.base == nil:
		errs.Add("Qdisc", q, "it has no Base")
		return
	case e.base.HasParent():
		errs.Add("Qdisc", q, "it is another's child; give the root of the tree")
		return
	case e.base.Len() != 0:
		errs.Add("Qdisc", q, "it holds packets; give it empty")
		return
	case e.base.DropList() != nil:
		errs.Add("Qdisc", q, "it has a drop list, its own or another link's; each link wants a discipline of its own without one")
		return
	}
	e.drops = new(qdisc.List)
	if err := e.base.Attend(e.drops, e.base.Sojourn()); err != nil {
		errs.Add("Qdisc", q, err.Error())
	}
	e.wake = s.NewTimer(fill)
}

// offer gives p to the discipline.
func (e *egress) offer(p *Packet) {
	if p.pooled || p.inside || p.Linked() {
		panic("netsim: given a packet that is freed, queued or in flight")
	}
	e.stats.Received++
	e.sim.Note(Arrived, e.name, p)
	e.q.Enqueue(&p.Packet, e.sim.now)
	if !e.drops.Empty() {
		e.reap()
	}
}

// next takes the packet to send now; if there is none yet, the wake-up is set
// for when there may be.
func (e *egress) next() *Packet {
	now := e.sim.now
	p := e.q.Dequeue(now)
	if !e.drops.Empty() {
		e.reap()
	}
	if p != nil {
		o := outer(p)
		o.inside = true
		return o
	}
	if e.base.Len() > 0 {
		e.wake.Set(max(e.q.ReadyAt(now), now+1))
	}
	return nil
}

// reap ends the packets that the discipline dropped.
//
//go:noinline
func (e *egress) reap() {
	for q := e.drops.Pop(); q != nil; q = e.drops.Pop() {
		e.stats.Dropped++
		e.end(outer(q), Dropped)
	}
}

// end ends the way of a packet that comes to nothing.
func (e *egress) end(p *Packet, kind EventKind) {
	p.inside = false
	e.sim.Note(kind, e.name, p)
	if e.onDrop != nil {
		e.onDrop(p)
	}
	e.sim.Free(p)
}

// sent counts p as put on the line.
func (e *egress) sent(p *Packet) {
	e.stats.Transmitted++
	e.stats.SentBytes += uint64(p.Len)
	e.sim.Note(Transmitted, e.name, p)
}

// deliver hands p on.
func (e *egress) deliver(p *Packet) {
	p.inside = false
	e.stats.Delivered++
	e.sim.Note(Delivered, e.name, p)
	switch {
	case e.to != nil:
		e.to.Receive(p)
	case p.To != nil:
		p.To.Receive(p)
	default:
		e.sim.Free(p)
	}
}
