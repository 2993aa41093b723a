package lagg

import (
	"math"
	"slices"
)

// view is a group as it was when a change ended. It never changes.
type view struct {
	path   path
	cfg    Config
	active *Member   // Failover; and Broadcast: the port that takes the original
	pick   balancer  // LoadBalance
	table  []*Member // RoundRobin, Random
	alias  aliasTable
	owners []*Member // RoundRobin

	// Of a round robin. Packet x after base is part floor(x/stride), and a
	// round has as many parts as the ports have weight.
	base   uint64
	mask   uint64     // of x: 63 bits (292 years of one a nanosecond), or Sequence's 32
	stride reciprocal // packets in a part
	parts  reciprocal // in a round
	bounds []uint64   // parts up to the end of each slot; nil: one for each slot

	first uint64 // the number of the first packet
	round round  // before it
}

// newView copies a rebuilt group. now is the number of the next packet.
func newView(g *Group, now uint64) *view {
	v := &view{path: g.path, cfg: g.cfg, active: g.active, mask: math.MaxInt64, first: now, round: g.round}
	switch g.cfg.Mode {
	case RoundRobin:
		v.copyRound(g)
	case Random:
		v.table = slices.Clone(g.table)
		if v.alias.weighted = g.alias.weighted; v.alias.weighted {
			v.alias.keep, v.alias.other = slices.Clone(g.alias.keep), slices.Clone(g.alias.other)
		}
	case LoadBalance:
		v.pick = g.pick
		v.pick.table, v.pick.usable = slices.Clone(g.table), nil
		if g.cfg.DeadPorts == Spread && g.usable < len(g.list) { // a slot may be nobody's
			v.pick.usable = slices.Clone(g.pick.usable)
		}
	case Broadcast:
		v.path = viaActive
		if n := len(g.table); n > 0 {
			v.active = g.table[n-1]
		}
	}
	return v
}

// copyRound copies what a round robin goes by.
func (v *view) copyRound(g *Group) {
	v.table = slices.Clone(g.table)
	v.owners = v.table
	if g.cfg.DeadPorts == NextActive && g.cfg.Counter == Runs {
		v.owners = slices.Clone(g.owners)
	}
	parts := uint64(len(v.table))
	if parts == 0 {
		return
	}
	if v.cfg.Counter == Runs && !g.sameWeights() {
		parts = 0
		for _, m := range v.owners {
			parts += uint64(m.weight)
			v.bounds = append(v.bounds, parts)
		}
	}
	v.stride, v.parts = reciprocalOf(g.stride), reciprocalOf(parts)
	x := uint64(0)
	switch {
	case v.cfg.Counter == Sequence:
		v.mask, x = math.MaxUint32, uint64(g.Sequence())
	case g.pos >= 0:
		x = v.end(g.pos)*g.stride - g.left
	}
	v.base = v.first - x
}

// end returns the parts up to the end of a slot.
func (v *view) end(slot int) uint64 {
	if v.bounds == nil {
		return uint64(slot) + 1
	}
	return v.bounds[slot]
}

// slot returns whose turn packet x is.
func (v *view) slot(x uint64) int {
	part := v.parts.mod(v.stride.div(x))
	if v.bounds == nil {
		return int(part)
	}
	at, _ := slices.BinarySearch(v.bounds, part+1)
	return at
}

// note writes down where the round stands before packet number now. Who draws
// a number after now has seen this view or a later one, or goes on by an older
// one as this one would, until a change moves the run.
func (v *view) note(r *round, now uint64) {
	if now == v.first || v.cfg.Mode != RoundRobin || len(v.table) == 0 {
		*r = v.round
		return
	}
	x := (now - v.base) & v.mask
	if v.cfg.Counter == Sequence {
		r.seq = uint32(x)
		return
	}
	slot := v.slot(x - 1)
	left := v.end(slot) - v.parts.mod(v.stride.div(x-1)) // parts of the run, this one included
	r.turn = v.owners[slot]
	r.used = int64(r.turn.weight)*int64(v.stride.d) - int64(left*v.stride.d-v.stride.mod(x-1)) + 1
}
