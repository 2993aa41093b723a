package cake

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// nextTin returns the tin whose turn it is when there is no rate: deficit round
// robin.
func (c *Cake) nextTin() *tin {
	i, passes, quiet := c.current, 0, true
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
		quiet = quiet && !active
		if i++; i < c.n {
			continue
		}
		if i = 0; passes > 0 {
			if quiet {
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
	first, rounds, steps := i, 0, 0
	for t.turn[i].deficit <= 0 {
		f := &t.turn[i]
		if f.state == sparse {
			c.classify(t, f, i)
		}
		c.grant(t, f)
		steps++
		if i = f.next; i != first {
			continue
		}
		if rounds++; !c.patient(rounds, steps) {
			c.skipRounds(t)
			rounds, steps = 0, 0
		}
	}
	t.head[oldRing] = i
	return i
}

// patient tells whether another round is worth while after so many in vain, with
// that many turns. Linux throws dice in each turn; only quanta that never grow
// take more rounds than these.
func (c *Cake) patient(rounds, steps int) bool {
	if c.linux {
		return rounds < 1<<14
	}
	return steps < 32
}

// classify finds out, at the end of its first round, whether a flow is bulk.
func (c *Cake) classify(t *tin, f *turn, i uint16) {
	head := t.queue[i].list.Head()
	if head == nil {
		f.state = waiting
		return
	}
	t.sparse--
	t.bulk++
	f.state = bulk
	c.raise(t, f, head)
}

// skipRounds gives the old flows the quanta of many rounds at once: of all those
// in which none can send and, by default, of as many as make the largest share a
// whole quantum, so that the flows of a crowded host do not take turns for a byte
// each.
//
//go:noinline
func (c *Cake) skipRounds(t *tin) {
	const one = 1 << 16 // of a byte; it is rare enough for divisions
	share := func(f *turn) int64 { return int64(t.flowQuantum) * one / int64(c.load(t, f)) }
	rounds, least := int64(math.MaxInt64), int64(numQueues)
	for _, f := range t.each(oldRing) {
		quantum := share(f)
		rounds = min(rounds, (int64(1-f.deficit)*one+quantum-1)/quantum)
		least = min(least, int64(c.load(t, f)))
	}
	if !c.linux {
		rounds = max(rounds, least)
	}
	for _, f := range t.each(oldRing) {
		bytes := share(f) * rounds
		if !c.linux {
			bytes += int64(c.dice())
		}
		f.deficit += int32(bytes / one)
	}
}
