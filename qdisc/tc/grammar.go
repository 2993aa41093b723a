package tc

import "github.com/netsched/netsched/qdisc"

// grammar reads and prints the option words of one kind.
type grammar interface {
	// build makes a discipline from the option words.
	build(w *words, opt *Options) (qdisc.Qdisc, error)
	// change applies option words to a discipline of the kind, as "tc qdisc
	// change" does.
	change(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error
	// show prints the options; ok tells whether q is of the kind.
	show(q qdisc.Qdisc) (options string, ok bool)
}

// configured is a discipline that its configuration describes whole.
type configured[C any] interface {
	qdisc.Qdisc
	Config() C
	Change(cfg C, now qdisc.Time) error
}

// wordsOf is the grammar of the disciplines Q with configuration C.
type wordsOf[C any, Q configured[C]] struct {
	// blank returns the configuration that the words are read into, with what
	// the device and the owner give.
	blank func(opt *Options) C
	// parse reads the words into cfg: a blank one, or that of the discipline
	// to change.
	parse  func(w *words, opt *Options, cfg *C) error
	create func(C) (Q, error)
	print  func(C) string
	// is tells the kind from others with the same configuration; nil: there are
	// none.
	is func(C) bool
}

func (g wordsOf[C, Q]) build(w *words, opt *Options) (qdisc.Qdisc, error) {
	cfg := g.blank(opt)
	if err := g.parse(w, opt, &cfg); err != nil {
		return nil, err
	}
	q, err := g.create(cfg)
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return q, nil
}

func (g wordsOf[C, Q]) change(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error {
	cfg := q.(Q).Config()
	if err := g.parse(w, opt, &cfg); err != nil {
		return err
	}
	if err := q.(Q).Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func (g wordsOf[C, Q]) show(q qdisc.Qdisc) (options string, ok bool) {
	own, ok := q.(Q)
	if !ok {
		return "", false
	}
	cfg := own.Config()
	if g.is != nil && !g.is(cfg) {
		return "", false
	}
	return g.print(cfg), true
}
