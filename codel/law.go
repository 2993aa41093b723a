package codel

import (
	"math"
	"time"

	"github.com/netsched/netsched/internal/invsqrt"
	"github.com/netsched/netsched/qdisc"
)

// law is CoDel's parameters, scaled once, and what it counts for all flows.
//
// Times in it and in flow are ticks. By default a tick is 1 ns. Linux counts
// 1024 ns in 32 bits, which wrap after 73 minutes; they stand in the upper half
// of the word, so that a difference wraps, and is negative, exactly when
// theirs is, and one arithmetic serves both. Ticks are therefore compared by
// the sign of their difference alone.
type law struct {
	target, interval qdisc.Time
	ceThreshold      qdisc.Time
	past             qdisc.Time // how far beyond first_above the time must be
	mtu              int64      // a backlog up to this many bytes is no queue
	down, up         uint8      // shifts from ns to ticks
	linux            bool
	ecn              bool
	ceSelector       uint8 // the DS fields that ceThreshold is for
	ceMask           uint8

	memory    int64      // charges of the packets held, a parked one's excepted
	delay     qdisc.Time // sojourn time of the packet judged last
	maxPacket uint32     // longest packet judged, in bytes
	ecnMarks  uint64
	ceMarks   uint64
}

// set scales checked parameters.
func (l *law) set(p *params) {
	l.linux = p.compat == qdisc.Linux
	l.down, l.up, l.past = 0, 0, 0
	l.ceThreshold = math.MaxInt64
	if l.linux {
		l.down, l.up = 10, 32
		l.past = 1 << 32 // one tick: strictly after
		l.ceThreshold = math.MaxInt32 << 32
	}
	l.target, l.interval = l.duration(p.target), l.duration(p.interval)
	if p.ceThreshold != nil {
		l.ceThreshold = l.duration(*p.ceThreshold)
	}
	l.ceSelector, l.ceMask = p.ceSelector, p.ceMask
	if p.ceMask == 0 {
		l.ceSelector = 0 // all
	}
	l.mtu, l.ecn = int64(p.mtu), p.ecn
}

// ticks converts an instant.
func (l *law) ticks(t qdisc.Time) qdisc.Time { return t >> (l.down & 63) << (l.up & 63) }

// duration converts a configured duration, of which Linux takes whole
// microseconds.
func (l *law) duration(d time.Duration) qdisc.Time {
	if l.linux {
		d = d.Truncate(time.Microsecond)
	}
	return l.ticks(qdisc.Time(d))
}

// nanoseconds converts ticks back.
func (l *law) nanoseconds(ticks qdisc.Time) time.Duration {
	return time.Duration(ticks >> (l.up & 63) << (l.down & 63))
}

// step returns the time from a signal to the next: interval / sqrt(count),
// rounded to the nearest nanosecond (RFC 8289 section 5.4). Linux takes its
// 16-bit reciprocal root for 1 / sqrt(count).
func (l *law) step(f *flow) qdisc.Time {
	if l.linux {
		return qdisc.Time(uint64(l.interval) >> 32 * (uint64(f.root) << 16) >> 32 << 32)
	}
	return invsqrt.Step(l.interval, f.count)
}

// fullRoot is Linux's reciprocal root of 1, the largest that 16 bits hold.
const fullRoot = math.MaxUint16

// newton brings Linux's reciprocal root nearer to that of the present count.
// One step at each change of count is all it takes, so the root lags behind
// (the second gap is 50 ms where 71 are meant).
func (l *law) newton(f *flow) {
	if l.linux {
		f.root = uint16(invsqrt.Newton(uint32(f.root)<<16, f.count) >> 16)
	}
}
