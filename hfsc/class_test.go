package hfsc_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func TestConfig(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	cfg := q.Config()
	assert.Equal(t, fifo.DefaultLimit, *cfg.Limit)
	assert.Equal(t, hfsc.DefaultCatchUp, cfg.CatchUp)
	*cfg.Limit = 1 // a copy
	assert.Equal(t, fifo.DefaultLimit, *q.Config().Limit)

	_, err := hfsc.New(hfsc.Config{Default: hfsc.MaxClass + 1, Limit: new(-1), CatchUp: -1, Compat: 9})
	qtest.ConfigErrors(t, err, "Default", "Limit", "CatchUp", "Compat")
	qtest.ConfigErrors(t, q.Change(hfsc.Config{Limit: new(-1)}, 0), "Limit")
	qtest.ConfigErrors(t, q.Change(hfsc.Config{Compat: qdisc.Linux}, 0), "Compat")
	require.NoError(t, q.Change(hfsc.Config{Limit: new(7), Default: 3}, 0))
	assert.Equal(t, 7, *q.Config().Limit)
}

func TestClassErrors(t *testing.T) {
	line := hfsc.Line(qdisc.Mbit)
	for _, tt := range []struct {
		name string
		cfg  hfsc.ClassConfig
		says []string
	}{
		{"no curve", hfsc.ClassConfig{}, []string{"LinkShare", "needs a RealTime or a LinkShare"}},
		{"a limit alone", hfsc.ClassConfig{UpperLimit: line}, []string{"needs a RealTime"}},
		{"a limit without sharing", hfsc.ClassConfig{RealTime: line, UpperLimit: line}, []string{"UpperLimit", "bounds link sharing"}},
		{"no such parent", hfsc.ClassConfig{Parent: 9, LinkShare: line}, []string{"Parent = 9"}},
		{"stalling share", hfsc.ClassConfig{LinkShare: hfsc.Curve{M1: 1, D: 1}}, []string{"LinkShare", "M2 must be above 0"}},
		{"stalling limit", hfsc.ClassConfig{LinkShare: line, UpperLimit: hfsc.Curve{M1: 1, D: 1}}, []string{"UpperLimit", "M2 must be above 0"}},
		{"stalling guarantee", hfsc.ClassConfig{RealTime: hfsc.Curve{M1: 1, D: 1}}, []string{"RealTime", "M2 must be above 0"}},
		{"negative D", hfsc.ClassConfig{LinkShare: hfsc.Curve{M1: 1, D: -1, M2: 1}}, []string{"LinkShare", "D is 0 to"}},
		{"long D", hfsc.ClassConfig{LinkShare: hfsc.Curve{M1: 1, D: hfsc.MaxD + 1, M2: 1}}, []string{"D is 0 to"}},
		{"huge first piece", hfsc.ClassConfig{LinkShare: hfsc.Curve{M1: qdisc.Tbit, D: hfsc.MaxD, M2: 1}}, []string{"2^60 bytes"}},
		{"M1 without D", hfsc.ClassConfig{RealTime: hfsc.Curve{M1: 1}, LinkShare: line}, []string{"RealTime", "slope M2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := newHFSC(t, hfsc.Config{})
			qtest.ConfigErrors(t, q.AddClass(1, tt.cfg, 0), tt.says...)
			assert.Empty(t, q.Tree(), "nothing changed")
			if tt.cfg.Parent == 0 {
				add(t, q, 1, hfsc.ClassConfig{LinkShare: line})
				qtest.ConfigErrors(t, q.ChangeClass(1, tt.cfg, 0), tt.says...)
				cfg, _ := q.Class(1)
				assert.Equal(t, hfsc.ClassConfig{LinkShare: line}, cfg)
			}
		})
	}
	q := newHFSC(t, hfsc.Config{})
	ls := hfsc.ClassConfig{LinkShare: line}
	add(t, q, 1, ls)
	under := ls
	under.Parent = 1
	add(t, q, 2, under)
	qtest.ConfigErrors(t, q.AddClass(0, ls, 0), "Class = 0")
	qtest.ConfigErrors(t, q.AddClass(hfsc.MaxClass+1, ls, 0), "Class")
	qtest.ConfigErrors(t, q.AddClass(1, ls, 0), "already")
	qtest.ConfigErrors(t, q.ChangeClass(5, ls, 0), "no such class")
	qtest.ConfigErrors(t, q.ChangeClass(2, ls, 0), "Parent")
	qtest.ConfigErrors(t, q.ChangeClass(1, hfsc.ClassConfig{RealTime: line}, 0), "with children needs it")
	under.Child = qtest.FIFO(1)
	qtest.ConfigErrors(t, q.ChangeClass(2, under, 0), "SetChild")
	qtest.ConfigErrors(t, q.RemoveClass(5, 0), "no such class")
	qtest.ConfigErrors(t, q.RemoveClass(1, 0), "has children")
	qtest.ConfigErrors(t, q.SetChild(1, nil, 0), "has children")
	full := qtest.FIFO(1)
	full.Enqueue(packet(0, 1), 0)
	qtest.ConfigErrors(t, q.SetChild(2, full, 0), "holds packets")
	qtest.ConfigErrors(t, q.AddClass(3, hfsc.ClassConfig{LinkShare: line, Child: full}, 0), "holds packets")
	assert.Len(t, q.Tree(), 2)
	var other qdisc.List
	qtest.ConfigErrors(t, q.SetChild(2, newHFSC(t, hfsc.Config{Drops: &other}), 0), "drop list")
}

