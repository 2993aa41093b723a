package trace

import (
	"strings"
)

// parseScenario reads a run of the third format after its first line: with a
// family it is one of queueing, else one of link aggregation.
func parseScenario(s *scanner) Run {
	if !s.next() {
		s.fail("nothing after the scenario")
		return nil
	}
	if s.peek() != "family" {
		return parseLagg(s)
	}
	a := &ALTQ{text: s.text}
	for ok := true; ok && a.parseHeader(s); ok = s.next() {
		s.end()
	}
	for s.next() && s.peek() == "class" {
		a.parseClass(s)
	}
	for ; s.err == nil && s.rest != ""; s.next() {
		if s.peek() == "end" {
			a.parseTrailer(s)
			return a
		}
		a.ops = append(a.ops, a.parseOp(s))
		s.end()
	}
	s.fail("the line end is missing")
	return nil
}

// parseHeader reads one header line and tells whether another one follows.
func (a *ALTQ) parseHeader(s *scanner) bool {
	h := &a.Header
	switch key := s.word("header line"); key {
	case "family":
		h.Discipline = s.word(key)
	case "note":
		s.rest = ""
	case "hz":
		h.Hz = s.u64(key)
	case "machclk":
		h.MachClk = s.u64(key)
	case "mtu":
		h.MTU = s.count(key)
	case "seed":
		h.Seed = s.u32(key)
	case "tbr":
		h.TokenBucket = s.accept("on")
		if !h.TokenBucket && !s.accept("off") {
			s.fail("tbr is on or off")
		}
	case "altq":
		s.accept("on")
		s.word("interface")
		h.Interface, s.rest = s.rest, ""
	case "queue":
		h.Queues = append(h.Queues, ALTQQueue{s.word("queue"), s.rest})
		s.rest = ""
	case "run":
		s.end()
		return false
	default:
		s.fail("unknown header line %q", key)
	}
	return true
}

// parseClass reads: class N NAME parent=P leaf|inner k=v... [| k=v...] [default]
func (a *ALTQ) parseClass(s *scanner) {
	h := &a.Header
	s.accept("class")
	if n := s.count("class"); n != len(h.Classes)+1 {
		s.fail("class %d, want %d", n, len(h.Classes)+1)
	}
	c := ALTQClass{Name: s.word("name"), Params: map[string]string{}, Kernel: map[string]string{}}
	if parent := strings.TrimPrefix(s.word("parent"), "parent="); parent != "-" {
		if c.Parent = h.Class(parent); c.Parent == 0 {
			s.fail("unknown parent %q", parent)
		}
	}
	c.Inner = s.accept("inner")
	if !c.Inner && !s.accept("leaf") {
		s.fail("want leaf or inner")
	}
	into := c.Params
	for s.more() {
		w := s.word("parameter")
		key, value, cut := strings.Cut(w, "=")
		switch {
		case cut:
			into[key] = value
		case w == "|":
			into = c.Kernel
		case w == "default":
			c.Default = true
		default:
			s.fail("unknown word %q", w)
		}
	}
	h.Classes = append(h.Classes, c)
}

func (a *ALTQ) parseOp(s *scanner) altqOp {
	op := altqOp{line: s.n, verb: s.verb("EDPA")}
	op.at = s.time()
	op.want.verb = op.verb
	switch op.verb {
	case 'A':
		return op
	case 'E':
		p := &op.arrival
		p.ID, p.Len = s.packet(), s.u32("length")
		p.Class = a.Header.Class(s.word("queue"))
		for s.more() && s.peek() != "=" {
			w := s.word("extra")
			if flow, ok := strings.CutPrefix(w, "f"); ok {
				p.Flow = uint32(s.parse("flow", flow, 10, 32))
			} else if p.ECT = w == "ect"; !p.ECT {
				s.fail("unknown extra %q", w)
			}
		}
	}
	if !s.accept("=") {
		s.fail("the outcome is missing")
	}
	parseALTQOutcome(s, &op.want)
	return op
}

func parseALTQOutcome(s *scanner, o *ALTQOutcome) {
	switch {
	case o.verb == 'E':
		if o.OK = s.accept("ok"); !o.OK && !s.accept("no") {
			s.fail("want ok or no")
		}
	case !s.accept("-"):
		o.ID = s.id(s.word("packet"))
		o.CE = s.accept("ce")
	}
	for s.more() {
		switch key := s.word("field"); key {
		case "drop":
			for s.more() && s.peek() != "next" && s.peek() != "wake" {
				o.Drops = append(o.Drops, Event{Kind: 'x', ID: s.id(s.word("packet"))})
			}
		case "next", "wake": // advice about inner state
			s.int(key)
		default:
			s.fail("unexpected %q", key)
		}
	}
}

// parseTrailer reads the end line and the stat lines, whose packets/bytes
// pairs become two counters.
func (a *ALTQ) parseTrailer(s *scanner) {
	s.accept("end")
	a.totals = s.pairs()
	for s.next() {
		if !s.accept("stat") {
			s.fail("want a stat line")
		}
		q := classValues{class: uint32(s.count("class"))}
		if name := s.word("name"); q.class == 0 || a.Header.Class(name) != q.class {
			s.fail("class %d is not %q", q.class, name)
		}
		var fields []string
		for s.more() {
			key, value, _ := strings.Cut(s.word("counter"), "=")
			packets, bytes, pair := strings.Cut(value, "/")
			if pair {
				fields = append(fields, key+"_packets="+packets, key+"_bytes="+bytes)
			} else {
				fields = append(fields, key+"="+value)
			}
		}
		s.rest = strings.Join(fields, " ")
		q.values = s.pairs()
		a.queues = append(a.queues, q)
	}
}
