package trace

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// SyntaxError is a line that cannot be read.
type SyntaxError struct {
	Name string // of the run
	Line int    // from 1
	Why  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Why) }

// text is a run as it was written.
type text struct {
	name  string
	lines []string
}

// Name returns the name that the run was read under.
func (t *text) Name() string { return t.name }

// line returns line n, counted from 1.
func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	return t.lines[n-1]
}

// operation returns line n up to the equals sign.
func (t *text) operation(n int) string {
	op, _, _ := strings.Cut(t.line(n), " = ")
	return op
}

// scanner walks the lines of a text and the blank-separated fields of each.
// The first error sticks: whatever is read after it is zero.
type scanner struct {
	*text
	n    int    // number of the current line
	rest string // its fields not read yet
	err  error
}

// next goes to the next line that is neither empty nor a comment.
func (s *scanner) next() bool {
	for s.err == nil && s.n < len(s.lines) {
		s.n++
		s.rest = strings.Trim(s.lines[s.n-1], " \r")
		if s.rest != "" && s.rest[0] != '#' {
			return true
		}
	}
	return false
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &SyntaxError{s.name, s.n, fmt.Sprintf(format, args...)}
	}
	s.rest = ""
}

// more tells whether the line has another field.
func (s *scanner) more() bool { return s.rest != "" }

// peek returns the next field without taking it.
func (s *scanner) peek() string {
	w, _, _ := strings.Cut(s.rest, " ")
	return w
}

// accept takes the next field if it is w.
func (s *scanner) accept(w string) bool {
	if s.peek() != w || w == "" {
		return false
	}
	s.word(w)
	return true
}

// word takes the next field, which holds what.
func (s *scanner) word(what string) string {
	if s.rest == "" {
		s.fail("%s is missing", what)
		return ""
	}
	w, rest, _ := strings.Cut(s.rest, " ")
	s.rest = strings.TrimLeft(rest, " ")
	return w
}

// uint takes an unsigned number that fits in bits.
func (s *scanner) uint(what string, base, bits int) uint64 {
	w := s.word(what)
	if s.err != nil {
		return 0
	}
	return s.parse(what, w, base, bits)
}

func (s *scanner) parse(what, w string, base, bits int) uint64 {
	v, err := strconv.ParseUint(w, base, bits)
	if err != nil {
		s.fail("%s %q: not a number of %d bits", what, w, bits)
	}
	return v
}

func (s *scanner) u64(what string) uint64 { return s.uint(what, 10, 64) }
func (s *scanner) u32(what string) uint32 { return uint32(s.uint(what, 10, 32)) }
func (s *scanner) u16(what string) uint16 { return uint16(s.uint(what, 10, 16)) }
func (s *scanner) count(what string) int  { return int(s.uint(what, 10, 31)) }

// time takes an instant.
func (s *scanner) time() qdisc.Time { return qdisc.Time(s.uint("time", 10, 63)) }

// verb takes the letter of an operation, which must be one of letters.
func (s *scanner) verb(letters string) byte {
	w := s.word("operation")
	if len(w) != 1 || !strings.Contains(letters, w) {
		s.fail("unknown operation %q", w)
		return 0
	}
	return w[0]
}

// packet takes a packet's number.
func (s *scanner) packet() uint64 {
	n := s.u64("packet")
	if n == 0 {
		s.fail("packet 0: numbers start at 1")
	}
	return n
}

// id reads a packet's number, or a segment's such as 12.0.
func (s *scanner) id(w string) ID {
	num, seg, cut := strings.Cut(w, ".")
	id := ID{Packet: s.parse("packet", num, 10, 64)}
	if cut {
		id.Segment = int(s.parse("segment", seg, 10, 16)) + 1
	}
	if s.err == nil && id.Packet == 0 {
		s.fail("packet %q: numbers start at 1", w)
	}
	return id
}

// int takes a signed number.
func (s *scanner) int(what string) int64 {
	w := s.word(what)
	if s.err != nil {
		return 0
	}
	v, ok := number(w)
	if !ok {
		s.fail("%s %q: not a number", what, w)
	}
	return v
}

// number reads a signed number, or an unsigned one of 64 bits as the signed
// one with the same bits.
func number(w string) (int64, bool) {
	if v, err := strconv.ParseInt(w, 10, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseUint(w, 10, 64)
	return int64(v), err == nil
}

// end requires that the line has no further field.
func (s *scanner) end() {
	if s.rest != "" {
		s.fail("unexpected %q", s.rest)
	}
}

// stat is a counter as a trailer gives it.
type stat struct {
	line  int
	name  string
	value int64
}

// pairs takes the rest of the line, fields of the form key=number.
func (s *scanner) pairs() []stat {
	var list []stat
	for s.more() {
		key, value, _ := strings.Cut(s.word("key=value"), "=")
		v, ok := number(value)
		if !ok || key == "" {
			s.fail("%q: not a number", key+"="+value)
			return nil
		}
		list = append(list, stat{s.n, key, v})
	}
	return list
}
