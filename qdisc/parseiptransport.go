package qdisc

import "encoding/binary"

// IP protocol numbers (IANA).
const (
	protoHopByHop    = 0
	protoICMP        = 1
	protoTCP         = 6
	protoUDP         = 17
	protoDCCP        = 33
	protoRouting     = 43
	protoFragment    = 44
	protoESP         = 50
	protoAH          = 51
	protoICMPv6      = 58
	protoDestOptions = 60
	protoSCTP        = 132
	protoUDPLite     = 136
	protoUnknown     = 255
)

// transport returns where the header of proto that begins at b[at] ends, which
// may be past b, and its first 4 bytes if they tell flows apart: the ports, or
// ESP's SPI. They are 0 if b cuts them off.
func transport(b []byte, at int, proto uint8) (end int, ports uint32) {
	size := 0
	switch proto {
	case protoTCP:
		size = 20
		if at+12 < len(b) {
			size = max(size, 4*int(b[at+12]>>4))
		}
	case protoUDP, protoUDPLite, protoESP:
		size = 8
	case protoDCCP:
		size = 12
		if at+4 < len(b) {
			size = max(size, 4*int(b[at+4]))
		}
	case protoSCTP:
		size = 12
	case protoICMP, protoICMPv6:
		return at + 8, 0
	default:
		return at, 0
	}
	if at+4 <= len(b) {
		ports = binary.BigEndian.Uint32(b[at:])
	}
	return at + size, ports
}
