package trace

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// packet is a packet of a replay.
type packet struct {
	qdisc.Packet
	id        ID
	arrival   *Arrival // of the first format
	arrivedCE bool
	gone      bool
	bytes     []byte // from the network header on, made when asked for
}

// ledger follows each packet from its arrival to its one departure, and keeps
// what happened to packets during the present operation.
type ledger struct {
	drops  qdisc.List
	events []Event
	lost   []*packet // of the drop events
	slab   []packet

	live     int // arrived and not gone
	filtered qdisc.Reason

	netOff   uint16 // of the first format
	truesize uint32
}

func (l *ledger) alloc() *packet {
	if len(l.slab) == 0 {
		l.slab = make([]packet, 256)
	}
	p := &l.slab[0]
	l.slab = l.slab[1:]
	p.Payload = p
	l.live++
	return p
}

// begin starts an operation.
func (l *ledger) begin() { l.events, l.lost = nil, nil }

// depart notes that p left. A packet that leaves twice is an error.
func (l *ledger) depart(p *packet) {
	if p.gone {
		panic(fmt.Sprintf("packet %v left twice", p.id))
	}
	p.gone = true
	l.live--
}

// collect turns the drop list into events.
func (l *ledger) collect() {
	for q := range l.drops.Drain() {
		p := qdisc.Value[*packet](q)
		l.depart(p)
		kind := byte('x')
		if l.filtered != qdisc.NotDropped && q.Reason == l.filtered {
			kind = 'k'
		}
		if q.Reason == qdisc.NotDropped {
			panic(fmt.Sprintf("packet %v was dropped without a reason", p.id))
		}
		l.events = append(l.events, Event{Kind: kind, ID: p.id})
		l.lost = append(l.lost, p)
	}
}

// balance reports packets that are neither held nor departed: what q says it
// holds must be what arrived and did not leave.
func (l *ledger) balance(q qdisc.Qdisc) error {
	if n := q.Len(); n != l.live {
		return fmt.Errorf("the discipline says that it holds %d packets, %d arrived and did not leave", n, l.live)
	}
	return nil
}

// arrive makes the packet of an E line of the first format.
func (l *ledger) arrive(a *Arrival) *packet {
	p := l.alloc()
	p.id, p.arrival = ID{Packet: a.ID}, a
	p.arrivedCE = a.DS&3 == 3 && !a.NoIP
	q := &p.Packet
	q.Len, q.Truesize = a.Len, a.Charge
	if a.Charge == 0 {
		q.Truesize = a.Len + l.truesize
	}
	q.Flow, q.SrcHost, q.DstHost, q.Mark = a.Flow, a.Src, a.Dst, a.Mark
	q.Priority, q.DSField, q.NetOff = a.Priority, a.DS, l.netOff
	if a.Priority>>16 == 1 { // the discipline's own handle
		q.Class = a.Priority & 0xffff
	}
	switch {
	case a.NoIP:
		q.SrcHost, q.DstHost, q.DSField = 0, 0, 0
	case a.TCP != nil || a.SegSize != 0:
		q.Proto = 6
	default:
		q.Proto = 17
	}
	if n := a.segments(l.netOff); n > 1 {
		h := a.headers(l.netOff)
		q.Len += (n - 1) * h
		q.Segs, q.SegSize, q.HdrLen = uint16(n), uint16(a.SegSize), uint16(h)
	}
	return p
}

// split is Env.Split.
func (l *ledger) split(super *qdisc.Packet, segs *qdisc.List) {
	p := qdisc.Value[*packet](super)
	if super.Segs < 2 {
		return
	}
	l.collect() // what was dropped before
	l.events = append(l.events, Event{Kind: 'g', ID: p.id, Segments: int(super.Segs)})
	l.depart(p)
	h := uint32(super.HdrLen)
	payload := p.arrival.Len - h
	for i := range int(super.Segs) {
		size := min(payload, uint32(super.SegSize))
		payload -= size
		s := l.alloc()
		s.id = ID{p.id.Packet, i + 1}
		s.arrival, s.arrivedCE = p.arrival, p.arrivedCE
		q := &s.Packet
		q.Len = h + size
		q.Truesize = q.Len + l.truesize
		q.Class, q.Priority, q.TxQueue = super.Class, super.Priority, super.TxQueue
		q.Flow, q.SrcHost, q.DstHost, q.Mark = super.Flow, super.SrcHost, super.DstHost, super.Mark
		q.DSField, q.Proto, q.NetOff, q.HdrLen = super.DSField, super.Proto, super.NetOff, super.HdrLen
		segs.Push(q)
	}
}

// header is Env.Header.
func (l *ledger) header(q *qdisc.Packet) []byte {
	p := qdisc.Value[*packet](q)
	if p.bytes == nil && p.arrival != nil {
		p.bytes = p.arrival.header(q.Len, l.netOff)
	}
	return p.bytes
}

// take notes that q was handed out, and returns it.
func (l *ledger) take(q *qdisc.Packet) *packet {
	p := qdisc.Value[*packet](q)
	l.depart(p)
	return p
}
