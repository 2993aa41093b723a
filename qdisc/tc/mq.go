package tc

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
)

func buildMQ(w *words, opt *Options) (qdisc.Qdisc, error) {
	if err := w.perQueue(opt); err != nil {
		return nil, err
	}
	q, err := mq.New(mq.Config{Queues: opt.TxQueues, Limit: &opt.TxQueueLen, Drops: opt.Drops, Sojourn: opt.Sojourn})
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return q, nil
}

// changeMQ has nothing to set but the number of queues, again the device's.
func changeMQ(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error {
	m := q.(*mq.MQ)
	if err := w.perQueue(opt); err != nil {
		return err
	}
	cfg := m.Config()
	cfg.Queues, cfg.Limit = opt.TxQueues, &opt.TxQueueLen
	if err := m.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func showMQ(q qdisc.Qdisc) (options string, ok bool) {
	_, ok = q.(*mq.MQ)
	return "", ok
}
