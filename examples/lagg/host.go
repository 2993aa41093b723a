package main

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// What the receiving computer has.
const (
	ringSize = 4096 // packets a port holds for the processor
	budget   = 64   // packets of one poll
	fullRun  = 44   // packets of a run: 64 KB
)

// cost is the processor's time to bring packets to TCP.
type cost struct{ run, packet time.Duration }

// host is the receiving computer: one processor that polls its ports by turns.
// What a poll finds in one port it joins to runs, as receive offload does: a
// run is packets whose data follow each other. Between polls nothing is kept.
type host struct {
	sim   *netsim.Sim
	cost  cost
	ports []*port
	turn  int        // port polled last
	batch qdisc.List // of the last poll, not yet served
	run   qdisc.List // being served
	done  *netsim.Timer

	newest uint32 // number of the packet sent last among those served
	arrivals
}

// arrivals counts what the host did since count was called.
type arrivals struct {
	runs, packets uint64
	late          uint64 // packets that came after one sent later
	behind        uint64 // by how many, summed over them
	busy          time.Duration
}

// port holds what has arrived until it is polled, and drops what finds it full.
type port struct {
	host    *host
	packets qdisc.List
	dropped uint64
}

func newHost(s *netsim.Sim, ports int, c cost) *host {
	h := &host{sim: s, cost: c}
	h.done = s.NewTimer(h.finish)
	for range ports {
		h.ports = append(h.ports, &port{host: h})
	}
	return h
}

// Receive takes a packet from the line.
func (r *port) Receive(p *netsim.Packet) {
	if r.packets.Len() == ringSize {
		r.dropped++
		r.host.sim.Free(p)
		return
	}
	r.packets.Push(&p.Packet)
	if !r.host.done.Pending() {
		r.host.serve()
	}
}

// serve begins the next run, if there is any packet.
func (h *host) serve() {
	for range h.ports {
		if h.batch.Empty() {
			h.poll()
		}
	}
	var next uint64 // byte that a packet must begin with to belong to the run
	for q := h.batch.Head(); q != nil && h.run.Len() < fullRun; q = h.batch.Head() {
		seg := &qdisc.Value[*netsim.Packet](q).TCP
		if !h.run.Empty() && seg.Seq != next {
			break
		}
		next = seg.Seq + uint64(seg.Bytes)
		h.run.Push(h.batch.Pop())
	}
	if n := h.run.Len(); n > 0 {
		takes := h.cost.run + time.Duration(n)*h.cost.packet
		h.busy += takes
		h.done.Set(h.sim.Now().Add(takes))
	}
}

// poll takes packets from the next port.
func (h *host) poll() {
	h.turn = (h.turn + 1) % len(h.ports)
	for from := &h.ports[h.turn].packets; h.batch.Len() < budget && !from.Empty(); {
		h.batch.Push(from.Pop())
	}
}

// finish hands the run to TCP.
func (h *host) finish() {
	h.runs++
	for q := h.run.Pop(); q != nil; q = h.run.Pop() {
		h.packets++
		if q.Mark < h.newest {
			h.late++
			h.behind += uint64(h.newest - q.Mark)
		}
		h.newest = max(h.newest, q.Mark)
		netsim.Endpoint.Receive(qdisc.Value[*netsim.Packet](q))
	}
	h.serve()
}

// count starts the counters afresh.
func (h *host) count() { h.arrivals = arrivals{} }
