package cake

import (
	"bytes"
	"encoding/binary"

	"github.com/netsched/netsched/qdisc"
)

const protoTCP = 6

// The flags of a TCP header (RFC 9293 section 3.1), in the 16 bits with the
// offset of the data.
const (
	flagSYN = 0x02
	flagACK = 0x10
	flagECE = 0x40
	flagCWR = 0x80
	flagECN = flagECE | flagCWR
	allBits = 0xfff // the four reserved ones too
)

// The kinds of TCP options that a plain acknowledgement may have.
const (
	optEOL       = 0
	optNOP       = 1
	optSACK      = 5  // RFC 2018
	optTimestamp = 8  // RFC 7323
	optMD5       = 19 // RFC 2385
)

// segment is the part of a packet that the filter reads.
type segment struct {
	addresses []byte // both
	tcp       []byte // header, with its options
	payload   int    // bytes, below 0 if the IP header does not say
	whole     bool   // no super-packet
}

// parse reads the headers of p, and tells whether they are whole and TCP's. A
// fragment has none.
func parse(p *qdisc.Packet, header func(*qdisc.Packet) []byte) (s segment, ok bool) {
	if p.Proto != protoTCP {
		return s, false
	}
	ip := header(p)
	if len(ip) < 20 {
		return s, false
	}
	size := 0
	switch ip[0] >> 4 {
	case 4:
		size = int(ip[0]&15) * 4
		if size < 20 || ip[9] != protoTCP || binary.BigEndian.Uint16(ip[6:])&0x3fff != 0 {
			return s, false
		}
		s.addresses = ip[12:20]
		s.payload = int(binary.BigEndian.Uint16(ip[2:])) - size
	case 6:
		size = 40
		if len(ip) < size || ip[6] != protoTCP {
			return s, false
		}
		s.addresses = ip[8:40]
		s.payload = int(binary.BigEndian.Uint16(ip[4:]))
	default:
		return s, false
	}
	if len(ip) < size+20 {
		return s, false
	}
	data := int(ip[size+12]>>4) * 4
	if data < 20 || len(ip) < size+data {
		return s, false
	}
	s.tcp = ip[size : size+data]
	s.payload -= data
	s.whole = p.Segs <= 1
	return s, true
}

func (s *segment) flags() uint16 { return binary.BigEndian.Uint16(s.tcp[12:]) & allBits }

func (s *segment) ack() uint32 { return binary.BigEndian.Uint32(s.tcp[8:]) }

// sameFlow tells whether both are of one direction of one connection.
func (s *segment) sameFlow(o *segment) bool {
	return string(s.tcp[:4]) == string(o.tcp[:4]) && bytes.Equal(s.addresses, o.addresses)
}

// optCut stands for an option that is cut off.
const optCut = 255

// nextOption cuts the first option off opts.
func nextOption(opts []byte) (kind byte, body, rest []byte) {
	for len(opts) > 0 && opts[0] == optNOP {
		opts = opts[1:]
	}
	if len(opts) == 0 || opts[0] == optEOL {
		return optEOL, nil, nil
	}
	if len(opts) < 2 || opts[1] < 2 || int(opts[1]) > len(opts) {
		return optCut, nil, nil
	}
	return opts[0], opts[2:opts[1]], opts[opts[1]:]
}

// option returns the body of the first option of a kind, nil if there is none.
func (s *segment) option(kind byte) []byte {
	opts := s.tcp[20:]
	for {
		k, body, rest := nextOption(opts)
		switch k {
		case optEOL:
			return nil
		case kind:
			return body
		}
		opts = rest
	}
}

// plain tells whether s acknowledges and nothing else, so that a newer one in
// the same flow makes it superfluous, but for its SACK blocks.
func (s *segment) plain(newer *segment) bool {
	if s.flags()&^flagECN != flagACK || s.payload != 0 || !s.whole || after(s.ack(), newer.ack()) {
		return false
	}
	for opts := s.tcp[20:]; ; {
		kind, body, rest := nextOption(opts)
		switch kind {
		case optEOL:
			return true
		case optMD5:
		case optSACK:
			if len(body)%8 != 0 {
				return false
			}
		case optTimestamp:
			if !olderStamp(body, newer.option(optTimestamp)) {
				return false
			}
		default:
			return false
		}
		opts = rest
	}
}

// olderStamp tells whether neither value of a timestamp option is after that of
// another.
func olderStamp(stamp, newer []byte) bool {
	if len(stamp) != 8 || len(newer) != 8 {
		return false
	}
	return !after(binary.BigEndian.Uint32(stamp), binary.BigEndian.Uint32(newer)) &&
		!after(binary.BigEndian.Uint32(stamp[4:]), binary.BigEndian.Uint32(newer[4:]))
}

// after compares sequence numbers, and times, modulo 2^32.
func after(a, b uint32) bool { return int32(a-b) > 0 }

// compareSACK compares what s and newer acknowledge selectively: above 0 if s
// says what newer does not, below 0 if newer says more, 0 if they are equal. A
// block before the acknowledgement itself reports a duplicate (RFC 2883), and
// is said once.
func (s *segment) compareSACK(newer *segment) int {
	ours, theirs := s.option(optSACK), newer.option(optSACK)
	switch {
	case len(ours) == 0 && len(theirs) == 0:
		return 0
	case len(theirs) == 0:
		return 1
	case len(ours) == 0:
		return -1
	}
	var ourBytes, theirBytes uint32
	for i := 0; i+8 <= len(ours); i += 8 {
		from, to := block(ours[i:])
		if after(s.ack(), from) {
			return 1
		}
		ourBytes += to - from
		found := false
		for j := 0; j+8 <= len(theirs); j += 8 {
			first, last := block(theirs[j:])
			found = found || !after(first, from) && !after(to, last)
			if i == 0 {
				theirBytes += last - first
			}
		}
		if !found {
			return 1
		}
	}
	if theirBytes > ourBytes {
		return -1
	}
	return 0
}

func block(b []byte) (from, to uint32) {
	return binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
}
