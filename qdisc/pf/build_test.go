package pf_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/pf"
	"github.com/netsched/netsched/qdisc/priq"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func build(t testing.TB, text string, opt pf.Options) *pf.Tree {
	t.Helper()
	tree, err := pf.Build(text, opt)
	require.NoError(t, err)
	return tree
}

const (
	curves = `altq on em0 bandwidth 45Mb hfsc queue { cmu pitt }
queue cmu bandwidth 25Mb { cmuav cmudat }
queue cmuav bandwidth 10Mb hfsc(realtime 8Mb upperlimit 50%)
queue cmudat bandwidth 10.5% hfsc(codel linkshare (12Mb 20 40%))
queue pitt bandwidth 20Mb { p1 p2 }
queue p1 bandwidth 12Mb qlimit 7 hfsc(realtime (6Mb 5 2Mb))
queue p2 bandwidth 8Mb hfsc(default)
`
	priorities = `altq on em0 bandwidth 10Mb tbrsize 2000 priq queue { lo hi mid }
queue lo qlimit 0 priq(default)
queue hi priority 15 qlimit 3
queue mid priority 7 priq(codel)
`
)

func TestBuildCBQ(t *testing.T) {
	var drops qdisc.List
	tree := build(t, seed, pf.Options{Drops: &drops})
	assert.Equal(t, "ue0", tree.Interface())
	assert.Equal(t, []pf.QueueInfo{
		{Name: "dflt", Class: 1, Rate: 10 * qdisc.Mbit, Default: true},
		{Name: "small", Class: 2, Parent: 1, Rate: 500 * qdisc.Kbit},
	}, tree.Queues())
	r := tree.Root().(*pf.Regulator)
	assert.Equal(t, 10*qdisc.Mbit, r.Config().Rate)
	assert.EqualValues(t, 6000, r.Config().Burst)
	q := tree.Scheduler().(*cbq.CBQ)
	assert.Same(t, q, r.Child(1))
	assert.Same(t, &drops, q.DropList())
	small, ok := q.Class(tree.Class("small"))
	require.True(t, ok)
	assert.Equal(t, 500*qdisc.Kbit, small.Rate)
	assert.True(t, small.Bounded)
	assert.Equal(t, cbq.PFClass{Parent: 1, Bandwidth: small.Rate}.Config(10*qdisc.Mbit, 1500).MaxBurst, small.MaxBurst)

	for _, class := range []uint32{0, tree.Class("small"), tree.Class("nobody"), 99} {
		tree.Root().Enqueue(&qdisc.Packet{Class: class, Len: 100}, 0)
	}
	assert.Equal(t, 3, tree.Queue("dflt").Len())
	assert.Equal(t, 1, tree.Queue("small").Len())
	assert.Nil(t, tree.Queue("nobody"))
	for range 60 {
		tree.Root().Enqueue(&qdisc.Packet{Class: 2, Len: 100}, 0)
	}
	assert.Equal(t, 50, tree.Queue("small").Len())
	assert.Equal(t, 11, drops.Len())

	borrows := build(t, "altq on x bandwidth 1Mb cbq queue a\nqueue a cbq(default) { b }\nqueue b bandwidth 0.5% priority 7 cbq(borrow)", pf.Options{MTU: 9000})
	b, _ := borrows.Scheduler().(*cbq.CBQ).Class(2)
	assert.False(t, b.Bounded)
	assert.Equal(t, 5*qdisc.Kbit, b.Rate, "half a percent")
	assert.Equal(t, 1, b.Priority)
	assert.EqualValues(t, 9000, borrows.Root().(*pf.Regulator).Config().Burst)
}

func TestBuildHFSC(t *testing.T) {
	tree := build(t, curves, pf.Options{})
	q := tree.Scheduler().(*hfsc.HFSC)
	got := map[string]hfsc.ClassConfig{}
	for _, info := range tree.Queues() {
		cfg, ok := q.Class(info.Class)
		require.True(t, ok)
		got[info.Name] = cfg
	}
	assert.Equal(t, hfsc.Line(25*qdisc.Mbit), got["cmu"].LinkShare)
	assert.Equal(t, hfsc.Line(8*qdisc.Mbit), got["cmuav"].RealTime)
	assert.Equal(t, hfsc.Line(10*qdisc.Mbit), got["cmuav"].LinkShare)
	assert.Equal(t, hfsc.Line(12500*qdisc.Kbit), got["cmuav"].UpperLimit)
	assert.Equal(t, hfsc.Curve{M1: 12 * qdisc.Mbit, D: 20e6, M2: 10 * qdisc.Mbit}, got["cmudat"].LinkShare)
	assert.Equal(t, hfsc.Curve{M1: 6 * qdisc.Mbit, D: 5e6, M2: 2 * qdisc.Mbit}, got["p1"].RealTime)
	assert.True(t, got["p2"].RealTime.IsZero())
	assert.Equal(t, 10*qdisc.Mbit, tree.Queues()[2].Rate, "that of its linkshare curve")
	assert.IsType(t, &codel.CoDel{}, tree.Queue("cmudat"))
	assert.Equal(t, 7, *tree.Queue("p1").(*fifo.FIFO).Config().Limit)
	assert.Nil(t, tree.Queue("cmu"), "it has queues below it")
	assert.Equal(t, tree.Class("p2"), q.Config().Default)
}

