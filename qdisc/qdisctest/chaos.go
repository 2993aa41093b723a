package qdisctest

import (
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Faults says how often a [Chaos] does what a parent may have forgotten that a
// child can do. Each is a probability, 0..1. The zero value is a plain FIFO.
type Faults struct {
	Refuse  float64 // an arrival is refused: Dropped
	PushOut float64 // an arrival costs the oldest packet: Congested
	Self    float64 // an arrival is accepted and lost at once: Congested
	Steal   float64 // an arrival costs the oldest packet, of another flow: Queued
	Jump    float64 // an arrival goes to the head of the queue
	Release float64 // an arrival ends a hold

	Drop  float64 // the head is lost when Dequeue or Peek comes to it
	Hold  float64 // Dequeue or Peek starts a hold: nothing leaves for a while
	Block float64 // Dequeue or Peek finds everything blocked until Wake
	Delay float64 // a packet may not leave for a while after its arrival

	Longest time.Duration // longest hold or delay; 0: 1 ms
	Limit   int           // packets; 0: 64
	Looks   bool          // Peek looks instead of parking
}

// Chaos does at random, as Faults says, everything that a child may do within
// the contract: it refuses, loses, holds back and blocks. It is for tests of
// parents and is not safe for concurrent use.
type Chaos struct {
	qdisc.Base
	list    qdisc.List
	faults  Faults
	rng     *rand.Rand
	salt    uint64
	until   qdisc.Time // the hold ends
	blocked bool
	sure    qdisc.Time // the head was promised for this time; -1: for none
}

// NewChaos returns an empty Chaos. The same seed and calls give the same
// faults.
func NewChaos(seed uint64, f Faults, drops *qdisc.List) *Chaos {
	if f.Longest == 0 {
		f.Longest = time.Millisecond
	}
	if f.Limit == 0 {
		f.Limit = 64
	}
	c := &Chaos{faults: f, rng: rand.New(rand.NewPCG(seed, 1)), sure: -1}
	c.salt = c.rng.Uint64()
	if err := c.Attend(drops, nil); err != nil {
		panic(err) // not below a parent yet: cannot be
	}
	return c
}

// Wake ends a block. Sync the parents after it.
func (c *Chaos) Wake() { c.blocked = false }

// Looks tells whether Peek looks instead of parking.
func (c *Chaos) Looks() bool { return c.faults.Looks }

func (c *Chaos) chance(p float64) bool { return p > 0 && c.rng.Float64() < p }

// Enqueue takes p, perhaps to lose it.
func (c *Chaos) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = c.Arrive(p, now)
	switch {
	case p.Len > qdisc.MaxLen:
		return c.Refuse(p, qdisc.TooLong)
	case c.Len() >= c.faults.Limit, c.chance(c.faults.Refuse):
		return c.Refuse(p, qdisc.Overlimit)
	}
	c.sure = -1
	if c.chance(c.faults.Release) {
		c.until = 0
	}
	c.Accept(p, now)
	if c.chance(c.faults.Self) {
		c.lose(p)
		return qdisc.Congested
	}
	verdict, push := qdisc.Queued, c.chance(c.faults.PushOut)
	if (push || c.chance(c.faults.Steal)) && !c.list.Empty() {
		c.lose(c.list.Pop())
		if push {
			verdict = qdisc.Congested
		}
	}
	if c.chance(c.faults.Jump) {
		var front qdisc.List
		front.Push(p)
		front.Append(&c.list)
		c.list.Append(&front)
	} else {
		c.list.Push(p)
	}
	return verdict
}

func (c *Chaos) lose(p *qdisc.Packet) {
	c.Release(p)
	c.Drop(p, qdisc.HeadDrop)
}

// Dequeue gives the head unless chance is against it.
func (c *Chaos) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = c.Clock(now)
	p := c.Unpark()
	if p == nil {
		p = c.take(now)
	}
	if p != nil {
		c.Sent(p)
	}
	return p
}

// Peek parks the head, or only looks at it.
func (c *Chaos) Peek(now qdisc.Time) *qdisc.Packet {
	now = c.Clock(now)
	if c.faults.Looks {
		if !c.decide(now) {
			return nil
		}
		c.sure = now
		return c.list.Head()
	}
	if c.Parked() == nil {
		if p := c.take(now); p != nil {
			c.Park(p)
		}
	}
	return c.Parked()
}

func (c *Chaos) take(now qdisc.Time) *qdisc.Packet {
	if !c.decide(now) {
		return nil
	}
	c.sure = -1
	p := c.list.Pop()
	c.Base.Release(p)
	return p
}

// decide tells whether the head leaves now. Where ReadyAt promised a later
// time nothing happens at all.
func (c *Chaos) decide(now qdisc.Time) bool {
	if c.sure == now && !c.list.Empty() {
		return true
	}
	if c.blocked || c.list.Empty() || c.free() > now {
		return false
	}
	for !c.list.Empty() && c.chance(c.faults.Drop) {
		c.lose(c.list.Pop())
	}
	switch {
	case c.list.Empty():
		return false
	case c.chance(c.faults.Block):
		c.blocked = true
	case now < qdisc.MaxTime && c.chance(c.faults.Hold):
		c.until = now.Add(1 + time.Duration(c.rng.Int64N(int64(c.faults.Longest))))
		c.Overlimit()
	}
	return !c.blocked && c.free() <= now
}

// free returns when the head may leave, a block apart.
func (c *Chaos) free() qdisc.Time { return max(c.until, c.due(c.list.Head())) }

// due draws p's earliest departure from what does not change while it waits.
func (c *Chaos) due(p *qdisc.Packet) qdisc.Time {
	h := (c.salt ^ uint64(p.Stamp)<<20 ^ uint64(p.Flow)<<32 ^ uint64(p.Len)) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	if float64(h&0xFFFF) >= c.faults.Delay*0x10000 {
		return 0
	}
	return p.Stamp.Add(time.Duration(h >> 20 % uint64(c.faults.Longest)))
}

// ReadyAt keeps its word: before that time nothing leaves.
func (c *Chaos) ReadyAt(now qdisc.Time) qdisc.Time {
	switch {
	case c.list.Empty():
	case c.blocked && c.Parked() == nil:
		return qdisc.Blocked
	default:
		c.Wait(c.free())
	}
	return c.Base.ReadyAt(now)
}

// Reset sends everything held to the drop list and ends holds and blocks.
func (c *Chaos) Reset(now qdisc.Time) {
	c.Rewind(now)
	c.PurgeParked()
	c.PurgeList(&c.list)
	c.until, c.blocked, c.sure = 0, false, -1
}
