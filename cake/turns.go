package cake

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// nextTin returns the tin whose turn it is when there is no rate: deficit round
// robin.
func (c *Cake) nextTin() *tin {
	i, passes, none := c.current, 0, true
	for {
		t := &c.tins[i&(maxTins-1)]
		active := t.active() > 0
		if active && t.deficit >= 0 {
			c.current = i
			return t
		}
		if t.deficit <= 0 {
			t.deficit += t.quantum
		}
		none = none && !active
		if i++; i < c.n {
			continue
		}
		if i = 0; passes > 0 {
			if none {
				c.current = 0
				return nil
			}
			c.skipPasses()
		}
		passes++
	}
}

// skipPasses makes all the passes over the tins at once in which none can send.
//
//go:noinline
func (c *Cake) skipPasses() {
	passes := int64(math.MaxInt64)
	for i := range c.n {
		if t := &c.tins[i]; t.active() > 0 {
			passes = min(passes, (max(0, -t.deficit)+t.quantum-1)/t.quantum)
		}
	}
	for i := range c.n {
		t := &c.tins[i]
		if t.deficit <= 0 {
			t.deficit += t.quantum * min(passes, -t.deficit/t.quantum+1)
		}
	}
}

// dueTin returns the tin to serve when there is a rate: the last of those that
// are on schedule, or else the first to be.
func (c *Cake) dueTin(now qdisc.Time) *tin {
	var due *tin
	best := qdisc.Never
	for i := range c.n {
		t := &c.tins[i&(maxTins-1)]
		if t.active() == 0 {
			continue
		}
		if wait := t.clock.next - now; wait <= 0 || wait <= best {
			best, due = wait, t
		}
	}
	return due
}

// oldest returns the first of the old flows that may send, after those before
// it, from i on, got a quantum and went to the end.
func (c *Cake) oldest(t *tin, i uint16) uint16 {
	first, rounds := i, 0
	for t.turn[i].deficit <= 0 {
		f := &t.turn[i]
		if f.state == sparse {
			c.classify(t, f, i)
		}
		c.grant(t, f)
		if i = f.next; i == first {
			if rounds++; rounds >= c.patience() {
				c.skipRounds(t)
				rounds = 0
			}
		}
	}
	t.head[oldRing] = i
	return i
}

// classify finds out, at the end of its first round, whether a flow is bulk.
func (c *Cake) classify(t *tin, f *turn, i uint16) {
	if t.queue[i].list.Empty() {
		f.state = waiting
		return
	}
	t.sparse--
	t.bulk++
	f.state = bulk
	c.raise(t, f)
}

// patience is after how many fruitless rounds skipRounds takes over. Linux
// throws dice in each, more than that only for quanta that never grow.
func (c *Cake) patience() int {
	if c.linux {
		return 1 << 14
	}
	return 32
}

// skipRounds gives the old flows the quanta of all the rounds in which none can
// send. All have had their turn in vain.
//
//go:noinline
func (c *Cake) skipRounds(t *tin) {
	const one = 1 << 16
	share := func(f *turn) int64 { return int64(t.flowQuantum) * one / int64(c.load(t, f)) }
	rounds := int64(math.MaxInt64)
	for _, f := range t.each(oldRing) {
		quantum := share(f)
		rounds = min(rounds, (int64(1-f.deficit)*one+quantum-1)/quantum)
	}
	for _, f := range t.each(oldRing) {
		f.deficit += int32(share(f) * rounds / one)
	}
}
