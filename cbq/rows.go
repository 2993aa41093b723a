package cbq

import "math/bits"

// numPriorities is the number of priorities; inside they count from 0, which
// is served first.
const numPriorities = 8

// maxLevel is the root's highest level: the deepest tree has 63 levels of
// classes.
const maxLevel = 63

// rows holds those that may send: in row 0 the classes that are within their
// limit and hold packets; in the row of a level above the lenders of that
// level that are within theirs and can lend to one that is not. Each row has
// turns of its own for each priority.
type rows struct {
	levels uint64 // rows with anybody
	prios  [maxLevel + 1]uint8
	at     [][numPriorities]turns // slots are indexes of classes in row 0, of lenders above
}

func (r *rows) join(level, pri uint8, slot uint32) {
	r.at[level][pri].join(slot)
	r.prios[level] |= 1 << pri
	r.levels |= 1 << level
}

func (r *rows) leave(level, pri uint8, slot uint32) {
	t := &r.at[level][pri]
	t.leave(slot)
	if t.empty() {
		r.prios[level] &^= 1 << pri
		if r.prios[level] == 0 {
			r.levels &^= 1 << level
		}
	}
}

// first returns the lowest level and there the highest priority with anybody.
func (r *rows) first() (level, pri uint8) {
	level = uint8(bits.TrailingZeros64(r.levels))
	return level, uint8(bits.TrailingZeros8(r.prios[level]))
}

// urgent returns the highest priority with anybody in the rows of the levels
// given, and its lowest level there.
func (r *rows) urgent(levels uint64) (level, pri uint8) {
	pri = numPriorities
	for levels &= r.levels; levels != 0; levels &= levels - 1 {
		l := uint8(bits.TrailingZeros64(levels))
		if p := uint8(bits.TrailingZeros8(r.prios[l])); p < pri {
			level, pri = l, p
		}
	}
	return level, pri
}

// grow makes room for levels 0 to top, at the priorities given.
func (r *rows) grow(top, prios uint8, classes, lenders int) {
	for len(r.at) <= int(top) {
		r.at = append(r.at, [numPriorities]turns{})
	}
	slots := classes
	for l := range r.at {
		for p := range uint8(numPriorities) {
			if prios>>p&1 != 0 {
				r.at[l][p].grow(slots)
			}
		}
		slots = lenders
	}
}

// dropClass forgets what a class that is gone owes.
func (r *rows) dropClass(slot uint32) {
	for p := range r.at[0] {
		r.at[0][p].drop(slot)
	}
}

// dropLender forgets what a lender that is gone owes.
func (r *rows) dropLender(slot uint32) {
	for l := range r.at[1:] {
		for p := range r.at[1+l] {
			r.at[1+l][p].drop(slot)
		}
	}
}

// forget lets everybody begin anew.
func (r *rows) forget() {
	for l := range r.at {
		for p := range r.at[l] {
			r.at[l][p].forget()
		}
	}
}

func (r *rows) clear() {
	for l := range r.at {
		for p := range r.at[l] {
			r.at[l][p].clear()
		}
	}
	r.levels, r.prios = 0, [maxLevel + 1]uint8{}
}
