package lagg

import (
	"math/bits"
	"slices"
)

// aliasTable draws ports by weight in constant time: a slot, and then one of
// the two ports that share it (Walker 1977; Vose, A Linear Algorithm for
// Generating Random Numbers with a Given Distribution, 1991), in integers.
type aliasTable struct {
	weighted bool
	keep     []uint64  // the part of the slot that is the owner's, of 2^64
	other    []*Member // whose the rest is
	rest     []uint64
	small    []int32 // slots with less weight than the mean
	large    []int32 // and with as much or more
}

func (a *aliasTable) reserve(n int) {
	a.keep = slices.Grow(a.keep[:0], n)
	a.other = slices.Grow(a.other[:0], n)
	a.rest = slices.Grow(a.rest[:0], n)
	a.small = slices.Grow(a.small[:0], n)
	a.large = slices.Grow(a.large[:0], n)
}

// build takes the weights of owners for the ports of table.
func (a *aliasTable) build(owners, table []*Member) {
	n, total := uint64(len(owners)), uint64(0)
	a.weighted = false
	for _, m := range owners {
		total += uint64(m.weight)
		a.weighted = a.weighted || m.weight != owners[0].weight
	}
	if !a.weighted {
		return
	}
	a.keep, a.other, a.rest = a.keep[:n], a.other[:n], a.rest[:n]
	a.small, a.large = a.small[:0], a.large[:0]
	for i, m := range owners {
		// In units of which a slot holds total and all ports have n*total.
		a.rest[i] = uint64(m.weight) * n
		a.keep[i], a.other[i] = ^uint64(0), table[i]
		a.sort(int32(i), total)
	}
	for len(a.small) > 0 && len(a.large) > 0 {
		s, l := a.small[len(a.small)-1], a.large[len(a.large)-1]
		a.small, a.large = a.small[:len(a.small)-1], a.large[:len(a.large)-1]
		a.keep[s], _ = bits.Div64(a.rest[s], 0, total)
		a.other[s] = table[l]
		a.rest[l] -= total - a.rest[s]
		a.sort(l, total)
	}
}

func (a *aliasTable) sort(slot int32, total uint64) {
	if a.rest[slot] < total {
		a.small = append(a.small, slot)
	} else {
		a.large = append(a.large, slot)
	}
}

// choose returns the port of table for a random number.
func (a *aliasTable) choose(table []*Member, random uint64) *Member {
	slot, within := bits.Mul64(random, uint64(len(table)))
	switch {
	case slot >= uint64(len(table)): // it is empty
		return nil
	case a.weighted && within >= a.keep[slot]:
		return a.other[slot]
	}
	return table[slot]
}