// TestWhichClass: the class named, the default, or none.
func TestWhichClass(t *testing.T) {
	var drops qdisc.List
	q := newHFSC(t, hfsc.Config{Default: 2, Drops: &drops})
	line := hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)}
	add(t, q, 1, line)
	add(t, q, 2, line)
	line.Parent = 1
	add(t, q, 11, line)
	for _, class := range []uint32{11, 0, 1, 77, 1 << 31} { // itself, then the default
		fill(t, q, class, 1, 100, 0)
	}
	assert.Equal(t, 1, q.Child(11).Len())
	assert.Equal(t, 4, q.Child(2).Len())
	assert.Nil(t, q.Child(1))
	require.NoError(t, q.RemoveClass(2, 0))
	assert.Equal(t, 4, drops.Len())
	p := packet(0, 1)
	assert.Equal(t, qdisc.Dropped, q.Enqueue(p, 0))
	assert.Equal(t, qdisc.Unclassified, p.Reason)

	require.NoError(t, q.Change(hfsc.Config{Classify: func(*qdisc.Packet) uint32 { return 11 }}, 0))
	fill(t, q, 0, 1, 100, 0)
	assert.Equal(t, 2, q.Child(11).Len())
	qtest.CheckSums(t, q)
}

// TestLeafAgain: a class whose last child goes is a leaf again.
func TestLeafAgain(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	line := hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)}
	own := qtest.FIFO(5)
	cfg := line
	cfg.Child = own
	add(t, q, 1, cfg)
	got, _ := q.Class(1)
	assert.Same(t, own, got.Child)
	line.Parent = 1
	add(t, q, 2, line)
	assert.False(t, own.HasParent(), "it can be used elsewhere")
	fill(t, q, 2, 3, 100, 0)
	assert.Equal(t, []uint32{2}, slices.Collect(maps.Keys(maps.Collect(q.Children()))))
	assert.Equal(t, 1, stats(t, q, 1).Level)
	got, _ = q.Class(1)
	assert.Nil(t, got.Child)
	require.NoError(t, q.ChangeClass(1, got, 0))
	require.NoError(t, q.RemoveClass(2, 0))
	got, _ = q.Class(1)
	assert.Nil(t, got.Child)
	assert.Zero(t, stats(t, q, 1).Level)
	fill(t, q, 1, 2, 100, 0)
	assert.Equal(t, []int{100, 100}, qtest.Drain(q, 0))
	add(t, q, 2, line)
	fill(t, q, 2, 1, 100, 0)
	assert.Equal(t, []int{100}, qtest.Drain(q, 0))
}

