package builders

import (
	"strconv"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func init() {
	trace.RegisterAQM("pfifo", trace.AQMKind{Build: buildPacketFIFO})
	trace.RegisterAQM("pfifo_head_drop", trace.AQMKind{Build: buildPacketFIFO})
	trace.RegisterAQM("bfifo", trace.AQMKind{Build: buildByteFIFO})
}

func buildPacketFIFO(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	cfg := fifo.Config{
		Limit:    &h.Device.TxQueueLen,
		HeadDrop: h.Discipline == "pfifo_head_drop",
		Drops:    env.Drops,
	}
	return buildFIFO(h, cfg, func(cfg *fifo.Config, limit int64) { cfg.Limit = new(int(limit)) })
}

func buildByteFIFO(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	cfg := fifo.Config{
		LimitBytes: new(int64(h.Device.TxQueueLen) * int64(h.Device.PacketSize())),
		Drops:      env.Drops,
	}
	return buildFIFO(h, cfg, func(cfg *fifo.Config, limit int64) { cfg.LimitBytes = &limit })
}

// buildFIFO makes a FIFO of which setLimit sets the limit that counts.
func buildFIFO(h *trace.AQMHeader, cfg fifo.Config, setLimit func(*fifo.Config, int64)) (*trace.AQMTarget, error) {
	apply := func(set []trace.Option) error {
		for _, o := range set {
			if o.Key != "limit" {
				return trace.Missing("option %s", o.Key)
			}
			n, err := strconv.ParseInt(o.Value, 10, 64)
			if err != nil {
				return err
			}
			setLimit(&cfg, n)
		}
		return nil
	}
	if err := apply(h.Options); err != nil {
		return nil, err
	}
	q, err := fifo.New(cfg)
	if err != nil {
		return nil, err
	}
	return &trace.AQMTarget{
		Qdisc: q,
		Limit: func() int64 {
			if c := q.Config(); c.LimitBytes == nil {
				return int64(*c.Limit)
			}
			return *q.Config().LimitBytes
		},
		Change: func(now qdisc.Time, set []trace.Option) error {
			if err := apply(set); err != nil {
				return err
			}
			return q.Change(cfg, now)
		},
	}, nil
}
