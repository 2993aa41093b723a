package cbq

import (
	"math"
	"math/bits"

	"github.com/netsched/netsched/qdisc"
)

// Guideline says when a class that is over its limit may borrow from one above
// it that is not (Floyd and Jacobson, section 3). A class within its limit
// may always send.
type Guideline uint8

const (
	// Formal: nobody borrows from a level while anybody may send at a lower
	// one. So no class is kept from its own share by one that borrows, of
	// whatever priority.
	Formal Guideline = iota
	// AncestorOnly: whoever has a class to borrow from may do so at once. A
	// class of higher priority that borrows then comes before one of lower
	// priority that does not.
	AncestorOnly
	// TopLevel: nobody borrows above a level that moves: down to that at which
	// a packet that arrives may be sent, up when its queue is empty or the
	// lender has reached its limit, or when nobody may send. It is what ALTQ and
	// Linux do to come near Formal for less work.
	TopLevel
)

// String names the guideline.
func (g Guideline) String() string {
	switch g {
	case Formal:
		return "formal"
	case AncestorOnly:
		return "ancestor-only"
	case TopLevel:
		return "top-level"
	}
	return "unknown guideline"
}

// choose returns the row to serve; there must be one. Within a priority the
// lowest level comes first under every guideline: it does not matter there who
// is unregulated, as all are served in turn.
func (q *CBQ) choose() (level, pri uint8) {
	switch q.guideline {
	case AncestorOnly:
		return q.rows.urgent(math.MaxUint64)
	case TopLevel:
		lowest := uint8(bits.TrailingZeros64(q.rows.levels))
		q.top = max(q.top, lowest)
		return q.rows.urgent(math.MaxUint64 >> (maxLevel - q.top))
	}
	return q.rows.first()
}

// arrived moves the top level down to that at which c may send.
func (q *CBQ) arrived(c *class, now qdisc.Time) {
	if !c.over(now) {
		q.top = 0
		return
	}
	for l := c.lender(); l != nil && l.level < q.top; l = l.lender() {
		if l.free || !l.over(now) {
			q.top = l.level
			return
		}
	}
}

// departed moves the top level after c has sent, within the limit of a class
// of that level, or its own at level 0.
func (q *CBQ) departed(c *class, level uint8, spent bool) {
	switch {
	case q.top < level:
	case spent || c.child.Held() == 0:
		q.top = maxLevel
	default:
		q.top = level
	}
}
