package trace

import (
	"strings"
)

// Arrival is a packet as an E line of the first format describes it.
type Arrival struct {
	ID       uint64
	Len      uint32 // bytes, link header included
	Flow     uint32
	Src, Dst uint32
	DS       uint8
	Priority uint32
	IPv6     bool
	NoIP     bool   // no IP header
	Mark     uint32 // firewall mark
	Charge   uint32 // memory charge, bytes; 0: length + the run's
	SegSize  uint32 // payload of a super-packet's segments, bytes; 0: ordinary
	TCP      *TCP   // nil: not given
}

// TCP is the TCP header of a packet.
type TCP struct {
	SrcPort, DstPort uint16
	Flags            uint16 // as in the header: FIN 1, SYN 2, ... CWR 0x80, 4 reserved bits
	Ack              uint32
	Timestamp        *[2]uint32 // value, echo; nil: no such option
	SACK             [][2]uint32
	Unknown          uint8 // kind of an option of no meaning; 0: none
}

func parseArrival(s *scanner) Arrival {
	a := Arrival{
		ID:       s.packet(),
		Len:      s.u32("length"),
		Flow:     s.u32("flow"),
		Src:      s.u32("source"),
		Dst:      s.u32("destination"),
		DS:       uint8(s.uint("DS field", 16, 8)),
		Priority: uint32(s.uint("priority", 16, 32)),
	}
	for s.more() {
		key, value, _ := strings.Cut(s.word("extra"), "=")
		switch key {
		case "ip6":
			a.IPv6 = true
		case "arp":
			a.NoIP = true
		case "mark":
			a.Mark = uint32(s.parse(key, value, 10, 32))
		case "ts":
			a.Charge = uint32(s.parse(key, value, 10, 32))
		case "gso":
			a.SegSize = uint32(s.parse(key, value, 10, 16))
		case "tcp", "tsopt", "sack", "xopt":
			if a.TCP == nil {
				a.TCP = new(TCP)
			}
			a.TCP.parse(s, key, value)
		default:
			s.fail("unknown extra %q", key)
		}
	}
	if a.SegSize > 0 && a.Len/a.SegSize > maxSegs {
		s.fail("%d bytes in segments of %d are more than %d", a.Len, a.SegSize, maxSegs)
	}
	return a
}

// maxSegs is the most segments that a super-packet may have.
const maxSegs = 1 << 15

// parse reads one of the extras that describe a TCP header.
func (t *TCP) parse(s *scanner, key, value string) {
	part := strings.Split(value, ",")
	switch {
	case key == "tcp" && len(part) == 4:
		t.SrcPort = uint16(s.parse(key, part[0], 10, 16))
		t.DstPort = uint16(s.parse(key, part[1], 10, 16))
		t.Flags = uint16(s.parse(key, part[2], 16, 12))
		t.Ack = uint32(s.parse(key, part[3], 10, 32))
	case key == "tsopt" && len(part) == 2:
		t.Timestamp = &[2]uint32{uint32(s.parse(key, part[0], 10, 32)), uint32(s.parse(key, part[1], 10, 32))}
	case key == "sack":
		for _, block := range part {
			from, to, _ := strings.Cut(block, "-")
			t.SACK = append(t.SACK, [2]uint32{uint32(s.parse(key, from, 10, 32)), uint32(s.parse(key, to, 10, 32))})
		}
	case key == "xopt" && len(part) == 1:
		t.Unknown = uint8(s.parse(key, value, 10, 8))
	default:
		s.fail("%s=%s: wrong number of fields", key, value)
	}
}

// headers returns the bytes of all headers of a super-packet, link included.
func (a *Arrival) headers(netOff uint16) uint32 {
	return uint32(netOff) + a.ipHeader() + 20
}

func (a *Arrival) ipHeader() uint32 {
	if a.IPv6 {
		return 40
	}
	return 20
}

// segments returns how many packets a super-packet stands for; 1: ordinary.
func (a *Arrival) segments(netOff uint16) uint32 {
	h := a.headers(netOff)
	if a.SegSize == 0 || a.Len <= h {
		return 1
	}
	return (a.Len - h + a.SegSize - 1) / a.SegSize
}
