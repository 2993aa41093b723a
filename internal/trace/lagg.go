package trace

import "strings"

// Lagg is a run of link aggregation, of the third format.
type Lagg struct {
	*text
	Header LaggHeader
	ops    []laggOp
	counts []stat // packets sent, by port
}

// LaggHeader is the configuration of a run.
type LaggHeader struct {
	Protocol      string // roundrobin, loadbalance, failover, broadcast
	Bucket        bool   // roundrobin: the arithmetic of 2014-2019
	UseFlowID     bool   // the number of T is a flow id, shifted before use
	FlowIDShift   int
	ReceiveOnAll  bool // failover accepts on all ports
	HashesHeaders bool // the run asks for header hashes
}

// laggOp is one operation and its outcome.
type laggOp struct {
	line   int
	verb   string // A R N U O I S SEQ T X H
	port   string
	number uint32 // of A: interface index; S, SEQ: n; T: hash; H: key
	layers int    // of H: 4 layer 2, 8 layer 3, 16 layer 4
	frame  string // of H, in hex
	want   LaggOutcome
}

// LaggOutcome is what one operation did.
type LaggOutcome struct {
	Ports   string // of A and R: the list in order of use; of T: sent on
	Primary string // of R; "": none
	Why     string // of T: why it was dropped; of X: accept or drop
	Hash    uint32 // of H
	verb    string
}

// String writes the outcome as it stands after the equals sign.
func (o LaggOutcome) String() string {
	switch {
	case o.verb == "H":
		return uitoa(o.Hash)
	case o.verb == "T" && o.Why != "":
		return "drop " + o.Why
	case o.verb == "X":
		return o.Why
	case o.verb == "R":
		primary := o.Primary
		if primary == "" {
			primary = "-"
		}
		return strings.TrimLeft(o.Ports+" primary "+primary, " ")
	}
	return o.Ports
}

// Kind names the protocol, or the header hash.
func (l *Lagg) Kind() string { return "lagg " + l.Header.Protocol }

// Operations returns the number of operations.
func (l *Lagg) Operations() int { return len(l.ops) }

// parseLagg reads a run whose second line is the current one.
func parseLagg(s *scanner) Run {
	l := &Lagg{text: s.text, Header: LaggHeader{FlowIDShift: 16}}
	for ok := true; ok; ok = s.next() {
		if s.accept("count") {
			port := s.word("port")
			for _, c := range s.pairs() {
				if c.name != "tx" {
					s.fail("unknown counter %q", c.name)
				}
				l.counts = append(l.counts, stat{s.n, port, c.value})
			}
		} else if !l.Header.parse(s) {
			l.ops = append(l.ops, parseLaggOp(s))
		}
		s.end()
	}
	switch h := &l.Header; {
	case h.Protocol == "" && len(l.ops) > 0 && l.ops[0].verb == "H":
		h.Protocol, h.HashesHeaders = "hash", true
	case h.Protocol == "":
		h.Protocol = "roundrobin"
	}
	return l
}

// parse reads the line if it is one of the header.
func (h *LaggHeader) parse(s *scanner) bool {
	switch key := s.peek(); key {
	case "proto":
		s.word(key)
		h.Protocol = s.word("protocol")
	case "impl":
		s.word(key)
		if h.Bucket = s.accept("bucket"); !h.Bucket && !s.accept("stride") {
			s.fail("impl is stride or bucket")
		}
	case "useflowid":
		s.word(key)
		h.UseFlowID = s.uint(key, 10, 1) == 1
	case "shift":
		s.word(key)
		h.FlowIDShift = int(s.uint(key, 10, 5))
	case "rxall":
		s.word(key)
		h.ReceiveOnAll = s.uint(key, 10, 1) == 1
	default:
		return false
	}
	return true
}
