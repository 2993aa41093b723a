package tc

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
)

var mqWords = wordsOf[mq.Config, *mq.MQ]{
	blank: func(opt *Options) mq.Config { return mq.Config{Drops: opt.Drops, Sojourn: opt.Sojourn} },
	parse: func(w *words, opt *Options, cfg *mq.Config) error {
		cfg.Queues, cfg.Limit = opt.TxQueues, &opt.TxQueueLen
		return w.perQueue(opt)
	},
	create: mq.New,
	print:  func(mq.Config) string { return "" },
}

// perQueue checks what the kinds with a class for each hardware queue have in
// common: no options, and a device with several.
func (w *words) perQueue(opt *Options) error {
	if word, ok := w.next(); ok {
		return w.errorf("unknown option %q; it takes none: the device says how many hardware queues there are", word)
	}
	if opt.TxQueues == 1 {
		return w.errorf("%w", &qdisc.ConfigError{Field: "TxQueues", Value: 1, Why: "the device has one hardware queue; this kind is for several"})
	}
	return nil
}
