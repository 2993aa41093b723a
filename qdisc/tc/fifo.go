package tc

import (
	"strconv"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc/fifo"
)

// The three kinds of FIFO differ in what the limit counts and which packet is
// dropped.
type fifoKind uint8

const (
	pfifo fifoKind = iota
	bfifo
	headDrop
)

var fifoOptions = []option{{word: "limit", name: "limit"}}

// words returns the grammar of the kind.
func (k fifoKind) words() grammar {
	return wordsOf[fifo.Config, *fifo.FIFO]{blank: k.blank, parse: k.parse, create: fifo.New, print: k.print, is: k.is}
}

// blank has the limit that the device's queue length gives.
func (k fifoKind) blank(opt *Options) fifo.Config {
	cfg := fifo.Config{HeadDrop: k == headDrop, Drops: opt.Drops, Sojourn: opt.Sojourn}
	if k == bfifo {
		cfg.LimitBytes = new(int64(opt.TxQueueLen) * int64(opt.MTU))
	} else {
		cfg.Limit = new(opt.TxQueueLen)
	}
	return cfg
}

// parse reads the options into cfg, which keeps what is not named. The last
// limit counts.
func (k fifoKind) parse(w *words, _ *Options, cfg *fifo.Config) error {
	for word, ok := w.next(); ok; word, ok = w.next() {
		if _, err := w.match("option", word, fifoOptions); err != nil {
			return err
		}
		if k == bfifo {
			n, err := value(w, "limit", parseSize)
			if err != nil {
				return err
			}
			cfg.LimitBytes = new(int64(n))
			continue
		}
		limit, err := w.limit()
		if err != nil {
			return err
		}
		cfg.Limit = limit
	}
	return nil
}

func (k fifoKind) is(cfg fifo.Config) bool {
	return (cfg.Limit == nil) == (k == bfifo) && cfg.HeadDrop == (k == headDrop)
}

func (k fifoKind) print(cfg fifo.Config) string {
	if k == bfifo {
		return "limit " + units.FormatSize(uint64(*cfg.LimitBytes))
	}
	return "limit " + strconv.Itoa(*cfg.Limit) + "p"
}
