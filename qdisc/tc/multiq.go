package tc

import (
	"fmt"

	"github.com/netsched/netsched/qdisc/multiq"
)

var multiqWords = wordsOf[multiq.Config, *multiq.Multiq]{
	blank: func(opt *Options) multiq.Config { return multiq.Config{Drops: opt.Drops, Sojourn: opt.Sojourn} },
	parse: func(w *words, opt *Options, cfg *multiq.Config) error {
		cfg.Bands, cfg.Limit = opt.TxQueues, &opt.TxQueueLen
		return w.perQueue(opt)
	},
	create: multiq.New,
	print:  func(cfg multiq.Config) string { return fmt.Sprintf("bands %d", cfg.Bands) },
}
