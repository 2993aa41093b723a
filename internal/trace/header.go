package trace

import "encoding/binary"

// header writes the packet from its network header on: IPv4 or IPv6, then TCP
// with its options or UDP. length is the packet's, link header included. A
// packet without IP has none.
func (a *Arrival) header(length uint32, netOff uint16) []byte {
	if a.NoIP {
		return nil
	}
	transport := make([]byte, 8) // UDP of no port
	proto := byte(17)
	if a.TCP != nil || a.SegSize != 0 {
		proto, transport = 6, a.tcp()
	}
	total := int64(length) - int64(netOff)
	be := binary.BigEndian
	if a.IPv6 {
		h := make([]byte, 40, 40+len(transport))
		be.PutUint32(h, 6<<28|uint32(a.DS)<<20)
		be.PutUint16(h[4:], uint16(total-40))
		h[6], h[7] = proto, 64
		be.PutUint32(h[20:], a.Src)
		be.PutUint32(h[36:], a.Dst)
		return append(h, transport...)
	}
	h := make([]byte, 20, 20+len(transport))
	h[0], h[1] = 0x45, a.DS
	be.PutUint16(h[2:], uint16(total))
	h[8], h[9] = 64, proto
	be.PutUint32(h[12:], a.Src)
	be.PutUint32(h[16:], a.Dst)
	var sum uint32
	for i := 0; i < 20; i += 2 {
		sum += uint32(be.Uint16(h[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	be.PutUint16(h[10:], ^uint16(sum))
	return append(h, transport...)
}

// tcp writes the TCP header; that of a super-packet has ports 0, ACK and
// nothing else.
func (a *Arrival) tcp() []byte {
	t := a.TCP
	if t == nil {
		t = &TCP{Flags: 0x10}
	}
	be := binary.BigEndian
	h := make([]byte, 20, 60)
	be.PutUint16(h, t.SrcPort)
	be.PutUint16(h[2:], t.DstPort)
	be.PutUint32(h[8:], t.Ack)
	if t.Timestamp != nil {
		h = append(h, 1, 1, 8, 10)
		h = be.AppendUint32(h, t.Timestamp[0])
		h = be.AppendUint32(h, t.Timestamp[1])
	}
	if len(t.SACK) > 0 {
		h = append(h, 1, 1, 5, byte(2+8*len(t.SACK)))
		for _, b := range t.SACK {
			h = be.AppendUint32(h, b[0])
			h = be.AppendUint32(h, b[1])
		}
	}
	if t.Unknown != 0 {
		h = append(h, t.Unknown, 4, 0, 0)
	}
	be.PutUint16(h[12:], uint16(len(h)/4)<<12|t.Flags)
	return h
}
