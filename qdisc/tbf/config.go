package tbf

import (
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// The largest Burst and MTU in bytes, without and with ATM: their cost in
// cells must fit an int64 too.
const (
	MaxBurst    = qdisc.MaxLen
	MaxBurstATM = 1_000_000_000
)

// frameSize is Ethernet's largest frame in bytes, the check sequence not
// counted: 1500 and a header of 14.
const frameSize = 1514

// DefaultLimitBytes is the limit of the default child: 1000 full-size frames,
// Linux's transmit queue length.
const DefaultLimitBytes = 1000 * frameSize

// Config describes a token bucket filter. Only Rate is required.
type Config struct {
	// Rate is the long-run rate, from 1 bit/s (Linux: 8 bit/s) to 2^64-1 bit/s.
	Rate qdisc.Rate
	// PeakRate bounds the rate within a burst. It must exceed Rate. 0: no bound.
	PeakRate qdisc.Rate
	// Burst is the depth of the bucket in bytes, at most MaxBurst (with ATM:
	// MaxBurstATM). It starts full. 0: what Rate sends in 2 ms, but not less
	// than 3028 bytes (two full-size Ethernet frames) nor more than 2^29.
	Burst uint32
	// MTU is the depth of the peak bucket in bytes, bounded as Burst is.
	// It is required with PeakRate and not read without.
	MTU uint32
	// LimitBytes limits the byte FIFO that is the default child. nil:
	// DefaultLimitBytes. It must be nil when the child is the caller's.
	LimitBytes *int64

	Overhead uint32 // bytes added to each packet's cost, 0..65535
	MPU      uint32 // least number of bytes that a packet costs, 0..65535
	ATM      bool   // packets cost whole ATM cells, after Overhead and MPU

	// Child is the discipline that holds the packets: empty, with no drop list
	// of its own. nil: a byte FIFO. Change takes nil or the present child;
	// SetChild sets another.
	Child qdisc.Qdisc
	// Split cuts a super-packet (Segs > 1) that is too long to pass: it appends
	// ready segments to segs and then owns p, which may be one of them. If it
	// appends none, p is refused. nil: super-packets are not cut.
	Split func(p *qdisc.Packet, segs *qdisc.List)
	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// New returns an empty filter with full buckets. Its error joins a
// *qdisc.ConfigError for each thing that is wrong with cfg.
func New(cfg Config) (*TBF, error) {
	errs := check(&cfg)
	if cfg.Child != nil && cfg.LimitBytes != nil {
		errs.Add("LimitBytes", *cfg.LimitBytes, "the limit is of the default byte FIFO; with a Child of your own leave it nil")
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	t := new(TBF)
	if err := t.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	t.set(cfg)
	t.rate, t.peak = t.newBuckets()
	if err := t.adopt(cfg.Child, 0); err != nil {
		return nil, err
	}
	return t, nil
}

// Config returns the present configuration, with defaults filled in. Child is
// nil, and LimitBytes set, while the child is the default FIFO.
func (t *TBF) Config() Config {
	cfg := t.cfg
	if cfg.LimitBytes != nil {
		cfg.LimitBytes = new(*cfg.LimitBytes) // the caller may change its own
	}
	return cfg
}

// Change sets a new configuration and keeps the child and all packets. What
// the buckets earned so far they keep, up to the new depth (Linux: they are
// filled); a peak bucket that was not there before starts full.
func (t *TBF) Change(cfg Config, now qdisc.Time) error {
	errs := check(&cfg)
	if cfg.Child != nil && cfg.Child.Common() != t.child.Common() {
		errs.Add("Child", "another discipline", "Change keeps the child; use SetChild")
	}
	if t.cfg.Child != nil && cfg.LimitBytes != nil {
		errs.Add("LimitBytes", *cfg.LimitBytes, "the child is not the default byte FIFO; change its own limit")
	}
	if cfg.Compat != t.cfg.Compat {
		errs.Add("Compat", cfg.Compat, "the arithmetic is fixed by New")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := t.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	now = t.Clock(now)
	cfg.Child = t.cfg.Child
	if cfg.Child == nil {
		cfg.LimitBytes = limit(cfg.LimitBytes)
		if err := t.fifo.Change(fifo.Config{LimitBytes: cfg.LimitBytes}, now); err != nil {
			return err
		}
	}
	t.set(cfg)
	rate, peak := t.newBuckets()
	if cfg.Compat == qdisc.Exact { // else free refill
		elapsed := uint64(now - t.tc)
		rate.tokens = min(t.rate.after(elapsed), rate.depth)
		if t.peak.mult != 0 && peak.mult != 0 {
			peak.tokens = min(t.peak.after(elapsed), peak.depth)
		}
		t.tc = now
	}
	t.rate, t.peak = rate, peak
	t.Forget()
	return nil
}

// Wire returns what a packet of n bytes costs, in bytes: with Overhead, at
// least MPU, and with ATM in whole cells.
func (cfg *Config) Wire(n uint32) uint64 {
	f := cfg.framing()
	return f.wire(n)
}

func (cfg *Config) framing() framing {
	return framing{overhead: uint64(cfg.Overhead), mpu: uint64(cfg.MPU), atm: cfg.ATM}
}

// set takes over a checked configuration, all but the buckets and the child.
func (t *TBF) set(cfg Config) {
	t.cfg = cfg
	t.framing = cfg.framing()
	t.maxSize = cfg.Burst
	if cfg.PeakRate != 0 {
		t.maxSize = min(cfg.Burst, cfg.MTU)
	}
}

// newBuckets returns full buckets for the configuration; the peak bucket is
// the zero value when there is none.
func (t *TBF) newBuckets() (rate, peak bucket) {
	rate = newBucket(t.cfg.Rate, t.framing.wire(t.cfg.Burst), t.cfg.Compat)
	if t.cfg.PeakRate != 0 {
		peak = newBucket(t.cfg.PeakRate, t.framing.wire(t.cfg.MTU), t.cfg.Compat)
	}
	return rate, peak
}

// limit returns a copy of a limit in bytes, or the default.
func limit(bytes *int64) *int64 {
	if bytes == nil {
		return new(int64(DefaultLimitBytes))
	}
	return new(*bytes)
}
