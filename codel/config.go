package codel

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// The defaults, Linux's and (for the times) RFC 8289's.
const (
	DefaultTarget   = 5 * time.Millisecond
	DefaultInterval = 100 * time.Millisecond
	DefaultLimit    = 1000 // packets
	DefaultMTU      = 1514 // bytes: an Ethernet frame of 1500 and a header of 14
)

// Config describes a CoDel. The zero value is Linux's default.
type Config struct {
	// Target is the sojourn time that is acceptable as a standing queue, above
	// 0, at most MaxDuration. 0: DefaultTarget.
	Target time.Duration
	// Interval is how long the sojourn time may stay above Target: a round-trip
	// time, above 0, at most MaxDuration. 0: DefaultInterval.
	Interval time.Duration
	// Limit is the most packets held; 0 refuses everything. nil: DefaultLimit.
	Limit *int
	// MemoryLimit bounds the sum of the charges (Packet.Truesize, or Len where
	// that is 0) of the packets waiting, in bytes. One that Peek parked is not
	// among them. nil: none.
	MemoryLimit *int64
	// ECN marks ECN-capable packets instead of dropping them.
	ECN bool
	// CEThreshold: an ECN-capable packet that waited longer is marked, whatever
	// the law says and whether or not ECN is set. From 0 to MaxDuration; nil: off.
	CEThreshold *time.Duration
	// MTU is the longest packet in bytes: with no more than that waiting there
	// is no queue to shorten. Up to MaxMTU. 0: DefaultMTU.
	MTU int
	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// clone returns cfg with pointers of its own.
func (cfg Config) clone() Config {
	cfg.Limit, cfg.MemoryLimit, cfg.CEThreshold = copied(cfg.Limit), copied(cfg.MemoryLimit), copied(cfg.CEThreshold)
	return cfg
}

// check fills in the defaults of cfg, with pointers of its own, and returns
// what the law needs of it. They are of use if errs stays empty.
func (cfg *Config) check(errs *qdisc.ConfigErrors) params {
	*cfg = cfg.clone()
	p := params{
		target: cfg.Target, interval: cfg.Interval, ceThreshold: cfg.CEThreshold,
		mtu: cfg.MTU, ecn: cfg.ECN, compat: cfg.Compat,
	}
	p.check(errs)
	checkLimits(errs, cfg.Limit, cfg.MemoryLimit)
	cfg.Target, cfg.Interval, cfg.MTU = p.target, p.interval, p.mtu
	if cfg.Limit == nil {
		cfg.Limit = new(DefaultLimit)
	}
	return p
}
