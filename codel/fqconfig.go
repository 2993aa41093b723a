package codel

import (
	"math"
	"time"

	"github.com/netsched/netsched/internal/ways"
	"github.com/netsched/netsched/qdisc"
)

// The defaults of FQ, Linux's and RFC 8290's.
const (
	DefaultFlows         = 1024
	DefaultFQLimit       = 10240    // packets
	DefaultFQMemoryLimit = 32 << 20 // bytes
	DefaultDropBatch     = 64       // packets
	DefaultQuantum       = DefaultMTU
)

// The bounds of FQ's numbers.
const (
	MaxFlows   = 1 << 16
	MinQuantum = 256
	MaxQuantum = MaxMTU
)

// FQConfig describes an FQ. The zero value is Linux's default.
type FQConfig struct {
	// Flows is the number of queues, 1 to MaxFlows, 64 bytes each and 24 to 40
	// to order them by length and debt. NewFQ fixes it. 0: DefaultFlows
	// (Change: as it is).
	Flows int
	// Quantum is how many bytes a flow sends in a round, MinQuantum to
	// MaxQuantum. 0: DefaultQuantum.
	Quantum int
	// Limit is the most packets held; 0 refuses everything (Linux accepts and
	// drops). nil: DefaultFQLimit.
	Limit *int
	// MemoryLimit bounds the sum of the charges (Packet.Truesize, or Len where
	// that is 0) of the packets waiting, in bytes. One that Peek parked is not
	// among them. Above it the flow with the most bytes pays, whoever has the
	// largest charges. nil: DefaultFQMemoryLimit.
	MemoryLimit *int64
	// DropBatch is the most packets dropped at a time when a limit is
	// exceeded, 1 or more. 0: DefaultDropBatch.
	DropBatch int

	// Target and Interval are CoDel's, as in Config.
	Target, Interval time.Duration
	// NoECN drops ECN-capable packets instead of marking them. (In Config the
	// default is the reverse, as in Linux.)
	NoECN bool
	// CEThreshold is as in Config. If CEMask is 0 it is for all packets,
	// whatever CESelector is; otherwise for those with DSField & CEMask ==
	// CESelector: 1 and 3 select ECT(1), L4S traffic.
	CEThreshold        *time.Duration
	CESelector, CEMask uint8
	// MTU is as in Config.
	MTU int

	// SetAssociative lets a flow whose queue is taken use a free one among the
	// 8 of its set, so that flows rarely share one. Flows must be a multiple of
	// 8. NewFQ fixes it.
	SetAssociative bool
	// Classify gives the queue of a packet, from 1 to Flows. A packet for
	// which it gives 0 is hashed by Packet.Flow; one above Flows is refused
	// with Reason Unclassified. nil: all are hashed.
	Classify func(*qdisc.Packet) uint32
	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// clone returns cfg with pointers of its own.
func (cfg FQConfig) clone() FQConfig {
	cfg.Limit, cfg.MemoryLimit, cfg.CEThreshold = copied(cfg.Limit), copied(cfg.MemoryLimit), copied(cfg.CEThreshold)
	return cfg
}

// check fills in the defaults of cfg, with pointers of its own, and returns
// what the law needs of it. They are of use if errs stays empty.
func (cfg *FQConfig) check(errs *qdisc.ConfigErrors) params {
	*cfg = cfg.clone()
	p := params{
		target: cfg.Target, interval: cfg.Interval, ceThreshold: cfg.CEThreshold, ceSelector: cfg.CESelector, ceMask: cfg.CEMask,
		mtu: cfg.MTU, ecn: !cfg.NoECN, compat: cfg.Compat,
	}
	p.check(errs)
	checkLimits(errs, cfg.Limit, cfg.MemoryLimit)
	if cfg.Flows < 1 || cfg.Flows > MaxFlows {
		errs.Add("Flows", cfg.Flows, "1 to 65536 queues")
	} else if cfg.SetAssociative && cfg.Flows%ways.Ways != 0 {
		errs.Add("Flows", cfg.Flows, "with SetAssociative a multiple of 8")
	}
	if cfg.CESelector&^cfg.CEMask != 0 && cfg.CEMask != 0 && p.compat != qdisc.Linux {
		errs.Add("CESelector", cfg.CESelector, "it has bits outside CEMask, so it selects no packet")
	}
	if cfg.Quantum == 0 {
		cfg.Quantum = DefaultQuantum
	}
	if cfg.Quantum < MinQuantum || cfg.Quantum > MaxQuantum {
		errs.Add("Quantum", cfg.Quantum, "256 to 1048576 bytes")
	}
	if cfg.DropBatch == 0 {
		cfg.DropBatch = DefaultDropBatch
	}
	if cfg.DropBatch < 0 {
		errs.Add("DropBatch", cfg.DropBatch, "1 packet or more")
	}
	cfg.Target, cfg.Interval, cfg.MTU = p.target, p.interval, p.mtu
	if cfg.Limit == nil {
		cfg.Limit = new(DefaultFQLimit)
	}
	if cfg.MemoryLimit == nil {
		cfg.MemoryLimit = new(int64(DefaultFQMemoryLimit))
	}
	return p
}

// NewFQ returns an empty FQ. Its error joins a *qdisc.ConfigError for each
// thing that is wrong with cfg.
func NewFQ(cfg FQConfig) (*FQ, error) {
	if cfg.Flows == 0 {
		cfg.Flows = DefaultFlows
	}
	var errs qdisc.ConfigErrors
	p := cfg.check(&errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	q := &FQ{flows: make([]flow, cfg.Flows), fattest: newFattest(cfg.Flows), debts: make(debts, 0, cfg.Flows)}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	for i := range q.flows {
		q.flows[i].index = uint16(i)
	}
	if cfg.SetAssociative {
		q.ways = ways.New(cfg.Flows)
	}
	q.set(cfg, &p)
	return q, nil
}

// Config returns the present configuration, with defaults filled in.
func (q *FQ) Config() FQConfig { return q.cfg.clone() }

// Change sets a new configuration. What it leaves no room for is purged, from
// the fattest flows, a parked packet last; Linux purges what it would send next.
func (q *FQ) Change(cfg FQConfig, now qdisc.Time) error {
	if cfg.Flows == 0 {
		cfg.Flows = len(q.flows)
	}
	var errs qdisc.ConfigErrors
	p := cfg.check(&errs)
	if cfg.Flows != len(q.flows) {
		errs.Add("Flows", cfg.Flows, "the number of queues is fixed by NewFQ")
	}
	if cfg.SetAssociative != q.cfg.SetAssociative {
		errs.Add("SetAssociative", cfg.SetAssociative, "the hashing is fixed by NewFQ")
	}
	if cfg.Compat != q.cfg.Compat && cfg.Compat <= qdisc.Linux {
		errs.Add("Compat", cfg.Compat, "the arithmetic is fixed by NewFQ")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	q.set(cfg, &p)
	q.shrink(q.Clock(now))
	return nil
}

// set takes over a checked configuration.
func (q *FQ) set(cfg FQConfig, p *params) {
	q.law.set(p)
	q.cfg, q.limit, q.memoryLimit = cfg, *cfg.Limit, *cfg.MemoryLimit
	q.quantum, q.dropBatch = int32(cfg.Quantum), cfg.DropBatch
	q.hashed = cfg.Classify == nil && q.ways == nil
	q.largest, q.least = q.memoryLimit, 1
	switch {
	case q.law.linux: // accepts everything, then makes room
		q.largest, q.least = math.MaxInt64, 0
	case q.limit == 0: // refuses everything, packets of no length too
		q.largest = -1
	}
}
