package netsim

import "github.com/netsched/netsched/qdisc"

// Receiver is anything that takes packets: a link, a device, a router, a meter,
// the end of a connection. Receive takes p over; whoever ends a packet's way
// gives it back by Sim.Free. Links and devices panic when they are given a
// packet that is freed or on its way already.
type Receiver interface{ Receive(p *Packet) }

// Packet is a simulated packet. Its source fills it in; Len is what links
// charge and meters count. A super-packet (Segs above 1) travels whole, as it
// does below TCP segmentation offload: a link serialises all its bytes and then
// delivers it in one piece.
type Packet struct {
	qdisc.Packet          // what disciplines read; its Payload is the Packet itself
	To           Receiver // the end of its way

	due qdisc.Time // when it arrives, while it is in flight. Links touch nothing below

	Sent qdisc.Time // when the source emitted it
	Seq  uint64     // the source's running number, from 0
	TCP  Segment

	pooled bool // in the pool
	inside bool // in a device or on a line
}

// outer returns the packet that a discipline's packet is part of.
func outer(p *qdisc.Packet) *Packet { return p.Payload.(*Packet) }

// slab is how many packets the pool grows by.
const slab = 64

// Alloc takes a packet from the pool, all zero but for Payload.
func (s *Sim) Alloc() *Packet {
	if len(s.pool) == 0 {
		s.grow()
	}
	n := len(s.pool) - 1
	p := s.pool[n]
	s.pool = s.pool[:n]
	*p = Packet{}
	p.Payload = p
	s.alive++
	return p
}

//go:noinline
func (s *Sim) grow() {
	packets := make([]Packet, slab)
	for i := range packets {
		packets[i].pooled = true
		s.pool = append(s.pool, &packets[i])
	}
}

// Free gives p back to the pool. It panics if p is there already, or on its way
// through a link or in a list.
func (s *Sim) Free(p *Packet) {
	if p.pooled || p.inside || p.Linked() {
		panic("netsim: freed a packet twice, or while it is queued or in flight")
	}
	p.pooled = true
	s.pool = append(s.pool, p) // the last one freed is the first to go: it is in the cache
	s.alive--
}

// Alive returns how many packets are out of the pool: queued, in flight or with
// their sources. Once everything has come to rest it is 0.
func (s *Sim) Alive() int { return s.alive }

// Endpoint is a Receiver that passes each packet on to its own To.
var Endpoint Receiver = endpoint{}

type endpoint struct{}

func (endpoint) Receive(p *Packet) { p.To.Receive(p) }

// Discard returns a Receiver that ends every packet's way.
func (s *Sim) Discard() Receiver { return discard{s} }

type discard struct{ sim *Sim }

func (d discard) Receive(p *Packet) { d.sim.Free(p) }
