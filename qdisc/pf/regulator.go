package pf

import (
	"iter"
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// MaxBurst is the largest depth of a Regulator's bucket, in bytes.
const MaxBurst = qdisc.MaxLen

// unitsPerByte: tokens are counted in units of 1e-9 bit, of which a rate of r
// bit/s earns r a nanosecond.
const unitsPerByte = 8e9

// RegulatorConfig describes a Regulator. Rate and Child are required.
type RegulatorConfig struct {
	Rate qdisc.Rate // in the long run
	// Burst is the depth of the bucket in bytes, 1 to MaxBurst ("tbrsize"). It
	// starts full. 0: DefaultBurst of Rate and an MTU of 1500 bytes.
	Burst uint32
	// Child is the discipline that holds the packets: empty, with no drop list
	// of its own. Change takes nil or the present child.
	Child qdisc.Qdisc

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// DefaultBurst returns the depth in bytes that pfctl gives a bucket: 1, 4, 8,
// 24 or 128 packets as long as the MTU, for rates of up to 1 Mbit/s, 10 Mbit/s,
// 200 Mbit/s, 2.5 Gbit/s and above.
func DefaultBurst(rate qdisc.Rate, mtu uint32) uint32 {
	packets := uint64(128)
	switch {
	case rate <= 1*qdisc.Mbit:
		packets = 1
	case rate <= 10*qdisc.Mbit:
		packets = 4
	case rate <= 200*qdisc.Mbit:
		packets = 8
	case rate <= 2500*qdisc.Mbit:
		packets = 24
	}
	return uint32(min(packets*uint64(mtu), MaxBurst))
}

// Regulator is the token bucket that ALTQ puts in front of the scheduler of an
// interface. A packet of any length leaves while there are any tokens, and takes
// as many as it has bytes: the bucket may owe. It is filled up only when
// it is empty or owes, with all that was earned since. Unlike a tbf it so never
// waits for one packet while the scheduler might give another: its Peek looks,
// if the child's does, and never parks.
//
// Over any time t no more leaves than Burst, what Rate sends in t, and one
// packet. Arithmetic is exact, from 1 bit/s to the largest qdisc.Rate. A
// Regulator is not safe for concurrent use.
type Regulator struct {
	qdisc.Base
	child  qdisc.Child
	rate   uint64     // units a nanosecond
	depth  int64      // units
	tokens int64      // units
	filled qdisc.Time // as of when tokens are counted
	opens  qdisc.Time // no packet leaves before it
	cfg    RegulatorConfig
}

// NewRegulator returns a regulator with a full bucket. Its error joins a
// *qdisc.ConfigError for each thing that is wrong with cfg.
func NewRegulator(cfg RegulatorConfig) (*Regulator, error) {
	r := new(Regulator)
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if err := r.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	if err := r.child.Attach(&r.Base, cfg.Child); err != nil {
		return nil, err
	}
	r.set(cfg)
	r.tokens = r.depth
	return r, nil
}

// check fills in the default.
func (cfg *RegulatorConfig) check() error {
	var errs qdisc.ConfigErrors
	if cfg.Rate == 0 {
		errs.Add("Rate", cfg.Rate, "a rate above 0 is required")
	}
	if cfg.Burst > MaxBurst {
		errs.Add("Burst", cfg.Burst, "a bucket holds 1 to 2^30 bytes")
	}
	if cfg.Burst == 0 {
		cfg.Burst = DefaultBurst(cfg.Rate, defaultMTU)
	}
	return errs.Err()
}

func (r *Regulator) set(cfg RegulatorConfig) {
	cfg.Child = r.child.Qdisc
	r.cfg, r.rate, r.depth = cfg, uint64(cfg.Rate), int64(cfg.Burst)*unitsPerByte
}

// Config returns the present configuration, with the default filled in.
func (r *Regulator) Config() RegulatorConfig { return r.cfg }

// Change sets a new configuration and keeps the child and all packets. What the
// bucket has earned or owes it keeps, up to the new depth.
func (r *Regulator) Change(cfg RegulatorConfig, now qdisc.Time) error {
	if cfg.Child != nil && cfg.Child.Common() != r.child.Common() {
		return &qdisc.ConfigError{Field: "Child", Value: "another discipline", Why: "Change keeps the child"}
	}
	if err := cfg.check(); err != nil {
		return err
	}
	if err := r.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	now = r.Clock(now)
	r.fill(now)
	r.set(cfg)
	r.tokens = min(r.tokens, r.depth)
	r.owe()
	return nil
}

// Enqueue hands p to the child and returns its verdict.
func (r *Regulator) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	v := r.child.Enqueue(p, r.Arrive(p, now))
	r.Forget()
	return v
}

// Dequeue returns the child's next packet while there are tokens, else nil.
func (r *Regulator) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = r.Clock(now)
	if !r.open(now) {
		return nil
	}
	p := r.child.Dequeue(now)
	if p == nil {
		return r.none(now)
	}
	r.tokens -= int64(p.Len) * unitsPerByte
	if r.tokens <= 0 {
		r.owe()
	}
	r.Forget()
	r.Sent(p)
	return p
}

