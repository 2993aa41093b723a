package netsim

import "github.com/netsched/netsched/qdisc"

// SplitTCP cuts a connection's super-packet into its segments. It is what the
// Split of a discipline's configuration wants.
func (s *Sim) SplitTCP(q *qdisc.Packet, segs *qdisc.List) {
	p := outer(q)
	if p.Segs <= 1 || p.SegSize == 0 {
		return
	}
	for rest := p.TCP.Bytes; rest > 0; {
		n := min(uint32(p.SegSize), rest)
		c := s.Alloc()
		*c = *p
		c.Payload = c
		c.TCP.Seq, c.TCP.Bytes = p.TCP.Seq+uint64(p.TCP.Bytes-rest), n
		if c.TCP.Seq != p.TCP.Seq {
			c.TCP.Flags &^= CWR
		}
		c.Len, c.Segs, c.SegSize = n+uint32(c.HdrLen), 0, 0
		segs.Push(&c.Packet)
		rest -= n
	}
	s.Free(p)
}
