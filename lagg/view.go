package lagg

import (
	"math"
	"slices"
)

// view is a group as it was when a change ended. It never changes.
type view struct {
	path   path
	table  []*Member
	owners []*Member
	cfg    Config
	active *Member
	pick   balancer
	alias  aliasTable

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
	v := &view{
		path: g.path, table: slices.Clone(g.table), owners: slices.Clone(g.owners),
		cfg: g.cfg, active: g.active, pick: g.pick, mask: math.MaxInt64,
		first: now, round: g.round,
	}
	v.pick.table, v.pick.usable = v.table, slices.Clone(g.pick.usable)
	if g.path == viaRandom {
		v.alias = aliasTable{
			weighted: g.alias.weighted, keep: slices.Clone(g.alias.keep), other: slices.Clone(g.alias.other),
		}
	}
	parts := uint64(len(v.table))
	if g.cfg.Mode != RoundRobin || parts == 0 {
		return v
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
	v.base = now - x
	return v
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
