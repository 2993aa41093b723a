package tc

import (
	"fmt"
	"math"
	"strings"
)

// words reads the option words of one discipline.
type words struct {
	kind string
	rest []string
}

// next takes the next word.
func (w *words) next() (word string, ok bool) {
	if len(w.rest) == 0 {
		return "", false
	}
	word, w.rest = w.rest[0], w.rest[1:]
	return word, true
}

func (w *words) errorf(format string, args ...any) error {
	return fmt.Errorf(w.kind+": "+format, args...)
}

// value takes the word after an option and has parse read it.
func value[T any](w *words, option string, parse func(string) (T, error)) (v T, err error) {
	word, ok := w.next()
	if !ok {
		return v, w.errorf("%s needs a value", option)
	}
	if v, err = parse(word); err != nil {
		return v, w.errorf("%s %q: %w", option, word, err)
	}
	return v, nil
}

// count reads the COUNT after an option. What an int of 32 bits cannot hold is
// as good as its largest.
func (w *words) count(option string) (int, error) {
	n, err := value(w, option, parseCount)
	return int(min(uint64(n), math.MaxInt)), err
}

// limit reads a limit in packets.
func (w *words) limit() (*int, error) {
	n, err := w.count("limit")
	return &n, err
}

// option is a word that may stand where an option is due.
type option struct {
	word   string
	name   string // what it means, when it has synonyms
	prefix bool   // any unambiguous prefix will do
}

// match finds the one among options, each of which is a what, that word stands
// for.
func (w *words) match(what, word string, options []option) (name string, err error) {
	var found, all []string
	for _, o := range options {
		if o.word == word {
			return o.name, nil
		}
		if o.prefix && strings.HasPrefix(o.word, word) {
			found, name = append(found, o.word), o.name
		}
		all = append(all, o.word)
	}
	switch len(found) {
	case 0:
		return "", w.errorf("unknown %s %q; use %s", what, word, strings.Join(all, ", "))
	case 1:
		return name, nil
	}
	return "", w.errorf("%s %q may mean %s; write it out", what, word, strings.Join(found, " or "))
}
