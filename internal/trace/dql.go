package trace

import "fmt"

// DQL is a run of the byte queue limiter, of the first format.
type DQL struct {
	*text
	Header  AQMHeader
	created LimiterState
	ops     []dqlOp
}

type dqlOp struct {
	line           int
	verb           byte    // Q C A L Z
	n              uint32  // bytes, of Q and C
	jiffies        uint64  // of C and Z
	min, max, hold *uint32 // of L; nil: left alone
	want           LimiterState
}

// LimiterState is everything a limiter knows, as the runs show it after every
// operation. All but Available and SlackStart are unsigned 32-bit numbers.
type LimiterState struct {
	Limit, Available                          int64
	Queued, Completed, AdjustedLimit          int64
	LastObject                                int64
	PrevOverLimit, PrevQueued, PrevLastObject int64
	LowestSlack                               int64
	SlackStart                                int64 // jiffies
}

func (l *LimiterState) fields() []*int64 {
	return []*int64{
		&l.Limit, &l.Available, &l.Queued, &l.Completed, &l.AdjustedLimit, &l.LastObject,
		&l.PrevOverLimit, &l.PrevQueued, &l.PrevLastObject, &l.LowestSlack, &l.SlackStart,
	}
}

// String writes the state as a result line.
func (l LimiterState) String() string {
	s := "="
	for _, f := range l.fields() {
		s += fmt.Sprintf(" %d", *f)
	}
	return s
}

// Kind names the discipline.
func (d *DQL) Kind() string { return "aqm dql" }

// Operations returns the number of operations.
func (d *DQL) Operations() int { return len(d.ops) }

func parseDQL(s *scanner, h AQMHeader) Run {
	d := &DQL{text: s.text, Header: h}
	if s.next() {
		d.created = parseLimiterState(s)
	}
	for s.next() {
		if s.accept("end") {
			if s.end(); s.next() {
				s.fail("unexpected line after end")
			}
			return d
		}
		op := parseDQLOp(s)
		if !s.next() {
			break
		}
		op.want = parseLimiterState(s)
		d.ops = append(d.ops, op)
	}
	s.fail("the line end is missing")
	return nil
}

func parseDQLOp(s *scanner) dqlOp {
	op := dqlOp{line: s.n, verb: s.verb("QCALZ")}
	switch op.verb {
	case 'Q':
		op.n = s.u32("bytes")
	case 'C':
		op.jiffies, op.n = s.u64("jiffies"), s.u32("bytes")
	case 'Z':
		op.jiffies = s.u64("jiffies")
	case 'L':
		for s.more() {
			key := s.word("limit")
			v := s.u32(key)
			switch key {
			case "min":
				op.min = &v
			case "max":
				op.max = &v
			case "hold":
				op.hold = &v
			default:
				s.fail("unknown limit %q", key)
			}
		}
	}
	s.end()
	return op
}

func parseLimiterState(s *scanner) LimiterState {
	var l LimiterState
	if !s.accept("=") {
		s.fail("want a result line, = limit avail ...")
	}
	for _, f := range l.fields() {
		*f = s.int("counter")
	}
	s.end()
	return l
}
