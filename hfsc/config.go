package hfsc

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// MaxClass is the largest class number.
const MaxClass = 1<<20 - 1

// DefaultCatchUp is how far an upper limit may fall behind and still catch up.
const DefaultCatchUp = 10 * time.Millisecond

// Config describes the scheduler as a whole. The zero value is usable.
type Config struct {
	// Default is the class of packets that name none, or one that does not
	// exist or has children; 0: such packets are refused. It need not exist
	// yet.
	Default uint32
	// Limit is that of a class's own FIFO, in packets; nil: fifo.DefaultLimit.
	// Change leaves the classes there are as they are.
	Limit *int
	// CatchUp bounds what a class that could not use its upper limit, because
	// others kept it from sending, may catch up: what the limit's M2 lets
	// through in CatchUp, but at least two Ethernet frames (3028 bytes). 0:
	// DefaultCatchUp. Not read with Compat Linux, where nothing bounds it.
	CatchUp time.Duration
	// Classify gives a packet's class; nil: Packet.Class.
	Classify func(*qdisc.Packet) uint32
	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// New returns a scheduler without classes.
func New(cfg Config) (*HFSC, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	h := &HFSC{scale: newScale(cfg.Compat)}
	h.root.kids, h.root.cold = new(siblings), new(cold)
	if err := h.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	h.set(cfg)
	return h, nil
}

// Config returns the present configuration, with the defaults filled in.
func (h *HFSC) Config() Config {
	cfg := h.cfg
	cfg.Limit = new(*cfg.Limit) // the caller may change its own
	return cfg
}

// Change sets a new configuration. It keeps the classes and all packets.
func (h *HFSC) Change(cfg Config, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	if cfg.Compat != h.cfg.Compat {
		errs.Add("Compat", cfg.Compat, "the arithmetic is fixed by New")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := cfg.check(); err != nil {
		return err
	}
	if err := h.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	h.Clock(now)
	h.set(cfg)
	return nil
}

// check fills in the defaults.
func (cfg *Config) check() error {
	var errs qdisc.ConfigErrors
	if cfg.Default > MaxClass {
		errs.Add("Default", cfg.Default, "a class number is 1 to 1048575; 0: no default class")
	}
	if cfg.Limit == nil {
		cfg.Limit = new(fifo.DefaultLimit)
	}
	if *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	cfg.Limit = new(*cfg.Limit)
	if cfg.CatchUp < 0 {
		errs.Add("CatchUp", cfg.CatchUp, "0 (10ms) or more")
	}
	if cfg.CatchUp == 0 {
		cfg.CatchUp = DefaultCatchUp
	}
	if cfg.Compat > qdisc.Linux {
		errs.Add("Compat", cfg.Compat, "Exact (0) or Linux (1)")
	}
	return errs.Err()
}

func (h *HFSC) set(cfg Config) {
	h.cfg, h.classify = cfg, cfg.Classify
	for _, c := range h.byID {
		if c != nil {
			c.slack = h.slack(c)
		}
	}
}
