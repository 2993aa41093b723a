package codel

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// MaxDuration bounds the configured durations: what 32 bits of microseconds hold.
const MaxDuration = (1<<32 - 1) * time.Microsecond

// MaxMTU is the largest MTU and quantum in bytes.
const MaxMTU = 1 << 20

// params is what CoDel and FQ have in common.
type params struct {
	target, interval   time.Duration
	ceThreshold        *time.Duration
	ceSelector, ceMask uint8
	mtu                int
	ecn                bool
	compat             qdisc.Compat
}

// check fills in defaults and notes what cannot be held.
func (p *params) check(errs *qdisc.ConfigErrors) {
	const times = "a time above 0, at most 71 minutes"
	if p.target == 0 {
		p.target = DefaultTarget
	}
	if p.interval == 0 {
		p.interval = DefaultInterval
	}
	if p.mtu == 0 {
		p.mtu = DefaultMTU
	}
	if p.target < 0 || p.target > MaxDuration {
		errs.Add("Target", p.target, times)
	}
	if p.interval < 0 || p.interval > MaxDuration {
		errs.Add("Interval", p.interval, times)
	}
	if c := p.ceThreshold; c != nil && (*c < 0 || *c > MaxDuration) {
		errs.Add("CEThreshold", *c, "a time from 0 to 71 minutes; nil turns it off")
	}
	if p.mtu < 0 || p.mtu > MaxMTU {
		errs.Add("MTU", p.mtu, "a packet of 1 to 1048576 bytes")
	}
	if p.compat > qdisc.Linux {
		errs.Add("Compat", p.compat, "Exact or Linux")
	}
}

// checkLimits notes limits below 0.
func checkLimits(errs *qdisc.ConfigErrors, limit *int, memory *int64) {
	if limit != nil && *limit < 0 {
		errs.Add("Limit", *limit, "a limit in packets is 0 or more")
	}
	if memory != nil && *memory < 0 {
		errs.Add("MemoryLimit", *memory, "a limit in bytes is 0 or more")
	}
}

// copied returns a pointer to a copy, which the caller cannot change, nil for
// nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
