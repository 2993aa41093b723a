package hfsc

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Spec is a class of a tree that is only talked about.
type Spec struct {
	Class uint32
	ClassConfig
}

// Tree returns the classes there are, each after its parent.
func (h *HFSC) Tree() []Spec {
	var tree []Spec
	for _, level := range h.root.levels()[1:] {
		slices.SortFunc(level, func(a, b *class) int { return cmp.Compare(a.id, b.id) })
		for _, c := range level {
			tree = append(tree, Spec{c.id, c.cfg})
		}
	}
	return tree
}

// Report is what a set of curves promises on a link.
type Report struct {
	// Admissible: the real-time curves of the leaves together are within the
	// link at all times. If not, no deadline is guaranteed.
	Admissible bool
	// RealTime is the sum of their second slopes.
	RealTime qdisc.Rate
	// Leaves has what each leaf is guaranteed, in the tree's order.
	Leaves []Guarantee
	// Notes are things that may not be meant.
	Notes []Note
}

// Note is a remark on a class; Class 0 is the whole tree.
type Note struct {
	Class uint32
	Text  string
}

// Guarantee is what a leaf is guaranteed.
type Guarantee struct {
	Class uint32
	// Share is the part of the link that link sharing gives the leaf while
	// every class is backlogged and nothing is served by real time.
	Share qdisc.Rate

	curve   Curve
	bounded bool
	link    qdisc.Rate
	longest uint32
}

// Delay bounds the time from the arrival of n bytes at the idle leaf to the
// moment the last of them is on the link: until the curve reaches n, and the
// longest packet of another class that was just begun (theorem 2 of the
// paper). It holds for arrivals that keep within the curve and a leaf that is
// first-in first-out. False: there is no bound.
func (g Guarantee) Delay(n uint32) (time.Duration, bool) {
	if !g.bounded {
		return 0, false
	}
	bits := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(nsPerByte)) // in 1e-9 bit
	first := product(g.curve.M1, int64(g.curve.D))
	at := new(big.Int)
	rate := g.curve.M1
	if bits.Cmp(first) > 0 {
		bits.Sub(bits, first)
		at.SetInt64(int64(g.curve.D))
		rate = g.curve.M2
	}
	if rate == 0 && bits.Sign() > 0 {
		return 0, false
	}
	at.Add(at, quotient(bits, rate))
	at.Add(at, quotient(product(qdisc.Rate(g.longest), nsPerByte), g.link))
	if !at.IsInt64() {
		return 0, false
	}
	return time.Duration(at.Int64()), true
}

func product(r qdisc.Rate, n int64) *big.Int {
	return new(big.Int).Mul(new(big.Int).SetUint64(uint64(r)), big.NewInt(n))
}

