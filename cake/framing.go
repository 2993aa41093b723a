package cake

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// Framing is what a line makes of a packet. The zero value charges a packet's
// length as it is, link header included ("raw").
type Framing struct {
	// Overhead is added to the length from the network header on: bytes that
	// the line needs beyond IP, MinOverhead to MaxOverhead. nil: raw.
	Overhead *int
	// MPU is the least that a packet takes, before Link, up to MaxMPU bytes.
	MPU int
	// Link is how the result is carried.
	Link Link
}

// The framings that tc has words for, with the length of what comes on top of
// IP. Words for ATM and PTM describe the DSL line, Ethernet's the cable.
var presets = []struct {
	word          string
	overhead, mpu int
	link          Link
}{
	{"conservative", 48, 0, ATM},
	{"ipoa-vcmux", 8, 0, ATM},
	{"ipoa-llcsnap", 16, 0, ATM},
	{"bridged-vcmux", 24, 0, ATM},
	{"bridged-llcsnap", 32, 0, ATM},
	{"pppoa-vcmux", 10, 0, ATM},
	{"pppoa-llc", 14, 0, ATM},
	{"pppoe-vcmux", 32, 0, ATM},
	{"pppoe-llcsnap", 40, 0, ATM},
	{"pppoe-ptm", 30, 0, PTM},
	{"bridged-ptm", 22, 0, PTM},
	{"ethernet", 38, 84, NoATM},
	{"ether-vlan", 4, 0, NoATM},
	{"docsis", 18, 64, NoATM},
}

// Preset returns the framing of one of tc's words: conservative, ipoa-vcmux,
// ipoa-llcsnap, bridged-vcmux, bridged-llcsnap, pppoa-vcmux, pppoa-llc,
// pppoe-vcmux, pppoe-llcsnap, pppoe-ptm, bridged-ptm, ethernet, ether-vlan (a
// tag, to be added to another by hand) and docsis.
func Preset(word string) (f Framing, ok bool) {
	for _, p := range presets {
		if p.word == word {
			return Framing{Overhead: new(p.overhead), MPU: p.mpu, Link: p.link}, true
		}
	}
	return Framing{}, false
}

// Conservative is at least what any DSL line needs: 48 bytes, in ATM cells.
func Conservative() Framing { f, _ := Preset("conservative"); return f }

// Ethernet is a cable's preamble, header, checksum and gap: 38 bytes, 84 at
// least.
func Ethernet() Framing { f, _ := Preset("ethernet"); return f }

// DOCSIS is a cable modem's: 18 bytes, 64 at least.
func DOCSIS() Framing { f, _ := Preset("docsis"); return f }

// PPPoEPTM is that of VDSL2 with PPPoE: 30 bytes, and the 65th byte.
func PPPoEPTM() Framing { f, _ := Preset("pppoe-ptm"); return f }

func (f *Framing) check(errs *qdisc.ConfigErrors) {
	if o := f.Overhead; o != nil {
		if *o < MinOverhead || *o > MaxOverhead {
			errs.Add("Overhead", *o, "-64 to 256 bytes a packet")
		}
	}
	if f.MPU < 0 || f.MPU > MaxMPU {
		errs.Add("MPU", f.MPU, "0 to 256 bytes")
	}
	if int(f.Link) >= len(linkWords) {
		errs.Add("Link", f.Link, "NoATM, ATM or PTM")
	}
}

func (f *Framing) equal(g *Framing) bool {
	same := (f.Overhead == nil) == (g.Overhead == nil) && f.MPU == g.MPU && f.Link == g.Link
	return same && (f.Overhead == nil || *f.Overhead == *g.Overhead)
}

// framing is a Framing scaled once.
type framing struct {
	overhead int64
	least    int64
	strip    int64 // all ones if the link header does not count
	link     Link
}

// maxAdjusted bounds a framed length, in bytes, so that the deficit of a flow
// fits 32 bits. One packet of MaxLen in ATM cells has 1.19e9.
const maxAdjusted = math.MaxInt32 - 2*MaxMTU

func (f *Framing) scale(linux bool) framing {
	s := framing{least: int64(f.MPU), link: f.Link}
	if f.Overhead != nil {
		s.overhead, s.strip = int64(*f.Overhead), -1
	}
	if !linux {
		s.least = max(s.least, 1)
	}
	return s
}

// network returns the length that counts of n bytes with a link header.
func (f *framing) network(n, linkHeader int64) int64 { return n - linkHeader&f.strip }

// wire returns what the line carries of a network length.
func (f *framing) wire(n int64) int64 {
	n = max(n+f.overhead, f.least)
	if f.link != NoATM {
		n = f.cells(n)
	}
	return n
}

func (f *framing) cells(n int64) int64 {
	if f.link == ATM {
		return (n + 47) / 48 * 53
	}
	return n + (n+63)/64
}

// plain returns the framed length of p if it is no super-packet and there are no
// cells.
func (f *framing) plain(p *qdisc.Packet) int64 {
	return max(f.network(int64(p.Len), int64(p.NetOff))+f.overhead, f.least)
}

// length returns the framed length of p: of a super-packet that of all its
// segments.
func (f *framing) length(p *qdisc.Packet) int64 {
	if p.Segs > 1 {
		first, last := segmentLengths(p)
		off := int64(p.NetOff)
		return min(f.wire(f.network(first, off))*int64(p.Segs-1)+f.wire(f.network(last, off)), maxAdjusted)
	}
	return f.wire(f.network(int64(p.Len), int64(p.NetOff)))
}

// segmentLengths returns the length of each segment of a super-packet but the
// last, and that of the last.
func segmentLengths(p *qdisc.Packet) (first, last int64) {
	more := int64(p.Segs - 1)
	first = int64(p.SegSize) + int64(p.HdrLen)
	return first, max(0, int64(p.Len)-more*first)
}
