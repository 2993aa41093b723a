package tc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
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

// parse reads the options into cfg, which keeps what is not named. The last
// limit counts.
func (k fifoKind) parse(w *words, cfg *fifo.Config) error {
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

func (k fifoKind) build(w *words, opt *Options) (qdisc.Qdisc, error) {
	cfg := fifo.Config{HeadDrop: k == headDrop, Drops: opt.Drops, Sojourn: opt.Sojourn}
	if k == bfifo {
		cfg.LimitBytes = new(int64(opt.TxQueueLen) * int64(opt.MTU))
	} else {
		cfg.Limit = new(opt.TxQueueLen)
	}
	if err := k.parse(w, &cfg); err != nil {
		return nil, err
	}
	f, err := fifo.New(cfg)
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return f, nil
}

func (k fifoKind) change(q qdisc.Qdisc, w *words, _ *Options, now qdisc.Time) error {
	f := q.(*fifo.FIFO)
	cfg := f.Config()
	if err := k.parse(w, &cfg); err != nil {
		return err
	}
	if err := f.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func (k fifoKind) show(q qdisc.Qdisc) (options string, ok bool) {
	f, ok := q.(*fifo.FIFO)
	if !ok {
		return "", false
	}
	cfg := f.Config()
	switch inBytes := cfg.Limit == nil; {
	case inBytes != (k == bfifo), cfg.HeadDrop != (k == headDrop):
		return "", false
	case inBytes:
		return "limit " + units.FormatSize(uint64(*cfg.LimitBytes)), true
	}
	return "limit " + strconv.Itoa(*cfg.Limit) + "p", true
}

// noOptions refuses the first option word of a pfifo_fast.
func noOptions(w *words) error {
	if word, ok := w.next(); ok {
		return w.errorf("unknown option %q; it takes none: the bands are fixed, and hold as many packets as the device's queue length says", word)
	}
	return nil
}

func buildFast(w *words, opt *Options) (qdisc.Qdisc, error) {
	if err := noOptions(w); err != nil {
		return nil, err
	}
	f, err := fifo.NewFast(fifo.FastConfig{Limit: &opt.TxQueueLen, Drops: opt.Drops, Sojourn: opt.Sojourn})
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return f, nil
}

// changeFast has nothing to set but the limit, again the device's.
func changeFast(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error {
	f := q.(*fifo.Fast)
	if err := noOptions(w); err != nil {
		return err
	}
	cfg := f.Config()
	cfg.Limit = &opt.TxQueueLen
	if err := f.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func showFast(q qdisc.Qdisc) (options string, ok bool) {
	f, ok := q.(*fifo.Fast)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("bands %d priomap %s", fifo.FastBands, strings.Trim(fmt.Sprint(*f.Config().Priomap), "[]")), true
}