// TestChangeWhileBacklogged: rates follow at once, and a curve may come and go.
func TestChangeWhileBacklogged(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	rate := func(r qdisc.Rate) hfsc.ClassConfig { return hfsc.ClassConfig{RealTime: hfsc.Line(r)} }
	add(t, q, 1, rate(8*qdisc.Kbit))
	fill(t, q, 1, 100, 1000, 0)
	_, now := next(t, q, 0)
	assert.Zero(t, now)
	require.NoError(t, q.ChangeClass(1, rate(8*qdisc.Mbit), 0))
	for range 3 {
		_, now = next(t, q, now)
	}
	assert.Equal(t, 2*ms, now, "at 1 kB a millisecond from the change on")

	both := rate(8 * qdisc.Mbit)
	both.LinkShare = hfsc.Line(qdisc.Mbit)
	require.NoError(t, q.ChangeClass(1, both, now))
	_, at := next(t, q, now)
	assert.Equal(t, now, at, "by link sharing")
	both.UpperLimit = hfsc.Line(8 * qdisc.Mbit)
	both.RealTime = hfsc.Curve{}
	require.NoError(t, q.ChangeClass(1, both, now))
	for range 5 {
		_, at = next(t, q, at)
	}
	assert.Equal(t, now+4*ms, at)
	both.UpperLimit = hfsc.Curve{}
	require.NoError(t, q.ChangeClass(1, both, at))
	assert.Equal(t, 1, len(q.Tree()))
	assert.Equal(t, 90, q.Len())
	assert.Len(t, qtest.Drain(q, at), 90)
	qtest.CheckSums(t, q)
}

// TestInnerChange: with exact times a new limit of a class with children
// counts at once.
func TestInnerChange(t *testing.T) {
	for _, compat := range modes {
		q := newHFSC(t, hfsc.Config{Compat: compat})
		top := hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Gbit), UpperLimit: hfsc.Line(8 * qdisc.Kbit)}
		add(t, q, 1, top)
		add(t, q, 2, hfsc.ClassConfig{Parent: 1, LinkShare: hfsc.Line(qdisc.Gbit)})
		fill(t, q, 2, 3, 1000, 0)
		require.NotNil(t, q.Dequeue(0))
		require.Nil(t, q.Dequeue(0))
		assert.Equal(t, s, q.ReadyAt(0))
		top.UpperLimit = hfsc.Line(8 * qdisc.Mbit)
		require.NoError(t, q.ChangeClass(1, top, 0))
		_, at := next(t, q, 0)
		if compat == qdisc.Exact {
			assert.Zero(t, at)
		} else {
			assert.Equal(t, s, at, "late inner change")
		}
	}
}