func TestBuildPRIQ(t *testing.T) {
	tree := build(t, priorities, pf.Options{})
	q := tree.Scheduler().(*priq.PRIQ)
	assert.EqualValues(t, 2000, tree.Root().(*pf.Regulator).Config().Burst)
	for name, limit := range map[string]int{"lo": 50, "hi": 3} {
		assert.Equal(t, limit, *tree.Queue(name).(*fifo.FIFO).Config().Limit)
	}
	assert.Equal(t, 50, *tree.Queue("mid").(*codel.CoDel).Config().Limit)
	for i, name := range []string{"nobody", "mid", "hi"} {
		tree.Root().Enqueue(&qdisc.Packet{Class: tree.Class(name), Len: uint32(i + 1)}, 0)
	}
	assert.Equal(t, []int{3, 2, 1}, qtest.Drain(tree.Root(), 0))
	cfg, _ := q.Class(tree.Class("hi"))
	assert.Equal(t, 15, cfg.Priority)
	assert.Equal(t, "mid", tree.Name(3))
	assert.Empty(t, tree.Name(0))
	assert.Empty(t, tree.Name(4))
	assert.Empty(t, tree.Name(math.MaxUint32))
}

// TestBuildErrors: what depends on rates has its place, too.
func TestBuildErrors(t *testing.T) {
	const fast = "altq on em0 bandwidth 10Mb hfsc queue { a b }\n"
	for _, c := range []struct {
		text string
		opt  pf.Options
		want string
	}{
		{"pass all", pf.Options{}, "there is no altq line"},
		{seed, pf.Options{Interface: "em9"}, "Interface = em9: no altq line is for it; there is ue0"},
		{seed, pf.Options{MTU: -1}, "MTU = -1"},
		{seed, pf.Options{MTU: codel.MaxMTU + 1}, "MTU = 1048577"},
		{"altq on { a b } bandwidth 1Mb priq queue q\nqueue q priq(default)", pf.Options{}, `Interface = "": name one; there is a, b`},
		{"\naltq on em0 priq queue a\nqueue a priq(default)", pf.Options{}, "line 2, column 1: interface em0: its speed is not known here"},
		{"altq on em0 bandwidth 5% priq queue a\nqueue a priq(default)", pf.Options{}, "its speed is not known here"},
		{"altq on em0 bandwidth 5% priq queue a\nqueue a priq(default)", pf.Options{Speed: 9}, "its speed is not known here"},
		{"altq on em0 bandwidth 10Mb cbq queue a\nqueue a bandwidth 11Mb cbq(default)", pf.Options{}, "line 2, column 1: queue a: bandwidth 11Mb is more than the 10Mb above it"},
		{"altq on em0 bandwidth 10Mb cbq queue a\nqueue a bandwidth 0.000001% cbq(default)", pf.Options{}, "line 2, column 1: queue a: bandwidth 0.000001% is less than 1 bit/s"},
		{"altq on em0 bandwidth 10000Gb cbq queue a\nqueue a cbq(default)", pf.Options{}, "line 1, column 1: interface em0: Bandwidth"},
		{seed, pf.Options{Speed: math.MaxUint64}, "Speed = "},
		{"altq on em0 bandwidth 10Mb cbq queue a\nqueue a cbq(default \\\n red)", pf.Options{}, "line 3, column 2: queue a: option red is not here; want codel, or none, or Options.Lenient"},
		{fast + "queue a bandwidth 5Mb\nqueue b bandwidth 51% hfsc(default)", pf.Options{}, "line 1, column 1: interface em0: the linkshare curves (or bandwidths) below it are more than its own"},
		{fast + "queue a bandwidth 50% hfsc(linkshare (60% 10 10%))\nqueue b bandwidth 50% hfsc(default)", pf.Options{}, "the linkshare curves"},
		{fast + "queue a bandwidth 50% { c d }\nqueue b bandwidth 50% hfsc(default)\nqueue c bandwidth 60%\nqueue d bandwidth 60%", pf.Options{}, "line 2, column 1: queue a: the linkshare curves"},
		{fast + "queue a bandwidth 50% hfsc(realtime 5Mb)\nqueue b bandwidth 50% hfsc(default realtime 3.1Mb)", pf.Options{}, "interface em0: the realtime curves below it are more than 80% of the interface's bandwidth"},
		{fast + "queue a bandwidth 50% hfsc(realtime (9Mb 5 1Mb))\nqueue b bandwidth 50% hfsc(default)", pf.Options{}, "the realtime curves below"},
		{fast + "queue a bandwidth 50% hfsc(upperlimit 11Mb)\nqueue b bandwidth 50% hfsc(default)", pf.Options{}, "line 2, column 1: queue a: upperlimit is more than the interface's bandwidth"},
		{fast + "queue a bandwidth 50% hfsc(upperlimit 2Mb realtime 3Mb)\nqueue b bandwidth 50% hfsc(default)", pf.Options{}, "line 2, column 1: queue a: upperlimit is less than realtime"},
		{fast + "queue a bandwidth 50% hfsc(linkshare (1Mb 10 0b))\nqueue b bandwidth 50% hfsc(default)", pf.Options{}, "line 2, column 1: queue a: LinkShare"},
	} {
		_, err := pf.Build(c.text, c.opt)
		require.ErrorContains(t, err, c.want, c.text)
	}
	_, err := pf.Build(fast+"queue a bandwidth 50% hfsc(linkshare (1Mb 10 0b))\nqueue b bandwidth 50% hfsc(default)", pf.Options{})
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.Equal(t, "LinkShare", ce.Field)
}

