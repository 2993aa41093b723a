package pf

import (
	"strings"
	"unicode/utf8"
)

// token is a word, a quoted string, one of { } ( ) , = or the end of a line.
type token struct {
	kind byte // word, quoted, newline, or the sign itself
	text string
	pos  Pos
}

// Kinds of tokens that are not signs.
const (
	word    = 'w'
	quoted  = 'q'
	newline = '\n'
)

func (t token) is(text string) bool { return t.kind == word && t.text == text }

// name tells what t is, in an error.
func (t token) name() string {
	if t.kind == newline {
		return "the end of the line"
	}
	return `"` + t.text + `"`
}

const (
	signs  = "{}(),="
	blanks = " \t\r\f\v"
)

// scanner cuts a text into tokens.
type scanner struct {
	text string
	pos  Pos // of text[0]
	list []token
}

// scan cuts text, which begins at pos, into tokens, the last one newline.
func scan(text string, pos Pos) ([]token, *Error) {
	s := scanner{text: text, pos: pos}
	for s.text != "" {
		if err := s.one(); err != nil {
			return nil, err
		}
	}
	s.take(newline, 0)
	return s.list, nil
}

// one takes the next token or blank.
func (s *scanner) one() *Error {
	switch c := s.text[0]; {
	case strings.IndexByte(blanks, c) >= 0:
		s.skip(1)
	case c == '\n':
		s.take(newline, 1)
	case c == '#':
		s.skip(commentEnd(s.text))
	case c == '\\' && continued(s.text[1:]) > 0:
		s.skip(1 + continued(s.text[1:]))
	case c == '"' || c == '\'':
		n := strings.IndexByte(s.text[1:], c)
		if n < 0 {
			return s.pos.errorf("the quoted string does not end; want a second %c", c)
		}
		s.list = append(s.list, token{quoted, s.text[1 : 1+n], s.pos})
		s.skip(n + 2)
	case strings.IndexByte(signs, c) >= 0:
		s.take(c, 1)
	default:
		s.take(word, wordEnd(s.text))
	}
	return nil
}

// continued returns the length of the end of line that rest begins with.
func continued(rest string) int {
	switch {
	case strings.HasPrefix(rest, "\n"):
		return 1
	case strings.HasPrefix(rest, "\r\n"):
		return 2
	}
	return 0
}

// commentEnd returns the length of the comment that text begins with. A
// backslash continues a comment as well.
func commentEnd(text string) int {
	n := end(text, "\n")
	for n < len(text) && strings.HasSuffix(strings.TrimSuffix(text[:n], "\r"), `\`) {
		n += 1 + end(text[n+1:], "\n")
	}
	return n
}

// wordEnd returns the length of the word that text begins with.
func wordEnd(text string) int {
	n := end(text, signs+blanks+"\n#\"'")
	for i := 1; i < n; i++ {
		if text[i] == '\\' && continued(text[i+1:]) > 0 {
			return i
		}
	}
	return n
}

// end returns the index of the first byte of text that is in set, or its length.
func end(text, set string) int {
	if n := strings.IndexAny(text, set); n >= 0 {
		return n
	}
	return len(text)
}

// take makes a token of the next n bytes.
func (s *scanner) take(kind byte, n int) {
	s.list = append(s.list, token{kind, s.text[:n], s.pos})
	s.skip(n)
}

// skip passes over n bytes.
func (s *scanner) skip(n int) {
	passed := s.text[:n]
	s.text = s.text[n:]
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		s.pos.Line += strings.Count(passed, "\n")
		s.pos.Column = 1
		passed = passed[i+1:]
	}
	s.pos.Column += utf8.RuneCountInString(passed)
}

// join takes the ends of lines within braces and brackets out of list, and tells
// of one that is not closed, or was not opened.
func join(list []token) ([]token, *Error) {
	closing := map[byte]byte{'{': '}', '(': ')'}
	var open []token
	kept := list[:0]
	for _, t := range list {
		switch t.kind {
		case '{', '(':
			open = append(open, t)
		case '}', ')':
			if len(open) == 0 || closing[open[len(open)-1].kind] != t.kind {
				return nil, t.pos.errorf("%q closes nothing", t.kind)
			}
			open = open[:len(open)-1]
		case newline:
			if len(open) > 0 {
				continue
			}
		}
		kept = append(kept, t)
	}
	if len(open) > 0 {
		t := open[len(open)-1]
		return nil, t.pos.errorf("%q is not closed; want a %q", t.kind, closing[t.kind])
	}
	return kept, nil
}
