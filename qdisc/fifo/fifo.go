// Package fifo is the first-in first-out queue, limited in packets, in bytes
// or in both: Linux's pfifo, bfifo and pfifo_head_drop. It is also the default
// leaf of every discipline with classes. Fast is Linux's pfifo_fast, three such
// queues in strict priority.
package fifo

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// DefaultLimit is Linux's default transmit queue length, in packets.
const DefaultLimit = 1000

// Config describes a FIFO. With neither limit given it holds DefaultLimit
// packets; with one given, only that one counts.
type Config struct {
	Limit      *int   // packets; 0 refuses everything
	LimitBytes *int64 // bytes; a packet is accepted while backlog + its length <= this
	HeadDrop   bool   // when full, drop the oldest packets instead of the arrival

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// FIFO is a first-in first-out queue. It is not safe for concurrent use. Its
// Peek looks and never parks. Nothing depends on time, and there is no Compat:
// Linux does the same.
type FIFO struct {
	qdisc.Base
	list  qdisc.List
	limit int   // packets
	bytes int64 // limit in bytes
	cfg   Config
}

// New returns an empty FIFO.
func New(cfg Config) (*FIFO, error) {
	f := new(FIFO)
	if err := f.Change(cfg, 0); err != nil {
		return nil, err
	}
	return f, nil
}

// Config returns the present configuration, with the default filled in.
func (f *FIFO) Config() Config { return f.cfg.clone() }

// clone copies the limits, which the caller may change through its pointers.
func (c Config) clone() Config {
	if c.Limit != nil {
		c.Limit = new(*c.Limit)
	}
	if c.LimitBytes != nil {
		c.LimitBytes = new(*c.LimitBytes)
	}
	return c
}

// Change sets a new configuration. As in Linux, a lower limit drops nothing
// that is held: it bars new packets until the queue has drained below it.
func (f *FIFO) Change(cfg Config, now qdisc.Time) error {
	var errs qdisc.ConfigErrors
	if cfg.Limit != nil && *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	if cfg.LimitBytes != nil && *cfg.LimitBytes < 0 {
		errs.Add("LimitBytes", *cfg.LimitBytes, "a limit in bytes is 0 or more")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := f.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	f.Clock(now)
	if cfg.Limit == nil && cfg.LimitBytes == nil {
		cfg.Limit = new(DefaultLimit)
	}
	f.cfg, f.limit, f.bytes = cfg.clone(), math.MaxInt, math.MaxInt64
	if cfg.Limit != nil {
		f.limit = *cfg.Limit
	}
	if cfg.LimitBytes != nil {
		f.bytes = *cfg.LimitBytes
	}
	return nil
}

// Enqueue appends p, or refuses it when the queue is full. A head-drop queue
// that made room answers Congested.
func (f *FIFO) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = f.Arrive(p, now)
	if f.Len() >= f.limit || f.Backlog()+int64(p.Len) > f.bytes || p.Len > qdisc.MaxLen {
		return f.full(p, now)
	}
	f.Accept(p, now)
	f.list.Push(p)
	return qdisc.Queued
}

//go:noinline
func (f *FIFO) full(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if !f.cfg.HeadDrop || f.limit == 0 || int64(p.Len) > f.bytes || p.Len > qdisc.MaxLen {
		return f.Refuse(p, qdisc.Overlimit)
	}
	// Linux drops one packet an arrival, which a limit cut while packets
	// wait leaves above the limit until they drain; so do we.
	for first := true; first || f.Backlog()+int64(p.Len) > f.bytes; first = false {
		old := f.list.Pop()
		f.Release(old)
		f.Drop(old, qdisc.HeadDrop)
	}
	f.Accept(p, now)
	f.list.Push(p)
	return qdisc.Congested
}

// Dequeue returns the oldest packet, nil if there is none.
func (f *FIFO) Dequeue(now qdisc.Time) *qdisc.Packet {
	f.Clock(now)
	p := f.list.Pop()
	if p != nil {
		f.Release(p)
		f.Sent(p)
	}
	return p
}

// DequeueBatch is qdisc.DequeueBatch without a call through the interface for
// each packet.
func (f *FIFO) DequeueBatch(dst []*qdisc.Packet, now qdisc.Time, byteBudget int64) int {
	n := 0
	for n < len(dst) && byteBudget > 0 {
		p := f.Dequeue(now)
		if p == nil {
			break
		}
		dst[n] = p
		n++
		byteBudget -= int64(p.Len)
	}
	return n
}

// Peek returns the oldest packet, nil if there is none.
func (f *FIFO) Peek(now qdisc.Time) *qdisc.Packet {
	f.Clock(now)
	return f.list.Head()
}

// Reset sends everything held to the drop list.
func (f *FIFO) Reset(now qdisc.Time) {
	f.Rewind(now)
	f.PurgeList(&f.list)
}