// TestBends: curves that bend at several times are within a bound if they are at
// each of them.
func TestBends(t *testing.T) {
	for _, c := range []struct {
		a, b string
		ok   bool
	}{
		{"(6Mb 10 3Mb)", "(4Mb 20 7Mb)", true},  // 10, 7, 10
		{"(9Mb 20 1Mb)", "(1Mb 10 6Mb)", false}, // 10, 15, 7
		{"(3Mb 20 5Mb)", "(7Mb 10 5Mb)", true},  // 10, 8, 10
		{"(1Mb 30 5Mb)", "(7Mb 10 8Mb)", false}, // 8, 9, 13
		{"(4Mb 10 9Mb)", "(5Mb 20 1Mb)", false}, // 9, 14, 10
		{"(4Mb 10 6Mb)", "(5Mb 20 1Mb)", true},  // 9, 11, 7, but never more in all
	} {
		_, err := pf.Build("altq on em0 bandwidth 10Mb hfsc queue { a b }\nqueue a hfsc(default linkshare "+c.a+")\nqueue b hfsc(linkshare "+c.b+")", pf.Options{})
		if c.ok {
			assert.NoError(t, err, "%s and %s", c.a, c.b)
		} else {
			assert.ErrorContains(t, err, "the linkshare curves", "%s and %s", c.a, c.b)
		}
	}
}

// TestMadeFile: a File need not come from Parse, and may have what that refuses.
func TestMadeFile(t *testing.T) {
	for want, change := range map[string]func(d *pf.Interface, q *pf.Queue){
		`interface e: scheduler "fairq" is not here; want cbq, hfsc or priq`: func(d *pf.Interface, _ *pf.Queue) { d.Scheduler = "fairq" },
		`interface e: scheduler "" is not here`:                              func(d *pf.Interface, _ *pf.Queue) { d.Scheduler = "" },
		"interface e: bandwidth +Inf%; want a percentage of at most 100":     func(d *pf.Interface, _ *pf.Queue) { d.Bandwidth.Percent = math.Inf(1) },
		"queue a: bandwidth NaN%; want a percentage":                         func(_ *pf.Interface, q *pf.Queue) { q.Bandwidth.Percent = math.NaN() },
		"queue a: bandwidth -5%; want a percentage":                          func(_ *pf.Interface, q *pf.Queue) { q.Bandwidth.Percent = -5 },
		"queue a: bandwidth 101%; want a percentage":                         func(_ *pf.Interface, q *pf.Queue) { q.Options.RealTime = &pf.Curve{Second: pf.Bandwidth{Percent: 101}} },
		"queue a: priority -1; want 0 to 255 for hfsc":                       func(_ *pf.Interface, q *pf.Queue) { q.Priority = new(-1) },
		"queue a: Limit = -1":                                                func(_ *pf.Interface, q *pf.Queue) { q.QLimit = new(-1) },
		"interface e: Burst = 4294967295":                                    func(d *pf.Interface, _ *pf.Queue) { d.TBRSize = new(uint32(math.MaxUint32)) },
		"interface e has no default queue":                                   func(_ *pf.Interface, q *pf.Queue) { q.Options.Default = false },
	} {
		f, err := pf.Parse("altq on e bandwidth 1Mb hfsc queue a\nqueue a hfsc(default)")
		require.NoError(t, err)
		change(&f.Interfaces[0], &f.Queues[0])
		_, err = f.Build(pf.Options{Speed: qdisc.Gbit})
		require.ErrorContains(t, err, want)
	}
	f, err := pf.Parse("altq on e bandwidth 1Mb cbq queue a\nqueue a cbq(default)")
	require.NoError(t, err)
	f.Queues[0].Options.LinkShare = &pf.Curve{}
	tree, err := f.Build(pf.Options{})
	require.NoError(t, err)
	assert.Equal(t, qdisc.Mbit, tree.Queues()[0].Rate, "cbq has no curves")
}

