package qdisc

// The ECN codepoints, the lower 2 bits of the DS field (RFC 3168 section 5).
const (
	NotECT uint8 = iota // not ECN-capable
	ECT1                // ECN-capable, and L4S (RFC 9331)
	ECT0                // ECN-capable
	CE                  // congestion experienced

	ecnMask = 3
)

// ECN returns the ECN codepoint.
func (p *Packet) ECN() uint8 { return p.DSField & ecnMask }

// MarkCE sets congestion experienced and tells whether the packet carries it
// now: one that is not ECN-capable cannot, one that is marked already does.
func (p *Packet) MarkCE() bool {
	if p.DSField&ecnMask == NotECT {
		return false
	}
	p.DSField |= CE
	return true
}
