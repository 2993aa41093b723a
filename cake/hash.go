package cake

import (
	"math/bits"

	"github.com/netsched/netsched/internal/ways"
	"github.com/netsched/netsched/qdisc"
)

// isolate sets what follows from the isolation mode.
func (c *Cake) isolate(i Isolation) {
	c.isolation = i
	c.byHost = i == Flowblind || i == SrcHost || i == DstHost || i == Hosts
	c.bySrc = i == DualSrcHost || i == TripleIsolate
	c.byDst = i == DualDstHost || i == TripleIsolate
}

// hostHash returns the hash of what is a flow in the modes without flows.
//
//go:noinline
func (c *Cake) hostHash(p *qdisc.Packet) uint32 {
	switch c.isolation {
	case SrcHost:
		return p.SrcHost
	case DstHost:
		return p.DstHost
	case Hosts:
		return p.SrcHost ^ p.DstHost
	}
	return 0 // Flowblind
}

// search returns the queue of p in t, and makes it that of p's flow, which has
// not got the queue that is its home.
//
//go:noinline
func (c *Cake) search(t *tin, p *qdisc.Packet, hash uint32, home int) uint16 {
	if c.isolation == Flowblind {
		return 0
	}
	slot, match := t.flows.Find(hash, home)
	f := &t.turn[slot]
	switch match {
	case ways.Hit:
		if slot != home {
			t.wayHits++
		}
		if f.state == idle {
			c.settle(t, f, p)
		}
	case ways.Miss:
		t.wayMisses++
		c.settle(t, f, p)
	case ways.Collision:
		t.wayCollisions++
		t.flows.Give(slot, hash)
		if f.state == bulk {
			c.lower(t, f)
		}
		c.settle(t, f, p)
		if f.state == bulk {
			c.raise(t, f, p)
		}
	}
	t.hash[slot] = hash
	return uint16(slot)
}

// settle notes the hosts of p as those of the flow f.
func (c *Cake) settle(t *tin, f *turn, p *qdisc.Packet) {
	if c.bySrc {
		f.src = t.src.find(p.SrcHost)
	}
	if c.byDst {
		f.dst = t.dst.find(p.DstHost)
	}
}

// raise counts f, which became a bulk flow, for its hosts, those of p. While it
// was none another host may have got their slots; Linux counts it for that one.
func (c *Cake) raise(t *tin, f *turn, p *qdisc.Packet) {
	if !c.linux {
		c.settle(t, f, p)
	}
	if c.bySrc {
		t.src.raise(f.src)
	}
	if c.byDst {
		t.dst.raise(f.dst)
	}
}

// lower takes back raise.
func (c *Cake) lower(t *tin, f *turn) {
	if c.bySrc {
		t.src.lower(f.src)
	}
	if c.byDst {
		t.dst.lower(f.dst)
	}
}

// load returns how many bulk flows share the quantum of f: those of the busier
// of its hosts.
func (c *Cake) load(t *tin, f *turn) uint16 {
	n := uint16(1)
	if c.bySrc {
		n = max(n, t.src.bulk[f.src%numQueues])
	}
	if c.byDst {
		n = max(n, t.dst.bulk[f.dst%numQueues])
	}
	return n
}

// A flow's share of the quantum by load, in 2^-32. Linux has 65535 parts, rounded
// down.
var exactShares, linuxShares = makeShares()

func makeShares() (exact, linux [numQueues + 1]uint32) {
	for n := uint64(1); n <= numQueues; n++ {
		exact[n] = uint32(min(1<<32/n, 1<<32-1))
		linux[n] = uint32(65535 / n << 16)
	}
	return exact, linux
}

// grant gives f its quantum for a round. Shares of few bytes are rounded up or
// down by chance, so that they are fair too and flows do not march in step.
// Linux throws the dice for all, so that a lone flow's quantum is short by a byte
// most of the time.
func (c *Cake) grant(t *tin, f *turn) {
	n := c.load(t, f)
	switch {
	case c.linux:
		dice := c.random.Uint64() >> 48
		f.deficit += int32((t.flowQuantum*uint64(linuxShares[n])>>16 + dice) >> 16)
	case n == 1:
		f.deficit += int32(t.flowQuantum)
	default:
		f.deficit += int32((t.flowQuantum*uint64(exactShares[n])>>16 + c.dice()) >> 16)
	}
}

// dice returns 16 random bits: four times from each word.
func (c *Cake) dice() uint64 {
	if c.thrown%4 == 0 {
		c.word = c.random.Uint64()
	}
	c.thrown++
	c.word = bits.RotateLeft64(c.word, 16)
	return c.word & (1<<16 - 1)
}
