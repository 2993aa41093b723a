package trace

import (
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// parseClassful reads a run after its first line.
func parseClassful(s *scanner) Run {
	c := &Classful{text: s.text, Header: ClassfulHeader{Device: defaultDevice}}
	for began := false; !began; {
		if !s.next() {
			s.fail("the line begin is missing")
			return nil
		}
		began = c.parseHeader(s)
		s.end()
	}
	for s.next() {
		switch s.peek() {
		case "end":
			c.parseTrailer(s)
			return c
		case "info":
			if n := len(c.ops); n > 0 {
				c.ops[n-1].infos = append(c.ops[n-1].infos, parseInfo(s))
			} else {
				s.fail("info before any operation")
			}
		default:
			c.ops = append(c.ops, parseClassfulOp(s))
		}
		s.end()
	}
	s.fail("the line end is missing")
	return nil
}

// parseHeader reads one header line and tells whether it was the last.
func (c *Classful) parseHeader(s *scanner) (last bool) {
	h := &c.Header
	switch key := s.word("header line"); key {
	case "dev":
		for s.more() {
			switch key := s.word("device parameter"); key {
			case "queues":
				h.Device.Queues = s.count(key)
			case "mtu":
				h.Device.MTU = s.count(key)
			case "hard":
				h.Device.HardHeader = s.count(key)
			case "txqlen":
				h.Device.TxQueueLen = s.count(key)
			default:
				s.fail("unknown device parameter %q", key)
			}
		}
	case "start":
		h.Start = s.time()
	case "qdisc":
		h.Discipline = s.word("discipline")
		h.Params = parseParams(s)
	case "class":
		h.Classes = append(h.Classes, parseClassDef(s))
	case "info":
		s.rest = "info " + s.rest
		c.infos = append(c.infos, parseInfo(s))
	case "begin":
		return true
	default:
		s.fail("unknown header line %q", key)
	}
	return false
}

func parseClassDef(s *scanner) ClassDef {
	d := ClassDef{line: s.n, Class: s.u32("class")}
	if s.accept("parent") {
		d.Parent = s.u32("parent")
	}
	d.Params = parseParams(s)
	d.Limit = d.Params.takeLimit()
	return d
}

func parseInfo(s *scanner) classValues {
	s.accept("info")
	return classValues{s.u32("class"), s.pairs()}
}

func parseClassfulOp(s *scanner) classfulOp {
	op := classfulOp{line: s.n, verb: s.verb("EDPTSCAXLGR")}
	op.at = s.time()
	switch op.verb {
	case 'E':
		op.arrival = parseClassfulArrival(s)
	case 'S':
		op.queue = s.count("queue")
		op.stop = s.uint("0 or 1", 10, 1) == 1
		return op
	case 'C', 'A', 'X':
		op.class = parseClassDef(s)
	case 'G':
		op.class = ClassDef{line: s.n, Params: parseParams(s)}
	case 'L':
		op.class = ClassDef{line: s.n, Class: s.u32("class")}
		bytes := s.accept("bfifo")
		if !bytes && !s.accept("pfifo") {
			s.fail("want pfifo or bfifo")
		}
		op.class.Limit = &LeafLimit{bytes, s.int("limit")}
	}
	if !s.accept("=") {
		s.fail("the outcome is missing")
	}
	op.want = parseClassfulOutcome(s, op.verb)
	return op
}

func parseClassfulArrival(s *scanner) ClassfulArrival {
	a := ClassfulArrival{ID: s.packet(), Len: s.u32("length")}
	class := s.word("class")
	prio, ok := strings.CutPrefix(class, "p")
	if a.ByPriority = ok; ok {
		a.Priority = uint32(s.parse("priority", prio, 10, 4))
	} else {
		a.Class = uint32(s.parse("class", class, 10, 32))
	}
	if s.peek() != "=" {
		a.Queue = s.u16("queue")
	}
	return a
}

func parseClassfulOutcome(s *scanner, verb byte) ClassfulOutcome {
	o := ClassfulOutcome{verb: verb}
	switch {
	case verb == 'E':
		switch o.Verdict = s.word("verdict"); o.Verdict {
		case "ok", "drop", "cn", "nocls":
		default:
			s.fail("unknown verdict %q", o.Verdict)
		}
	case verb != 'D' && verb != 'P' && verb != 'T':
		if o.Verdict = s.word("ok or err"); o.Verdict == "err" {
			o.Verdict += " " + s.word("error number")
		} else if o.Verdict != "ok" {
			s.fail("%q: want ok or err", o.Verdict)
		}
		if s.more() && !s.accept("drop") {
			s.fail("%q: want drop and the packets", s.rest)
		}
	case s.accept("-"):
		o.Len = s.count("qlen")
		switch s.peek() {
		case "work":
			s.word("work")
			o.Wake = wakeWork
		case "-":
			s.word("-")
			o.Wake = qdisc.Never
		default:
			o.Wake = s.time()
		}
	default:
		o.Blocked = s.accept("!")
		o.ID = s.id(s.word("packet"))
		if s.peek() == "r" || s.peek() == "l" {
			s.word("criterion")
		}
	}
	for s.more() {
		o.Drops = append(o.Drops, Event{Kind: 'x', ID: s.id(s.word("packet"))})
	}
	if verb != 'E' && verb != 'D' && verb != 'P' && verb != 'T' {
		sortEvents(o.Drops)
	}
	return o
}

func (c *Classful) parseTrailer(s *scanner) {
	s.accept("end")
	c.end = s.time()
	s.end()
	for s.next() {
		switch key := s.word("counters"); key {
		case "Q":
			c.totals = append(c.totals, s.pairs()...)
		case "K":
			c.class = append(c.class, classValues{s.u32("class"), s.pairs()})
		default:
			s.fail("unknown line %q after end", key)
		}
	}
}
