package tc

import (
	"iter"

	"github.com/netsched/netsched/qdisc"
)

// classGrammar reads and prints the option words of the classes of one kind
// whose classes are made by commands. A class number of 0 is the discipline
// itself.
type classGrammar interface {
	// has tells whether there is such a class.
	has(q qdisc.Qdisc, id uint32) bool
	// add makes a class below parent from the option words.
	add(q qdisc.Qdisc, id, parent uint32, w *words, now qdisc.Time) error
	// change applies option words to a class. A nil parent is not named.
	change(q qdisc.Qdisc, id uint32, parent *uint32, w *words, now qdisc.Time) error
	// remove removes a class that no other is below.
	remove(q qdisc.Qdisc, id uint32, now qdisc.Time) error
	// rows ranges over all classes, the discipline itself first.
	rows(q qdisc.Qdisc) iter.Seq[classRow]
}

// classRow is what is shown of a class.
type classRow struct {
	id, parent uint32
	options    string
	stats      qdisc.ClassStats
	own        counters // nil: none
}

// classed is a discipline whose classes, each with a configuration C and
// counters S, are made one by one.
type classed[C, S any] interface {
	qdisc.Qdisc
	AddClass(class uint32, cfg C, now qdisc.Time) error
	ChangeClass(class uint32, cfg C, now qdisc.Time) error
	RemoveClass(class uint32, now qdisc.Time) error
	Class(class uint32) (cfg C, ok bool)
	Classes() iter.Seq2[uint32, S]
}

// classWordsOf is the grammar of the classes of the disciplines Q.
type classWordsOf[C, S any, Q classed[C, S]] struct {
	// parse reads the words into cfg, a new class's or that of the one to
	// change.
	parse  func(w *words, cfg *C) error
	print  func(C) string
	parent func(cfg *C) *uint32
	root   func(Q) classRow // the discipline itself
	count  func(Q, S) (qdisc.ClassStats, counters)
}

func (g classWordsOf[C, S, Q]) has(q qdisc.Qdisc, id uint32) bool {
	_, ok := q.(Q).Class(id)
	return ok
}

func (g classWordsOf[C, S, Q]) add(q qdisc.Qdisc, id, parent uint32, w *words, now qdisc.Time) error {
	var cfg C
	*g.parent(&cfg) = parent
	return g.set(q.(Q).AddClass, id, cfg, w, now)
}

func (g classWordsOf[C, S, Q]) change(q qdisc.Qdisc, id uint32, parent *uint32, w *words, now qdisc.Time) error {
	cfg, _ := q.(Q).Class(id)
	if parent != nil {
		*g.parent(&cfg) = *parent
	}
	return g.set(q.(Q).ChangeClass, id, cfg, w, now)
}

// set reads the words into cfg and has verb set it.
func (g classWordsOf[C, S, Q]) set(verb func(uint32, C, qdisc.Time) error, id uint32, cfg C, w *words, now qdisc.Time) error {
	if err := g.parse(w, &cfg); err != nil {
		return err
	}
	if err := verb(id, cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func (g classWordsOf[C, S, Q]) remove(q qdisc.Qdisc, id uint32, now qdisc.Time) error {
	return q.(Q).RemoveClass(id, now)
}

func (g classWordsOf[C, S, Q]) rows(q qdisc.Qdisc) iter.Seq[classRow] {
	return func(yield func(classRow) bool) {
		own := q.(Q)
		if !yield(g.root(own)) {
			return
		}
		for id, s := range own.Classes() {
			cfg, _ := own.Class(id)
			r := classRow{id: id, parent: *g.parent(&cfg), options: g.print(cfg)}
			r.stats, r.own = g.count(own, s)
			if !yield(r) {
				return
			}
		}
	}
}