// Peek returns what Dequeue would.
func (r *Regulator) Peek(now qdisc.Time) *qdisc.Packet {
	now = r.Clock(now)
	if !r.open(now) {
		return nil
	}
	p := r.child.Peek(now)
	if p == nil {
		return r.none(now)
	}
	return p
}

// open tells whether there are tokens.
func (r *Regulator) open(now qdisc.Time) bool {
	if r.tokens > 0 {
		return true
	}
	if now < r.opens {
		if r.Len() > 0 {
			r.Overlimit()
		}
		return false
	}
	r.fill(now)
	return true
}

// none notes when the child, which gave nothing, is to be asked again.
func (r *Regulator) none(now qdisc.Time) *qdisc.Packet {
	if r.child.Held() > 0 {
		r.Wait(r.child.Due(now))
	}
	return nil
}

// fill adds what was earned since the bucket was filled last.
func (r *Regulator) fill(now qdisc.Time) {
	high, earned := bits.Mul64(uint64(now-r.filled), r.rate)
	if room := uint64(r.depth) - uint64(r.tokens); high != 0 || earned >= room {
		r.tokens = r.depth
	} else {
		r.tokens += int64(earned)
	}
	r.filled, r.opens = now, 0
}

// owe computes when there will be tokens again. It divides, once each time
// that the bucket is used up.
func (r *Regulator) owe() {
	r.opens = 0
	if r.tokens <= 0 {
		wait := uint64(-r.tokens)/r.rate + 1
		r.opens = qdisc.Time(min(uint64(r.filled)+wait, uint64(qdisc.MaxTime)))
	}
}

// ReadyAt is when there are tokens and the child may give a packet.
func (r *Regulator) ReadyAt(now qdisc.Time) qdisc.Time {
	if r.Len() == 0 {
		return qdisc.Never
	}
	return max(r.Base.ReadyAt(now), r.opens, min(r.child.ReadyAt(now), qdisc.Blocked))
}

// Reset resets the child and fills the bucket.
func (r *Regulator) Reset(now qdisc.Time) {
	now = r.Rewind(now)
	r.child.Reset(now)
	r.tokens, r.filled, r.opens = r.depth, now, 0
}

// Child returns the discipline of class 1, nil for any other number.
func (r *Regulator) Child(class uint32) qdisc.Qdisc {
	if class == 1 {
		return r.child.Qdisc
	}
	return nil
}

// Children ranges over the one class, number 1, and its discipline.
func (r *Regulator) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) { yield(1, r.child.Qdisc) }
}

// Sync tells the regulator that the child was called, changed or reset
// directly. Other classes than 1 are ignored.
func (r *Regulator) Sync(class uint32, now qdisc.Time) {
	if class == 1 {
		r.Clock(now)
		r.Forget()
	}
}
