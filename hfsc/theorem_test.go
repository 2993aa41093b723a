package hfsc

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// testLink carries a byte in 8 ns.
const (
	testLink  = qdisc.Gbit
	byteTime  = 8
	testFrame = 1500
)

// randomCurve is a convex, concave or linear curve of about the rate.
func randomCurve(rng *rand.Rand, rate float64) Curve {
	r := func() qdisc.Rate { return qdisc.Rate(rate * (0.1 + 2*rng.Float64())) }
	switch rng.IntN(4) {
	case 0:
		return Line(r())
	case 1:
		return Curve{0, time.Duration(rng.Int64N(2e6)), r()}
	}
	return Curve{r(), time.Duration(rng.Int64N(5e6)), r()}
}

// admissible builds a random tree whose real-time curves the link can keep.
func admissible(t *testing.T, rng *rand.Rand) (*HFSC, []*class) {
	n := 2 + rng.IntN(12)
	rates := make([]Curve, n)
	for i := range rates {
		rates[i] = randomCurve(rng, float64(testLink)/float64(n))
	}
	var tree []Spec
	for i := range rates {
		tree = append(tree, Spec{uint32(i + 1), ClassConfig{RealTime: rates[i]}})
	}
	for {
		r, err := Check(tree, testLink, testFrame)
		require.NoError(t, err)
		if r.Admissible {
			break
		}
		for i := range tree {
			c := &tree[i].RealTime
			c.M1, c.M2 = c.M1*24/25, c.M2*24/25
		}
	}
	q, err := New(Config{Limit: new(50)})
	require.NoError(t, err)
	inner := rng.IntN(4)
	for i := range inner {
		parent := 0
		if i > 0 && rng.IntN(2) == 0 {
			parent = 100 + i - 1
		}
		require.NoError(t, q.AddClass(uint32(100+i), ClassConfig{Parent: uint32(parent), LinkShare: randomCurve(rng, 1e8)}, 0))
	}
	var leaves []*class
	for i := range tree {
		cfg := tree[i].ClassConfig
		if rng.IntN(4) > 0 {
			cfg.LinkShare = randomCurve(rng, 1e8)
			if rng.IntN(3) == 0 {
				cfg.UpperLimit = randomCurve(rng, 2e8)
			}
		}
		if inner > 0 {
			cfg.Parent = uint32(100 + rng.IntN(inner))
		}
		require.NoError(t, q.AddClass(tree[i].Class, cfg, 0))
		leaves = append(leaves, q.lookup(tree[i].Class))
	}
	return q, leaves
}

