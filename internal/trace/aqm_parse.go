package trace

import (
	"strings"

	"github.com/netsched/netsched/qdisc"
)

func parseCreated(s *scanner) AQMOutcome {
	o := AQMOutcome{verb: 'c'}
	if !s.accept("=") || !s.accept("0") || !s.accept("limit") {
		s.fail("want the result of the creation, = 0 limit N")
	}
	o.Limit = s.int("limit")
	parseTags(s, &o)
	s.end()
	return o
}

func parseStat(s *scanner) stat {
	if !s.accept("S") {
		s.fail("want a statistics line, S name value")
	}
	st := stat{line: s.n, name: s.word("name"), value: s.int("value")}
	s.end()
	return st
}

func parseAQMOp(s *scanner) aqmOp {
	op := aqmOp{line: s.n, verb: s.verb("EDPXZ")}
	op.at = s.time()
	switch op.verb {
	case 'E':
		op.arrival = parseArrival(s)
	case 'X':
		for s.more() {
			op.set = append(op.set, Option{s.word("option"), s.word("value")})
		}
	}
	s.end()
	return op
}

func parseAQMOutcome(s *scanner, verb byte) AQMOutcome {
	o := AQMOutcome{verb: verb}
	if !s.accept("=") {
		s.fail("want the result of the operation above")
	}
	switch {
	case verb != 'D' && verb != 'P':
		o.Verdict = s.count("verdict")
	case s.accept("-"):
		if !s.accept("-") {
			s.fail("want - - qlen backlog")
		}
	default:
		o.ID = s.id(s.word("packet"))
		o.DS = uint8(s.uint("DS field", 16, 8))
	}
	o.Len = s.count("qlen")
	o.Backlog = s.int("backlog")
	o.CE = s.accept("ce")
	parseTags(s, &o)
	return o
}

// parseTags reads the tags at the end of a result line.
func parseTags(s *scanner, o *AQMOutcome) {
	for s.more() {
		tag := s.word("tag")
		body, place, _ := strings.Cut(tag[1:], ":")
		switch tag[0] {
		case 'x', 'k':
			o.Events = append(o.Events, Event{Kind: tag[0], ID: s.id(body)})
		case 'g':
			o.Events = append(o.Events, Event{Kind: 'g', ID: s.id(body), Segments: int(s.parse("segments", place, 10, 16))})
		case 't': // what was reported to a parent
		case 'w':
			o.Wake = qdisc.Time(s.parse("wake-up", body, 10, 63))
		default:
			s.fail("unknown tag %q", tag)
		}
	}
}
