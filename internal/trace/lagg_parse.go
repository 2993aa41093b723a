package trace

import (
	"strconv"
	"strings"
)

func uitoa(v uint32) string { return strconv.FormatUint(uint64(v), 10) }

func parseLaggOp(s *scanner) laggOp {
	op := laggOp{line: s.n, verb: s.word("operation")}
	op.want.verb = op.verb
	switch op.verb {
	case "A":
		op.port, op.number = s.word("port"), s.u32("index")
	case "R", "N", "U", "O", "I":
		op.port = s.word("port")
	case "S", "SEQ":
		op.number = s.u32("number")
	case "T":
		s.u64("packet")
		op.number = s.u32("hash")
	case "X":
		s.u64("packet")
		op.port = s.word("port")
	case "H":
		op.number = s.u32("key")
		op.layers = int(s.uint("layers", 10, 8))
		op.frame = s.word("frame")
	default:
		s.fail("unknown operation %q", op.verb)
	}
	switch op.verb {
	case "A", "R", "T", "X", "H":
		if !s.accept("=") {
			s.fail("the outcome is missing")
		}
		parseLaggOutcome(s, &op.want)
	}
	return op
}

func parseLaggOutcome(s *scanner, o *LaggOutcome) {
	switch o.verb {
	case "H":
		o.Hash = s.u32("hash")
	case "X":
		if o.Why = s.word("accept or drop"); o.Why != "accept" && o.Why != "drop" {
			s.fail("want accept or drop")
		}
	case "T":
		if s.accept("drop") {
			o.Why = s.word("reason")
			return
		}
		fallthrough
	default:
		var ports []string
		for s.more() && s.peek() != "primary" {
			ports = append(ports, s.word("port"))
		}
		o.Ports = strings.Join(ports, " ")
		if s.accept("primary") {
			if o.Primary = s.word("primary"); o.Primary == "-" {
				o.Primary = ""
			}
		}
	}
}