// TestStats: work by criterion, levels and totals.
func TestStats(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	line := hfsc.Line(8 * qdisc.Kbit)
	add(t, q, 1, hfsc.ClassConfig{LinkShare: line})
	add(t, q, 2, hfsc.ClassConfig{Parent: 1, LinkShare: line})
	add(t, q, 3, hfsc.ClassConfig{Parent: 2, RealTime: line, LinkShare: line})
	add(t, q, 4, hfsc.ClassConfig{Parent: 1, LinkShare: line})
	fill(t, q, 3, 3, 1000, 0)
	fill(t, q, 4, 1, 500, 0)
	for range 3 {
		require.NotNil(t, q.Dequeue(0))
	}
	three := stats(t, q, 3)
	assert.Equal(t, hfsc.Work{Packets: 1, Bytes: 1000}, three.RealTime)
	assert.EqualValues(t, 2, three.Dequeued+uint64(three.Len)-1)
	assert.Equal(t, hfsc.Work{Packets: 1, Bytes: 500}, stats(t, q, 4).LinkShare)
	assert.Equal(t, uint64(s), three.Eligible, "8 kbit/s")
	assert.Equal(t, uint64(2*s), three.Deadline)
	for class, level := range map[uint32]int{1: 2, 2: 1, 3: 0, 4: 0} {
		assert.Equal(t, level, stats(t, q, class).Level, "class %d", class)
	}
	total := uint64(0)
	for _, st := range q.Classes() {
		if st.Level == 0 {
			total += st.RealTime.Bytes + st.LinkShare.Bytes
		}
	}
	assert.Equal(t, total, stats(t, q, 1).Total)
	_, ok := q.Stats(9)
	assert.False(t, ok)
	assert.Equal(t, "real time, link sharing, unknown criterion", hfsc.RealTime.String()+", "+hfsc.LinkShare.String()+", "+hfsc.Criterion(7).String())
}

// TestShaperBelow: a class whose child holds its packets back is not in the
// way of the others, and is served when the child is ready.
func TestShaperBelow(t *testing.T) {
	for _, cfg := range []hfsc.ClassConfig{{LinkShare: hfsc.Line(qdisc.Gbit)}, {RealTime: hfsc.Line(qdisc.Gbit)}} {
		q := newHFSC(t, hfsc.Config{})
		gate := &qtest.Gate{Opens: 5 * ms}
		cfg.Child = gate
		add(t, q, 1, cfg)
		add(t, q, 2, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)})
		fill(t, q, 1, 3, 100, 0)
		fill(t, q, 2, 2, 200, 0)
		assert.Equal(t, []int{200, 200}, qtest.Drain(q, 0))
		assert.Equal(t, 5*ms, q.ReadyAt(0))
		asked := gate.Asked
		for now := qdisc.Time(1); now < 5*ms; now += ms {
			assert.Nil(t, q.Dequeue(now))
		}
		assert.Equal(t, asked, gate.Asked, "it is not asked before its time")
		p, at := next(t, q, 4*ms)
		assert.Equal(t, 5*ms, at)
		assert.EqualValues(t, 1, p.Class)
		assert.Len(t, qtest.Drain(q, 5*ms+10_000), 2)

		gate.Opens = qdisc.Never
		fill(t, q, 1, 1, 100, 6*ms)
		assert.Nil(t, q.Dequeue(6*ms))
		assert.Equal(t, qdisc.Blocked, q.ReadyAt(6*ms))
		gate.Opens = 0
		q.Sync(1, 6*ms)
		assert.NotNil(t, q.Dequeue(6*ms))
	}
}

// keeper is a FIFO that a Reset does not empty.
type keeper struct{ *fifo.FIFO }

func (keeper) Reset(qdisc.Time) {}

// TestResetOfAKeeper: what a child keeps is sent after a Reset, also by a class
// that comes before its parent in the order of their making.
func TestResetOfAKeeper(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	cfg := hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)}
	add(t, q, 1, cfg)
	add(t, q, 2, cfg)
	require.NoError(t, q.RemoveClass(1, 0))
	require.NoError(t, q.RemoveClass(2, 0))
	add(t, q, 2, cfg) // these take the places of the two, the last one first
	cfg.Parent, cfg.Child = 2, keeper{qtest.FIFO(5)}
	add(t, q, 1, cfg)
	fill(t, q, 1, 3, 100, 0)
	q.Reset(0)
	assert.EqualValues(t, 1, stats(t, q, 2).Active)
	fill(t, q, 1, 1, 200, 0)
	assert.Equal(t, []int{100, 100, 100, 200}, qtest.Drain(q, 0))
}

