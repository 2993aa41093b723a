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
// level that are within theirs and can lend to one that is not.
type rows struct {
	levels uint64              // rows with anybody
	prios  [maxLevel + 1]uint8 // of each, the priorities with anybody
	at     []row
}

// row has turns of its own for each priority. Its slots are indexes of classes
// in row 0, of its own lenders above.
type row struct {
	turns   [numPriorities]turns
	lenders index[*lender] // all of the level
}

func (r *rows) join(level, pri uint8, slot uint32) {
	r.at[level].turns[pri].join(slot)
	r.prios[level] |= 1 << pri
	r.levels |= 1 << level
}

func (r *rows) leave(level, pri uint8, slot uint32) {
	t := &r.at[level].turns[pri]
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

// grow makes room for so many classes, and for lenders at the priorities given.
func (r *rows) grow(prios uint8, classes int) {
	for level := range r.at {
		slots := classes
		if level > 0 {
			slots = len(r.at[level].lenders.at)
		}
		for p := range uint8(numPriorities) {
			if prios>>p&1 != 0 {
				r.at[level].turns[p].grow(slots)
			}
		}
	}
}

// add gives a lender a slot in the row of its level.
func (r *rows) add(l *lender) {
	for len(r.at) <= int(l.level) {
		r.at = append(r.at, row{})
	}
	l.row = r.at[l.level].lenders.put(l)
}

// remove takes the slot back.
func (r *rows) remove(l *lender) {
	r.at[l.level].lenders.pull(l.row)
	r.drop(l.level, l.row)
}

// drop forgets what a slot owes, for another one to use it.
func (r *rows) drop(level uint8, slot uint32) {
	for p := range r.at[level].turns {
		r.at[level].turns[p].drop(slot)
	}
}

// forget lets everybody begin anew.
func (r *rows) forget() {
	for level := range r.at {
		for p := range r.at[level].turns {
			r.at[level].turns[p].forget()
		}
	}
}

func (r *rows) clear() {
	r.levels, r.prios = 0, [maxLevel + 1]uint8{}
	for level := range r.at {
		for p := range r.at[level].turns {
			r.at[level].turns[p].clear()
		}
	}
}
