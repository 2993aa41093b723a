package lagg

import "github.com/netsched/netsched/qdisc"

// PortStats counts what Send handed to a port, by the port's verdict:
// Packets = Queued + Congested + Dropped.
type PortStats struct {
	Packets, Bytes             uint64
	Queued, Congested, Dropped uint64
}

func (s *PortStats) add(o *PortStats) {
	s.Packets += o.Packets
	s.Bytes += o.Bytes
	s.Queued += o.Queued
	s.Congested += o.Congested
	s.Dropped += o.Dropped
}

// Stats counts what a group did in Send; Select counts nothing. The embedded
// counters are the sums over all ports, removed ones included, so that
// Received + Copied = Packets + NoPorts + NoneUsable.
type Stats struct {
	PortStats
	Received   uint64 // packets that Send took
	Copied     uint64 // copies made for a broadcast
	CopyFailed uint64 // copies that Copy did not make
	NoPorts    uint64 // dropped: the group is empty, or its mode is None (lagg(4): ENXIO)
	NoneUsable uint64 // dropped: no port is usable (lagg(4): ENETDOWN, ENOENT)
	Returned   uint64 // packets that Remove gave back
}

// ReadStats returns the counters. It visits every port.
func (g *Group) ReadStats() Stats {
	s := g.stats // of removed ports
	for _, m := range g.list {
		s.add(&m.stats)
	}
	return s
}

// deliver hands p to the port.
func (m *Member) deliver(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	n := p.Len // p is the port's after Enqueue
	v := m.port.Enqueue(p, now)
	// The port may have removed nothing but itself from use: m is still ours.
	m.stats.Packets++
	m.stats.Bytes += uint64(n)
	switch v {
	case qdisc.Queued:
		m.stats.Queued++
	case qdisc.Congested:
		m.stats.Congested++
	default:
		m.stats.Dropped++
	}
	return v
}