// TestSpeed: the bandwidth may be a share of the interface's speed, or all of it.
func TestSpeed(t *testing.T) {
	for text, want := range map[string]qdisc.Rate{"": 1 * qdisc.Gbit, "bandwidth 12.5%": 125 * qdisc.Mbit, "bandwidth 3Mb": 3 * qdisc.Mbit} {
		tree := build(t, "altq on em0 "+text+" cbq queue a\nqueue a cbq(default)", pf.Options{Speed: qdisc.Gbit})
		assert.Equal(t, want, tree.Root().(*pf.Regulator).Config().Rate)
		assert.Equal(t, want, tree.Queues()[0].Rate)
	}
}

// TestSeveralInterfaces: each has a tree of its own.
func TestSeveralInterfaces(t *testing.T) {
	f, err := pf.Parse("altq on { em0 em1 } bandwidth 10Mb cbq queue { std own }\nqueue std bandwidth 50% cbq(default)\n" +
		"queue own on em1 bandwidth 1Mb\nqueue own on em0 bandwidth 2Mb { sub }\nqueue sub bandwidth 50%")
	require.NoError(t, err)
	for name, want := range map[string][]qdisc.Rate{
		"em0": {5 * qdisc.Mbit, 2 * qdisc.Mbit, 1 * qdisc.Mbit},
		"em1": {5 * qdisc.Mbit, 1 * qdisc.Mbit},
	} {
		tree, err := f.Build(pf.Options{Interface: name})
		require.NoError(t, err)
		var rates []qdisc.Rate
		for _, q := range tree.Queues() {
			rates = append(rates, q.Rate)
		}
		assert.Equal(t, want, rates, name)
	}
}

// TestContract: whole trees keep the contract.
func TestContract(t *testing.T) {
	for name, text := range map[string]string{"cbq": seed, "hfsc": curves, "priq": priorities} {
		t.Run(name, func(t *testing.T) {
			qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				return build(t, text, pf.Options{Drops: drops}).Root()
			})
		})
	}
}

// TestNoRegulator: the scheduler is the root, with the drop list and histogram.
func TestNoRegulator(t *testing.T) {
	for name, text := range map[string]string{"cbq": seed, "hfsc": curves, "priq": priorities} {
		t.Run(name, func(t *testing.T) {
			var drops qdisc.List
			var h qdisc.Histogram
			tree := build(t, text, pf.Options{NoRegulator: true, Drops: &drops, Sojourn: &h})
			assert.Same(t, tree.Scheduler(), tree.Root())
			for range 51 {
				tree.Root().Enqueue(&qdisc.Packet{Len: 100}, 0)
			}
			assert.Equal(t, 1, drops.Len())
			require.NotNil(t, tree.Root().Dequeue(0))
			assert.EqualValues(t, 1, h.Count())
			assert.NoError(t, qdisctest.Check(tree.Root()))
		})
	}
}

// TestRates: what is taken from the tree has the interface's rate.
func TestRates(t *testing.T) {
	for name, text := range map[string]string{"cbq": seed, "hfsc": curves, "priq": priorities} {
		t.Run(name, func(t *testing.T) {
			var h qdisc.Histogram
			tree := build(t, text, pf.Options{Sojourn: &h})
			link := tree.Root().(*pf.Regulator).Config().Rate
			now, bytes := qdisc.Time(0), 0
			for now < 1e9 {
				for tree.Root().Len() < 20 {
					tree.Root().Enqueue(&qdisc.Packet{Len: 1000}, now)
				}
				if p := tree.Root().Dequeue(now); p != nil {
					bytes += int(p.Len)
				} else {
					now = tree.Root().ReadyAt(now)
				}
			}
			assert.InEpsilon(t, float64(link)/8, float64(bytes), 0.02)
			assert.EqualValues(t, bytes/1000, h.Count())
		})
	}
}
