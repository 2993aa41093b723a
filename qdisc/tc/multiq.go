package tc

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

func buildMultiq(w *words, opt *Options) (qdisc.Qdisc, error) {
	if err := w.perQueue(opt); err != nil {
		return nil, err
	}
	q, err := multiq.New(multiq.Config{Bands: opt.TxQueues, Limit: &opt.TxQueueLen, Drops: opt.Drops, Sojourn: opt.Sojourn})
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return q, nil
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

// changeMultiq has nothing to set but the number of bands, again the device's.
func changeMultiq(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error {
	m := q.(*multiq.Multiq)
	if err := w.perQueue(opt); err != nil {
		return err
	}
	cfg := m.Config()
	cfg.Bands, cfg.Limit = opt.TxQueues, &opt.TxQueueLen
	if err := m.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func showMultiq(q qdisc.Qdisc) (options string, ok bool) {
	m, ok := q.(*multiq.Multiq)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("bands %d", m.Config().Bands), true
}
