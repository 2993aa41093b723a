package cake

import "fmt"

// Diffserv says how packets are sorted into tins by their DSCP.
type Diffserv uint8

// The tin modes, with tc's words for them.
const (
	Diffserv3  Diffserv = iota // Bulk, Best Effort, Voice
	BestEffort                 // one tin
	Precedence                 // 8 tins, by the upper 3 bits of the DSCP; of historic interest
	Diffserv4                  // Bulk, Best Effort, Video, Voice
	Diffserv8                  // 8 tins
)

// Isolation says what a flow is and who shares fairly. All hashes are the
// caller's: Packet.Flow, SrcHost and DstHost.
type Isolation uint8

// The isolation modes, with tc's words for them.
const (
	TripleIsolate Isolation = iota // flows, fair by source and destination host
	Flowblind                      // one queue a tin
	SrcHost                        // a queue a source host
	DstHost                        // a queue a destination host
	Hosts                          // a queue a pair of hosts
	Flows                          // a queue a flow
	DualSrcHost                    // flows, fair by source host first
	DualDstHost                    // flows, fair by destination host first
)

// AckFilter says whether superfluous TCP acknowledgements are dropped.
type AckFilter uint8

// The filter modes, with tc's words for them.
const (
	NoAckFilter          AckFilter = iota
	FilterAcks                     // keeps the newest two of a flow's acknowledgements
	FilterAcksAggressive           // keeps the newest
)

// Link says how a packet is framed on the line.
type Link uint8

// The link layers, with tc's words for them.
const (
	NoATM Link = iota // as it is
	ATM               // in cells of 53 bytes with a payload of 48
	PTM               // with a 65th byte for each 64
)

// The words, in the order of the constants.
var (
	diffservWords  = [...]string{"diffserv3", "besteffort", "precedence", "diffserv4", "diffserv8"}
	isolationWords = [...]string{
		"triple-isolate", "flowblind", "srchost", "dsthost", "hosts", "flows", "dual-srchost", "dual-dsthost",
	}
	ackFilterWords = [...]string{"no-ack-filter", "ack-filter", "ack-filter-aggressive"}
	linkWords      = [...]string{"noatm", "atm", "ptm"}
)

func word(words []string, i uint8) string {
	if int(i) < len(words) {
		return words[i]
	}
	return "unknown mode"
}

func number(words []string, text []byte) (uint8, error) {
	for i, w := range words {
		if w == string(text) {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("cake: %q is none of %q", text, words)
}

func (d Diffserv) String() string  { return word(diffservWords[:], uint8(d)) }
func (i Isolation) String() string { return word(isolationWords[:], uint8(i)) }
func (a AckFilter) String() string { return word(ackFilterWords[:], uint8(a)) }
func (l Link) String() string      { return word(linkWords[:], uint8(l)) }

// UnmarshalText reads tc's word.
func (d *Diffserv) UnmarshalText(text []byte) error {
	n, err := number(diffservWords[:], text)
	if err == nil {
		*d = Diffserv(n)
	}
	return err
}

// UnmarshalText reads tc's word.
func (i *Isolation) UnmarshalText(text []byte) error {
	n, err := number(isolationWords[:], text)
	if err == nil {
		*i = Isolation(n)
	}
	return err
}

// UnmarshalText reads tc's word.
func (a *AckFilter) UnmarshalText(text []byte) error {
	n, err := number(ackFilterWords[:], text)
	if err == nil {
		*a = AckFilter(n)
	}
	return err
}

// UnmarshalText reads tc's word.
func (l *Link) UnmarshalText(text []byte) error {
	n, err := number(linkWords[:], text)
	if err == nil {
		*l = Link(n)
	}
	return err
}