// quotient divides, rounding up; 0/0 is 0.
func quotient(a *big.Int, r qdisc.Rate) *big.Int {
	if a.Sign() == 0 {
		return new(big.Int)
	}
	q, m := new(big.Int).QuoRem(a, new(big.Int).SetUint64(uint64(r)), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// Check tells what a tree, each class after its parent, can and cannot
// guarantee on a link whose longest packet is longest bytes. It does not
// repeat what AddClass would refuse.
func Check(tree []Spec, link qdisc.Rate, longest uint32) (Report, error) {
	var errs qdisc.ConfigErrors
	if link == 0 {
		errs.Add("link", link, "the rate of the link is needed")
	}
	at := map[uint32]int{}
	for i, s := range tree {
		_, twice := at[s.Class]
		_, ok := at[s.Parent]
		switch {
		case twice || s.Class == 0:
			errs.Add(fmt.Sprintf("tree[%d].Class", i), s.Class, "each class has one number above 0")
		case s.Parent != 0 && !ok:
			errs.Add(fmt.Sprintf("tree[%d].Parent", i), s.Parent, "a class comes after its parent")
		}
		at[s.Class] = i
	}
	if err := errs.Err(); err != nil {
		return Report{}, err
	}
	c := checkup{tree: tree, at: at, link: link, kids: map[uint32]int{}}
	for _, s := range tree {
		c.kids[s.Parent]++
	}
	return c.report(longest), nil
}

// checkup is one Check.
type checkup struct {
	tree     []Spec
	at       map[uint32]int // index by class
	kids     map[uint32]int // children by class
	link     qdisc.Rate
	share    []*big.Rat // of the link, by index
	promised []*big.Int // real-time rates at and below a class
	Report
}

func (c *checkup) report(longest uint32) Report {
	var leaves []int
	for i, s := range c.tree {
		if c.kids[s.Class] == 0 {
			leaves = append(leaves, i)
		}
	}
	c.Admissible = c.admit(leaves)
	c.divide()
	for _, i := range leaves {
		s := c.tree[i]
		c.Leaves = append(c.Leaves, Guarantee{
			Class: s.Class, Share: floor(c.share[i]), curve: s.RealTime,
			bounded: c.Admissible && !s.RealTime.IsZero(), link: c.link, longest: longest,
		})
	}
	c.remarks(leaves)
	return c.Report
}

// admit tells whether the sum of the real-time curves is within the link: at
// each instant where a first piece ends, and in the long run.
func (c *checkup) admit(leaves []int) bool {
	leaves = slices.Clone(leaves)
	slices.SortFunc(leaves, func(i, j int) int { return cmp.Compare(c.tree[i].RealTime.D, c.tree[j].RealTime.D) })
	// Up to an instant d, first pieces that have ended come to sum(M1*D) and
	// what has followed them to sum(M2)*d - sum(M2*D); the others to sum(M1)*d.
	ended, slope, last := new(big.Int), new(big.Int), new(big.Int)
	for _, i := range leaves {
		slope.Add(slope, product(c.tree[i].RealTime.M1, 1))
		last.Add(last, product(c.tree[i].RealTime.M2, 1))
	}
	c.RealTime = math.MaxUint64
	if last.IsUint64() {
		c.RealTime = qdisc.Rate(last.Uint64())
	}
	ok := true
	if last.Cmp(product(c.link, 1)) > 0 {
		ok = false
		c.note(0, "the real-time rates sum to %v, more than the link's %v", c.RealTime, c.link)
	}
	for n, i := range leaves {
		rt := c.tree[i].RealTime
		d := int64(rt.D)
		ended.Add(ended, product(rt.M1, d))
		ended.Sub(ended, product(rt.M2, d))
		slope.Sub(slope, product(rt.M1, 1))
		slope.Add(slope, product(rt.M2, 1))
		if n+1 < len(leaves) && c.tree[leaves[n+1]].RealTime.D == rt.D {
			continue
		}
		sum := new(big.Int).Mul(slope, big.NewInt(d))
		sum.Add(sum, ended)
		if room := product(c.link, d); sum.Cmp(room) > 0 {
			ok = false
			over := quotient(sum.Sub(sum, room), nsPerByte)
			c.note(0, "in the first %v the real-time curves promise %v bytes more than the link carries", rt.D, over)
		}
	}
	return ok
}

func (c *checkup) note(class uint32, format string, args ...any) {
	c.Notes = append(c.Notes, Note{class, fmt.Sprintf(format, args...)})
}

// divide finds the part of the link that each class has by its second slopes,
// and what the leaves below it are promised.
func (c *checkup) divide() {
	sum := map[uint32]*big.Int{} // of the children's slopes, by class
	for _, s := range c.tree {
		if sum[s.Parent] == nil {
			sum[s.Parent] = new(big.Int)
		}
		sum[s.Parent].Add(sum[s.Parent], product(s.LinkShare.M2, 1))
	}
	for _, s := range c.tree {
		part := new(big.Rat)
		if all := sum[s.Parent]; all.Sign() > 0 {
			part.SetFrac(product(s.LinkShare.M2, 1), all)
		}
		if s.Parent == 0 {
			part.Mul(part, new(big.Rat).SetInt(product(c.link, 1)))
		} else {
			part.Mul(part, c.share[c.at[s.Parent]])
		}
		c.share = append(c.share, part)
		c.promised = append(c.promised, new(big.Int))
	}
	for i, s := range slices.Backward(c.tree) {
		if c.kids[s.Class] == 0 {
			c.promised[i] = product(s.RealTime.M2, 1)
		}
		if s.Parent != 0 {
			above := c.promised[c.at[s.Parent]]
			above.Add(above, c.promised[i])
		}
	}
}

func floor(r *big.Rat) qdisc.Rate {
	return qdisc.Rate(new(big.Int).Quo(r.Num(), r.Denom()).Uint64())
}

func (c *checkup) remarks(leaves []int) {
	for _, i := range leaves {
		if s := c.tree[i]; s.LinkShare.IsZero() {
			c.note(s.Class, "without a LinkShare curve it gets its RealTime and never more")
		}
	}
	for i, s := range c.tree {
		rt := c.promised[i]
		if !s.UpperLimit.IsZero() && rt.Cmp(product(s.UpperLimit.M2, 1)) > 0 {
			c.note(s.Class, "its UpperLimit of %v does not hold back the real-time service of %v bit/s", s.UpperLimit.M2, rt)
		}
		if share := floor(c.share[i]); !s.LinkShare.IsZero() && rt.Cmp(product(share, 1)) > 0 {
			c.note(s.Class, "real time promises %v bit/s, more than its share of %v: its siblings get less than theirs", rt, share)
		}
		if c.kids[s.Class] > 0 && !s.RealTime.IsZero() {
			c.note(s.Class, "it has children; its RealTime curve is not used")
		}
	}
}
