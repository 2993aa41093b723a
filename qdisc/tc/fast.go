package tc

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc/fifo"
)

var fastWords = wordsOf[fifo.FastConfig, *fifo.Fast]{
	blank: func(opt *Options) fifo.FastConfig { return fifo.FastConfig{Drops: opt.Drops, Sojourn: opt.Sojourn} },
	parse: func(w *words, opt *Options, cfg *fifo.FastConfig) error {
		if word, ok := w.next(); ok {
			return w.errorf("unknown option %q; it takes none: the bands are fixed, and hold as many packets as the device's queue length says", word)
		}
		cfg.Limit = &opt.TxQueueLen
		return nil
	},
	create: fifo.NewFast,
	print: func(cfg fifo.FastConfig) string {
		return fmt.Sprintf("bands %d priomap %s", fifo.FastBands, strings.Trim(fmt.Sprint(*cfg.Priomap), "[]"))
	},
}
