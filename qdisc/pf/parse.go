package pf

import "strings"

// parser reads the lines of a text.
type parser struct {
	list   []token // what is to come
	front  []token // what comes before, of a macro
	macros map[string][]token
	spent  int // words that macros have stood for
	file   File
}

// Parse reads the queueing lines of a pf.conf and checks what can be without
// knowing the interface's speed. The error is an [*Error].
func Parse(text string) (*File, error) {
	list, err := scan(text, Pos{1, 1})
	if err == nil {
		list, err = join(list)
	}
	if err != nil {
		return nil, err
	}
	p := parser{list: list, macros: map[string][]token{}}
	for len(p.list) > 0 {
		if err := p.line(); err != nil {
			return nil, err
		}
	}
	if _, err := p.file.devices(); err != nil {
		return nil, err
	}
	return &p.file, nil
}

// others are the first words of the lines that are passed over.
var others = map[string]bool{
	"set": true, "scrub": true, "nat": true, "rdr": true, "binat": true, "no": true, "pass": true, "block": true,
	"match": true, "table": true, "anchor": true, "nat-anchor": true, "rdr-anchor": true, "binat-anchor": true,
	"load": true, "antispoof": true, "ether": true, "timeout": true,
}

// line reads one line.
func (p *parser) line() *Error {
	first := p.list[0]
	switch {
	case first.kind == newline:
		p.list = p.list[1:]
		return nil
	case first.kind == word && p.list[1].kind == '=':
		return p.define()
	case first.is("altq"):
		return p.altq()
	case first.is("queue"):
		return p.queue()
	case first.kind == word && others[first.text]:
		for p.list[0].kind != newline {
			p.list = p.list[1:]
		}
		return nil
	case first.is("include"):
		return first.pos.errorf("include is not followed; put all queueing lines in one text")
	}
	return first.pos.errorf("%s: want a line that begins with altq, queue, or another word of pf.conf", first.name())
}

// most is how many words the macros of a text may stand for, all in all: those
// of macros of macros, and of macros used again and again, grow without end.
const most = 200_000

// spend counts n words that a macro, used or defined at t, stands for.
func (p *parser) spend(t token, n int) *Error {
	if p.spent += n; p.spent > most {
		return t.pos.errorf("macro %s: the macros of this text stand for too many words; want at most %d", strings.TrimPrefix(t.text, "$"), most)
	}
	return nil
}

// define reads a macro. Its value is words, macros defined above, and strings,
// which are read as if they stood without the quotes.
func (p *parser) define() *Error {
	name := p.list[0]
	if name.text[0] == '$' {
		return name.pos.errorf("%s: a macro is defined by its name alone", name.name())
	}
	p.list = p.list[2:]
	value := []token{}
	for ; p.list[0].kind != newline; p.list = p.list[1:] {
		parts := p.list[:1]
		if t := p.list[0]; t.kind == quoted {
			if words, err := scan(t.text, t.pos); err == nil {
				parts = words
			} // else it is a text, which no queueing line can use
		}
		for _, t := range parts {
			if of, ok := p.macros[t.text]; ok && t.kind == word {
				if err := p.spend(name, len(of)); err != nil {
					return err
				}
				value = append(value, of...)
			} else if t.kind != newline {
				value = append(value, t)
			}
		}
	}
	p.macros["$"+name.text] = value
	return nil
}

// peek returns the next token, with a macro in place of its name.
func (p *parser) peek() (token, *Error) {
	for {
		if len(p.front) > 0 {
			return p.front[0], nil
		}
		t := p.list[0]
		if t.kind != word || t.text[0] != '$' {
			return t, nil
		}
		value, ok := p.macros[t.text]
		if !ok {
			return t, t.pos.errorf("macro %s is not defined above", t.text)
		}
		p.list = p.list[1:]
		if err := p.spend(t, len(value)); err != nil {
			return t, err
		}
		for _, v := range value {
			if v.kind == word && v.text[0] == '$' { // it was not defined when it was used
				return t, t.pos.errorf("macro %s in macro %s was not defined above it", v.text, t.text)
			}
			v.pos = t.pos
			p.front = append(p.front, v)
		}
	}
}

// next takes the next token, but stays at the end of a line.
func (p *parser) next() (token, *Error) {
	t, err := p.peek()
	switch {
	case err != nil || t.kind == newline:
	case len(p.front) > 0:
		p.front = p.front[1:]
	default:
		p.list = p.list[1:]
	}
	return t, err
}

// accept takes the next token if it is of a kind.
func (p *parser) accept(kind byte) (bool, *Error) {
	t, err := p.peek()
	if err == nil && t.kind == kind {
		_, err = p.next()
		return true, err
	}
	return false, err
}

// expect takes the next token, which must be of a kind; what says what it is
// for.
func (p *parser) expect(kind byte, what string) *Error {
	t, err := p.next()
	if err == nil && t.kind != kind {
		err = t.pos.errorf("%s: want %s", t.name(), what)
	}
	return err
}

// ref takes the name of a what.
func (p *parser) ref(what string) (Ref, *Error) {
	t, err := p.next()
	if err == nil && (t.kind != word && t.kind != quoted || !isName(t.text)) {
		err = t.pos.errorf("%s: want the name of %s, a word of at most %d bytes", t.name(), what, maxName)
	}
	return Ref{t.pos, t.text}, err
}

// refs takes names in braces, or one without.
func (p *parser) refs(what string) (list []Ref, err *Error) {
	many, err := p.accept('{')
	for err == nil {
		r, err := p.ref(what)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
		if !many {
			return list, nil
		}
		if _, err = p.accept(','); err != nil {
			return nil, err
		}
		if done, err := p.accept('}'); done || err != nil {
			return list, err
		}
	}
	return nil, err
}

// bandwidth takes a rate or a percentage, above 0 unless it is of a curve.
func (p *parser) bandwidth(ofCurve bool) (b Bandwidth, err *Error) {
	t, err := p.next()
	if err != nil {
		return b, err
	}
	if t.kind != word {
		return b, t.pos.errorf("%s: want %s", t.name(), bandwidthUse)
	}
	b, bad := parseBandwidth(t.text)
	switch {
	case bad != nil:
		err = t.pos.errorf("%s: %v", t.name(), bad)
	case b == Bandwidth{} && !ofCurve:
		err = t.pos.errorf("%s: want a bandwidth above 0", t.name())
	}
	return b, err
}

// count takes a whole number from 0 to most.
func (p *parser) count(option string, most uint64) (uint64, *Error) {
	t, err := p.next()
	if err != nil {
		return 0, err
	}
	n, ok := parseCount(t.text, most)
	if t.kind != word || !ok {
		return 0, t.pos.errorf("%s: want a %s from 0 to %d", t.name(), option, most)
	}
	return n, nil
}