// TestManyOverTheirLimit: the choice among siblings does not look at those
// that are over their limits.
func TestManyOverTheirLimit(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	const n = 1000
	for class := range uint32(n) {
		add(t, q, class+1, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit), UpperLimit: hfsc.Line(8 * qdisc.Kbit)})
		fill(t, q, class+1, 3, 1000, 0)
	}
	assert.Len(t, qtest.Drain(q, 0), n)
	assert.Equal(t, s, q.ReadyAt(0))
	assert.Len(t, qtest.Drain(q, s), n)
	assert.Equal(t, 2*s, q.ReadyAt(s))
}

// TestDeepTree: no recursion, and no list of the classes takes a time that
// grows with the square of their number.
func TestDeepTree(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	line := hfsc.Line(qdisc.Mbit)
	const depth = 50_000
	for i := range uint32(depth) {
		add(t, q, i+1, hfsc.ClassConfig{Parent: i, LinkShare: line, UpperLimit: line})
	}
	fill(t, q, depth, 3, 125, 0)
	_, at := next(t, q, 0)
	assert.Zero(t, at)
	_, at = next(t, q, 0)
	assert.Equal(t, ms, at)
	assert.Equal(t, depth-1, stats(t, q, 1).Level)
	tree := q.Tree()
	assert.Len(t, tree, depth)
	for class, st := range q.Classes() {
		assert.Equal(t, depth-int(class), st.Level)
	}
	r, err := hfsc.Check(tree, qdisc.Mbit, 1500)
	require.NoError(t, err)
	assert.Len(t, r.Leaves, 1)
}

// TestCheckOfManyLeaves, each with a first piece of another length: the sums
// are carried on, not begun anew for each.
func TestCheckOfManyLeaves(t *testing.T) {
	var tree []hfsc.Spec
	const n = 50_000
	for i := range uint32(n) {
		rt := hfsc.Curve{M1: 2000, D: time.Duration(n-i) * time.Microsecond, M2: 1000}
		tree = append(tree, hfsc.Spec{Class: i + 1, ClassConfig: hfsc.ClassConfig{RealTime: rt, LinkShare: hfsc.Line(qdisc.Mbit)}})
	}
	r, err := hfsc.Check(tree, 2000*n, 1500)
	require.NoError(t, err)
	assert.True(t, r.Admissible)
	assert.Equal(t, qdisc.Rate(1000*n), r.RealTime)
	assert.Equal(t, qdisc.Rate(2000), r.Leaves[7].Share)
	tree[0].RealTime.M1++ // too much, but only until the first of the others slows down
	r, err = hfsc.Check(tree, 2000*n, 1500)
	require.NoError(t, err)
	assert.False(t, r.Admissible)
	assert.Len(t, r.Notes, 1)
}