// TestDeadlines is theorem 2 of the paper: while the curves are within the
// link, no packet is done later than one longest packet after its deadline,
// whatever arrives and however the tree shares the rest.
func TestDeadlines(t *testing.T) {
	trees := 100
	if testing.Short() {
		trees = 4
	}
	for seed := range uint64(trees) {
		deadlines(t, seed, 100_000)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func deadlines(t *testing.T, seed uint64, packets int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	q, leaves := admissible(t, rng)
	free := qdisc.Alloc(50*len(leaves) + 1)
	now, idle := qdisc.Time(rng.Int64N(1e9)), qdisc.Time(0)
	// Each leaf is silent, sends now and then, or floods, for a while.
	load := make([]int, len(leaves))
	for sent := 0; sent < packets; {
		if rng.IntN(100) == 0 {
			load[rng.IntN(len(load))] = rng.IntN(3) * rng.IntN(40)
		}
		for range 4 {
			if i := rng.IntN(len(leaves)); rng.IntN(40) < load[i] {
				p := free.Pop()
				if p == nil {
					break
				}
				p.Class, p.Len = uint32(i+1), testFrame
				if rng.IntN(3) == 0 {
					p.Len = 1 + rng.Uint32N(testFrame)
				}
				q.Enqueue(p, now)
				if !p.Linked() {
					free.Push(p)
				}
			}
		}
		late := now.Add(time.Duration(rng.Int64N(8000))) // until more arrive
		for idle = max(idle, now); idle <= late; {
			var due [16]uint64
			for i, c := range leaves {
				due[i] = c.d
			}
			p := q.Dequeue(idle)
			if p == nil {
				if at := q.ReadyAt(idle); at <= late {
					idle = at
					continue
				}
				break
			}
			sent++
			idle += qdisc.Time(p.Len) * byteTime
			if d := due[p.Class-1]; uint64(idle) > d+testFrame*byteTime+1 {
				t.Errorf("class %d: a packet of %d bytes is done at %d, its deadline was %d", p.Class, p.Len, idle, d)
				return
			}
			free.Push(p)
		}
		now = late
	}
}

// TestShares: in a tree of link sharing alone each class has, at every moment
// while its siblings are backlogged too, what the fluid model gives it of its
// parent's service, within 3 longest packets.
func TestShares(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		q, err := New(Config{Limit: new(10)})
		require.NoError(t, err)
		id := uint32(0)
		var leaves []uint32
		var grow func(parent uint32, depth int)
		grow = func(parent uint32, depth int) {
			n := 2 + rng.IntN(4)
			for range n {
				id++
				own := id
				require.NoError(t, q.AddClass(own, ClassConfig{Parent: parent, LinkShare: Line(qdisc.Rate(1e6 + rng.Uint64N(1e8)))}, 0))
				if depth < 3 && rng.IntN(2) == 0 {
					grow(own, depth+1)
				} else {
					leaves = append(leaves, own)
				}
			}
		}
		grow(0, 1)
		for _, class := range leaves {
			for range 3 {
				q.Enqueue(&qdisc.Packet{Class: class, Len: 1 + rng.Uint32N(testFrame)}, 0)
			}
		}
		var now qdisc.Time
		for range 20_000 {
			p := q.Dequeue(now)
			now += qdisc.Time(p.Len) * byteTime
			p.Len = testFrame
			if rng.IntN(2) == 0 {
				p.Len = 1 + rng.Uint32N(testFrame)
			}
			q.Enqueue(p, now)
			for c := q.lookup(p.Class); c.parent != nil; c = c.parent {
				checkShares(t, q, c.parent, seed)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func checkShares(t *testing.T, q *HFSC, p *class, seed uint64) {
	rates, bytes := 0.0, uint64(0)
	for _, k := range p.kids.list {
		rates += float64(k.cfg.LinkShare.M2)
		bytes += k.total
	}
	for _, k := range p.kids.list {
		fluid := float64(bytes) * float64(k.cfg.LinkShare.M2) / rates
		if off := float64(k.total) - fluid; off > 3*testFrame || off < -3*testFrame {
			t.Errorf("seed %d: a class of %v has %d of %d bytes, the fluid model gives %.0f", seed, k.cfg.LinkShare.M2, k.total, bytes, fluid)
		}
	}
}

// TestSharesAfterJoining: classes come and go; while two siblings are both
// backlogged neither gets ahead of the other, against their shares, by more
// than the slowest sibling takes for 3 packets. (A class that joins is placed
// between those that are furthest and least ahead.)
func TestSharesAfterJoining(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		q, err := New(Config{Limit: new(1000)})
		require.NoError(t, err)
		const n = 6
		var rate [n]float64
		for i := range n {
			rate[i] = float64(1e6 + rng.Uint64N(1e8))
			require.NoError(t, q.AddClass(uint32(i+1), ClassConfig{LinkShare: Line(qdisc.Rate(rate[i]))}, 0))
		}
		slowest := slices.Min(rate[:])
		var served [n]float64
		// lead[i][j]: the largest and smallest that i was ahead of j, in time,
		// since both are backlogged.
		var most, least [n][n]float64
		var now qdisc.Time
		backlogged := func(i int) bool { return q.Child(uint32(i+1)).Len() > 0 }
		restart := func(i int) {
			for j := range n {
				lead := served[i]/rate[i] - served[j]/rate[j]
				most[i][j], least[i][j] = lead, lead
				most[j][i], least[j][i] = -lead, -lead
			}
		}
		for range 40_000 {
			if i := rng.IntN(n); !backlogged(i) && rng.IntN(10) == 0 {
				for range 1 + rng.IntN(200) {
					q.Enqueue(&qdisc.Packet{Class: uint32(i + 1), Len: 1 + rng.Uint32N(testFrame)}, now)
				}
				restart(i)
			}
			p := q.Dequeue(now)
			if p == nil {
				now += 1000
				continue
			}
			now += qdisc.Time(p.Len) * byteTime
			i := int(p.Class - 1)
			served[i] += float64(p.Len)
			for j := range n {
				if j == i || !backlogged(j) || !backlogged(i) {
					continue
				}
				lead := served[i]/rate[i] - served[j]/rate[j]
				most[i][j], least[j][i] = max(most[i][j], lead), min(least[j][i], -lead)
				least[i][j], most[j][i] = min(least[i][j], lead), max(most[j][i], -lead)
				off := (most[i][j] - least[i][j]) * slowest
				if off > 3*testFrame {
					t.Fatalf("seed %d: class %d gets %.0f bytes ahead of class %d and back", seed, i+1, off, j+1)
				}
			}
		}
	}
}
