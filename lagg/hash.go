package lagg

import (
	"encoding/binary"
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// Layers are the layers of a frame that LayersHash hashes: a sum.
type Layers uint8

// The layers, with the bits that lagg(4) uses.
const (
	// Layer2 is the MAC addresses and the VLAN tags.
	Layer2 Layers = 4
	// Layer3 is the IP addresses.
	Layer3 Layers = 8
	// Layer4 is the TCP, UDP or SCTP ports of IPv4, and the flow label of IPv6.
	Layer4 Layers = 16
	// AllLayers is the default.
	AllLayers = Layer2 | Layer3 | Layer4
	// NoLayers leaves the key as the hash of every frame.
	NoLayers Layers = 1
)

// Policy is a rule for hashing a frame.
type Policy uint8

// The policies: lagg(4)'s and bonding's (xmit_hash_policy).
const (
	// LayersHash is FNV-1 over what Layers says.
	LayersHash Policy = iota
	// BondLayer2 is the last bytes of the MAC addresses and the EtherType, which
	// is in all three the one behind the VLAN tags; the tags count nowhere.
	BondLayer2
	// BondLayer23 adds the IP addresses.
	BondLayer23
	// BondLayer34 is the IP addresses and ports; BondLayer2 for what is not IP.
	BondLayer34
)

// Hasher hashes the headers of Ethernet frames. The zero value hashes all
// layers with key 0. A frame without whole Ethernet addresses and EtherType
// hashes to Key.
//
// VLAN tags are those of EtherType 0x8100 (802.1Q) and 0x88A8 (802.1ad), at most
// two in a row. A frame with more, or one that ends within a tag, has no layer 3.
type Hasher struct {
	Policy Policy
	Layers Layers // of LayersHash; 0: AllLayers
	// Key is where LayersHash starts. Who knows it can choose frames for one
	// port: draw it at random.
	Key uint32
	// AsLagg makes LayersHash what lagg(4) does, bit for bit: it knows one tag,
	// of 802.1Q, and looks for it, and for what follows, 14 bytes too far on; it
	// takes the payload of a fragment for ports; and a tag that the hardware
	// has stripped is hashed low byte first.
	AsLagg bool
}

func (h *Hasher) check(errs *qdisc.ConfigErrors) {
	if h.Policy > BondLayer34 {
		errs.Add("Hasher.Policy", uint8(h.Policy), "LayersHash (0), BondLayer2 (1), BondLayer23 (2) or BondLayer34 (3)")
	}
	if h.Layers&^(AllLayers|NoLayers) != 0 {
		errs.Add("Hasher.Layers", uint8(h.Layers), "a sum of Layer2 (4), Layer3 (8) and Layer4 (16), or NoLayers (1)")
	}
}

// Sum hashes a frame.
func (h *Hasher) Sum(frame []byte) uint32 { return h.sum(frame, 0, false) }

// SumTagged hashes a frame whose outer VLAN tag (priority, drop eligibility and
// identifier, 16 bits) the hardware has stripped; frame may have another. The
// hash is the one that the frame has with both, but for LayersHash with AsLagg.
func (h *Hasher) SumTagged(frame []byte, tag uint16) uint32 { return h.sum(frame, tag, true) }

func (h *Hasher) sum(frame []byte, tag uint16, stripped bool) uint32 {
	tags := maxTags
	if stripped {
		tags--
	}
	switch {
	case len(frame) < etherLen:
		return h.Key
	case h.Policy != LayersHash:
		return h.bond(frame, tags)
	}
	layers, sum := h.Layers, h.Key
	if layers == 0 {
		layers = AllLayers
	}
	kind, rest := binary.BigEndian.Uint16(frame[12:]), frame[etherLen:]
	if layers&Layer2 != 0 {
		sum = fnv32(sum, binary.BigEndian.Uint32(frame[6:])) // the source
		sum = fnv16(sum, binary.BigEndian.Uint16(frame[10:]))
		sum = fnv32(sum, binary.BigEndian.Uint32(frame))
		sum = fnv16(sum, binary.BigEndian.Uint16(frame[4:]))
		if stripped && h.AsLagg {
			tag = bits.ReverseBytes16(tag)
		}
		if stripped {
			sum = fnv16(sum, tag)
		}
	}
	at := 0 // of a tag in rest
	if h.AsLagg {
		at, tags = etherLen, 1
	}
	for ; tags > 0 && (kind == typeVLAN || kind == typeSTag && !h.AsLagg); tags-- {
		if len(rest) < at+vlanLen {
			return sum
		}
		if layers&Layer2 != 0 {
			sum = fnv16(sum, binary.BigEndian.Uint16(rest[at:]))
		}
		kind, rest = binary.BigEndian.Uint16(rest[at+2:]), rest[vlanLen:]
	}
	switch {
	case kind == typeIPv4 && len(rest) >= ipv4Len:
		if layers&Layer3 != 0 {
			sum = fnv64(sum, binary.BigEndian.Uint64(rest[12:]))
		}
		if layers&Layer4 != 0 {
			if ports, ok := ports4(rest, h.AsLagg); ok {
				sum = fnv32(sum, ports)
			}
		}
	case kind == typeIPv6 && len(rest) >= ipv6Len:
		if layers&Layer3 != 0 {
			sum = fnv64(sum, binary.BigEndian.Uint64(rest[8:]))
			sum = fnv64(sum, binary.BigEndian.Uint64(rest[16:]))
			sum = fnv64(sum, binary.BigEndian.Uint64(rest[24:]))
			sum = fnv64(sum, binary.BigEndian.Uint64(rest[32:]))
		}
		if layers&Layer4 != 0 {
			sum = fnv32(sum, binary.BigEndian.Uint32(rest)&0xFFFFF) // flow label
		}
	}
	return sum
}