func TestCheck(t *testing.T) {
	voice := hfsc.DelayCurve(160, 5*time.Millisecond, 64*qdisc.Kbit)
	tree := []hfsc.Spec{
		{Class: 1, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(6 * qdisc.Mbit)}},
		{Class: 2, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(4 * qdisc.Mbit), UpperLimit: hfsc.Line(20 * qdisc.Kbit)}},
		{Class: 11, ClassConfig: hfsc.ClassConfig{Parent: 1, RealTime: voice, LinkShare: hfsc.Line(qdisc.Mbit)}},
		{Class: 12, ClassConfig: hfsc.ClassConfig{Parent: 1, LinkShare: hfsc.Line(2 * qdisc.Mbit)}},
		{Class: 21, ClassConfig: hfsc.ClassConfig{Parent: 2, RealTime: hfsc.Line(qdisc.Mbit)}},
	}
	r, err := hfsc.Check(tree, 10*qdisc.Mbit, 1500)
	require.NoError(t, err)
	assert.True(t, r.Admissible)
	assert.Equal(t, 1064*qdisc.Kbit, r.RealTime)
	require.Len(t, r.Leaves, 3)
	d, ok := r.Leaves[0].Delay(160)
	assert.True(t, ok)
	assert.Equal(t, 5*time.Millisecond+1200*time.Microsecond, d, "and the packet of 1500 bytes just begun")
	d, _ = r.Leaves[0].Delay(320)
	assert.Equal(t, 25*time.Millisecond+1200*time.Microsecond, d)
	_, ok = r.Leaves[1].Delay(1)
	assert.False(t, ok, "no RealTime curve")
	assert.Equal(t, 2*qdisc.Mbit, r.Leaves[0].Share)
	assert.Equal(t, 4*qdisc.Mbit, r.Leaves[1].Share)
	assert.Zero(t, r.Leaves[2].Share)
	var noted []uint32
	for _, n := range r.Notes {
		noted = append(noted, n.Class)
		assert.NotEmpty(t, n.Text)
	}
	assert.Equal(t, []uint32{21, 2}, noted, "%v", r.Notes)

	r, err = hfsc.Check(tree, 200*qdisc.Kbit, 1500)
	require.NoError(t, err)
	assert.False(t, r.Admissible)
	_, ok = r.Leaves[0].Delay(160)
	assert.False(t, ok)

	// The slopes fit in the long run, but not at first.
	burst := hfsc.ClassConfig{RealTime: hfsc.Curve{M1: 6 * qdisc.Mbit, D: time.Second, M2: qdisc.Kbit}}
	r, err = hfsc.Check([]hfsc.Spec{{1, burst}, {2, burst}}, 10*qdisc.Mbit, 1500)
	require.NoError(t, err)
	assert.False(t, r.Admissible)
	assert.Contains(t, r.Notes[0].Text, "250000 bytes more")

	_, err = hfsc.Check([]hfsc.Spec{{1, burst}, {1, burst}, {3, hfsc.ClassConfig{Parent: 9}}}, 0, 1500)
	qtest.ConfigErrors(t, err, "link", "tree[1].Class", "tree[2].Parent")

	q := newHFSC(t, hfsc.Config{})
	for _, sp := range tree {
		add(t, q, sp.Class, sp.ClassConfig)
	}
	assert.Equal(t, []uint32{1, 2, 11, 12, 21}, classesOf(q.Tree()))
}

func classesOf(tree []hfsc.Spec) (list []uint32) {
	for _, sp := range tree {
		list = append(list, sp.Class)
	}
	return list
}

// TestDelayBound: what Check promises is kept, beside classes that flood.
func TestDelayBound(t *testing.T) {
	q := newHFSC(t, hfsc.Config{})
	voice := hfsc.DelayCurve(160, 5*time.Millisecond, 64*qdisc.Kbit)
	add(t, q, 1, hfsc.ClassConfig{RealTime: voice, LinkShare: hfsc.Line(qdisc.Kbit)})
	add(t, q, 2, hfsc.ClassConfig{RealTime: hfsc.Line(700 * qdisc.Kbit), LinkShare: hfsc.Line(qdisc.Mbit)})
	fill(t, q, 2, 500, 1500, 0)
	r, err := hfsc.Check(q.Tree(), qdisc.Mbit, 1500)
	require.NoError(t, err)
	require.True(t, r.Admissible)
	bound, ok := r.Leaves[0].Delay(160)
	require.True(t, ok)
	worst := time.Duration(0)
	now, arrival := qdisc.Time(0), qdisc.Time(0)
	for now < 5*s {
		for ; arrival <= now; arrival += 20 * ms {
			q.Enqueue(packet(1, 160), arrival)
		}
		p := q.Dequeue(now)
		require.NotNil(t, p)
		done := now + qdisc.Time(p.Len)*8000
		if p.Class == 1 {
			worst = max(worst, done.Sub(p.Stamp))
		} else {
			q.Enqueue(p, now)
		}
		now = done
	}
	assert.LessOrEqual(t, worst, bound)
	assert.Greater(t, worst, 6*time.Millisecond, "the test does test something")
}
