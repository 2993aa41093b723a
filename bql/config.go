package bql

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

const (
	// DefaultLimitMax is Linux's ceiling in bytes (DQL_MAX_LIMIT): (2^32-1)/2 -
	// (2^32-1)/16, in whole numbers. With Compat it is the highest allowed.
	DefaultLimitMax int64 = 1<<31 - 1<<28
	// MaxLimit is the highest LimitMin and LimitMax in bytes.
	MaxLimit int64 = 1 << 61
	// MaxObject is the largest object in bytes that Linux allows
	// (DQL_MAX_OBJECT). Without Compat there is no such bound.
	MaxObject = 1<<28 - 1
	// DefaultHoldTime is Linux's: 1 s.
	DefaultHoldTime = time.Second
)

// maxHold is the longest hold time in jiffies, which Linux keeps in 32 bits.
const maxHold = 1<<32 - 1

// jiffy is Linux's tick at HZ=1000.
const jiffy = time.Millisecond

// Config describes a limiter. The zero value is Linux's default. The names
// are those of /sys/class/net/IF/queues/tx-N/byte_queue_limits.
type Config struct {
	// LimitMax is the highest limit in bytes, 0 to MaxLimit. nil:
	// DefaultLimitMax. 0: one object, of at least a byte, at a time.
	LimitMax *int64
	// LimitMin is the lowest limit in bytes, and the one to start with,
	// 0 to LimitMax.
	LimitMin int64
	// HoldTime is how long slack is measured before the limit shrinks by it.
	// 0: DefaultHoldTime. Linux counts whole milliseconds, up to 2^32-1: a
	// shorter time is none at all.
	HoldTime time.Duration
	// StallThreshold is the shortest wait for a completion that counts as a
	// stall. 0: stalls are not looked for.
	StallThreshold time.Duration
	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat
}

// New returns a limiter with nothing in flight and the limit at LimitMin. Its
// slack is measured from time 0 on; Reset sets another time. Its errors are
// *qdisc.ConfigErrors: all that is wrong with cfg.
func New(cfg Config) (*Limiter, error) {
	errs := check(&cfg)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	l := new(Limiter)
	if cfg.Compat == qdisc.Linux {
		l.shift = 32
	}
	l.set(cfg)
	l.Reset(0)
	return l, nil
}

// Config returns the present configuration, with defaults filled in.
func (l *Limiter) Config() Config {
	cfg := l.cfg
	cfg.LimitMax = new(*cfg.LimitMax) // the caller may change its own
	return cfg
}

// Change sets a new configuration and keeps what is in flight. The limit moves
// into new bounds at once (Linux: at the next completion), so there may be
// space again, or none any more.
func (l *Limiter) Change(cfg Config, now qdisc.Time) error {
	errs := check(&cfg)
	if cfg.Compat != l.cfg.Compat {
		errs.Add("Compat", cfg.Compat, "the arithmetic is fixed by New")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	l.clock(now)
	l.set(cfg)
	if cfg.Compat == qdisc.Linux { // late limits
		return nil
	}
	if limit := min(max(l.limit, l.min), l.max); limit != l.limit {
		l.limit, l.prevOver = limit, 0
		l.adjusted = limit + l.completed
	}
	return nil
}

// set takes over a checked configuration.
func (l *Limiter) set(cfg Config) {
	cfg.LimitMax = new(*cfg.LimitMax)
	l.cfg = cfg
	l.min, l.max = l.scale(cfg.LimitMin), l.scale(*cfg.LimitMax)
	l.hold = l.ticks(qdisc.Time(cfg.HoldTime))
	l.stallAfter = cfg.StallThreshold
	if l.stallAfter == 0 {
		l.stallAfter = never
	}
}

// check fills in defaults and gathers what is wrong with the numbers.
func check(cfg *Config) qdisc.ConfigErrors {
	var errs qdisc.ConfigErrors
	if cfg.LimitMax == nil {
		cfg.LimitMax = new(DefaultLimitMax)
	}
	if cfg.HoldTime == 0 {
		cfg.HoldTime = DefaultHoldTime
	}
	highest, why := MaxLimit, "0 to 2^61 bytes"
	switch cfg.Compat {
	case qdisc.Exact:
		if cfg.LimitMin > *cfg.LimitMax {
			errs.Add("LimitMin", cfg.LimitMin, "must not exceed LimitMax")
		}
	case qdisc.Linux:
		highest, why = DefaultLimitMax, "Linux allows 0 to 1879048192 bytes"
		if cfg.HoldTime/jiffy > maxHold {
			errs.Add("HoldTime", cfg.HoldTime, "Linux counts at most 2^32-1 ms")
		}
	default:
		errs.Add("Compat", uint8(cfg.Compat), "Exact (0) or Linux (1)")
	}
	if *cfg.LimitMax < 0 || *cfg.LimitMax > highest {
		errs.Add("LimitMax", *cfg.LimitMax, why)
	}
	if cfg.LimitMin < 0 || cfg.LimitMin > highest {
		errs.Add("LimitMin", cfg.LimitMin, why)
	}
	if cfg.HoldTime < 0 {
		errs.Add("HoldTime", cfg.HoldTime, "a time of 0 or more")
	}
	if cfg.StallThreshold < 0 {
		errs.Add("StallThreshold", cfg.StallThreshold, "a time of 0 or more")
	}
	return errs
}
