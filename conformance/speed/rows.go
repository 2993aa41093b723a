package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/tbf"
)

const (
	leafGate   = 1.5
	parentGate = 2
	link       = 10 * qdisc.Gbit // the classful workload's link
)

// rows are the reference's tables. Each discipline is scaled by a FIFO on the
// same kind of workload.
var rows = slices.Concat(
	packets("pfifo", pfifo(20000), [4]float64{8.0, 8.1, 8.1, 8.1}, [4]float64{8.8, 8.8, 8.4, 8.5}),
	packets("codel", delay(20000), [4]float64{10.0, 11.1, 10.0, 10.0}, [4]float64{10.6, 10.3, 10.5, 10.6}),
	packets("fq_codel", flows(20000), [4]float64{19.6, 17.8, 16.9, 17.0}, [4]float64{23.7, 17.6, 17.1, 18.2}),
	packets("cake besteffort", cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}),
		[4]float64{30.6, 40.3, 47.8, 52.9}, [4]float64{32.1, 32.2, 42.2, 46.1}),
	packets("cake diffserv3", cakes(cake.Config{}), [4]float64{40.0, 50.8, 58.5, 64.6}, [4]float64{41.3, 61.2, 53.1, 103.1}),
	packets("cake 100gbit", cakes(cake.Config{Bandwidth: 100 * qdisc.Gbit}),
		[4]float64{40.9, 52.1, 52.7, 66.9}, [4]float64{41.8, 61.9, 54.2, 107.5}),
	[]row{
		{"bql 1:1", 5.8, leafGate, "pfifo flows=1 depth=0", limiter(1, 1000)},
		{"bql 8:1", 7.2, leafGate, "pfifo flows=1 depth=0", limiter(8, 250)},

		{"classful pfifo", 7.3, leafGate, "classful pfifo", classful(pfifo(100000), 0)},
		{"tbf-open", 10.5, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: 10 * link, Burst: 1e6}), 0)},
		{"tbf-throttled", 30.3, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: link / 2, Burst: 3000}), 0)},
		{"tbf-peak", 18.9, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: link / 2, Burst: 30000, PeakRate: link, MTU: 3000}), 0)},
		{"prio3", 12.0, parentGate, "classful pfifo", classful(bands(3), 1, 2, 3)},
		{"prio16", 7.7, parentGate, "classful pfifo", classful(bands(16), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)},
		{"prio16-low", 29.1, parentGate, "classful pfifo", classful(bands(16), 16)},
		{"multiq4", 10.4, parentGate, "classful pfifo", queues(4, false)},
		{"multiq64", 12.6, parentGate, "classful pfifo", queues(64, false)},
		{"multiq1024", 16.2, parentGate, "classful pfifo", queues(1024, false)},
		{"multiq4-halfstopped", 11.3, parentGate, "classful pfifo", queues(4, true)},
		{"multiq64-halfstopped", 12.9, parentGate, "classful pfifo", queues(64, true)},
		{"multiq1024-halfstopped", 13.4, parentGate, "classful pfifo", queues(1024, true)},
	},
	classes("hfsc-flat-ls", flat(linkShare), [5]float64{20.2, 40.0, 76.1, 133, 334}),
	classes("hfsc-flat-rtls", flat(both), [5]float64{26.1, 75.3, 128, 218, 575}),
	classes("hfsc-flat-rt", flat(realTime), [5]float64{23.7, 63.3, 271, 3114, 39950}),
	classes("hfsc-tree3-ls", tree3(linkShare, false), [5]float64{36.2, 52.1, 87.7, 178, 697}),
	classes("hfsc-tree3-rtls", tree3(both, false), [5]float64{41.3, 81.3, 146, 258, 823}),
	classes("hfsc-tree3-ul", tree3(linkShare, true), [5]float64{46.2, 61.6, 104, 206, 741}),
	altqRows(),
)

// packets are the rows of a discipline on the workload of flows, which are
// sparse, or have 1000 packets waiting.
func packets(name string, build maker, empty, full [4]float64) (rows []row) {
	for i, n := range []int{1, 64, 1024, 10000} {
		for _, depth := range []int{0, 1000} {
			ref := empty[i]
			if depth > 0 {
				ref = full[i]
			}
			rows = append(rows, row{fmt.Sprintf("%s flows=%d depth=%d", name, n, depth), ref, leafGate, "pfifo flows=1 depth=0", aqm(build, n, depth)})
		}
	}
	return rows
}

// classes are the rows of a tree with more and more classes.
func classes(name string, tree func(classes int) func() func(int), ref [5]float64) (rows []row) {
	for i, n := range []int{1, 10, 100, 1000, 10000} {
		rows = append(rows, row{fmt.Sprintf("%s classes=%d", name, n), ref[i], parentGate, "classful pfifo", tree(n)})
	}
	return rows
}

// maker builds a discipline with the given drop list.
type maker func(drops *qdisc.List) (qdisc.Qdisc, error)

func aqm(build maker, flows, depth int) func() func(int) {
	return func() func(int) {
		drops := new(qdisc.List)
		w := workload.AQM{Flows: flows, Backlog: depth}
		w.Setup(must(build(drops)), drops)
		return w.Run
	}
}

func classful(build maker, classes ...uint32) func() func(int) {
	return func() func(int) {
		w := workload.Classful{Classes: classes}
		w.Setup(must(build(new(qdisc.List))))
		return w.Run
	}
}

func must(q qdisc.Qdisc, err error) qdisc.Qdisc {
	if err != nil {
		panic(fmt.Sprint("speed: a workload's configuration is refused: ", err))
	}
	return q
}

func pfifo(limit int) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		return fifo.New(fifo.Config{Limit: &limit, Drops: drops})
	}
}

func delay(limit int) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		return codel.New(codel.Config{Limit: &limit, Drops: drops})
	}
}

func flows(limit int) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		return codel.NewFQ(codel.FQConfig{Limit: &limit, Drops: drops})
	}
}

func cakes(cfg cake.Config) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		cfg.Drops, cfg.Rand = drops, rand.NewPCG(1, 1)
		return cake.New(cfg)
	}
}

func bucket(cfg tbf.Config) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		cfg.LimitBytes, cfg.Drops = new(int64(1e8)), drops
		return tbf.New(cfg)
	}
}

// bands is a prio whose bands hold all that the workload sends.
func bands(n int) maker {
	return func(drops *qdisc.List) (qdisc.Qdisc, error) {
		return prio.New(prio.Config{Bands: n, Limit: new(math.MaxInt32), Drops: drops})
	}
}

// limited counts objects frames in, asks for the space left after each, and
// counts all out at once; 1 ms passes every tick rounds.
type limited struct {
	*bql.Limiter
	objects, tick int
	left          int // rounds to the next tick
	now           qdisc.Time
	space         int64 // the sum of all answers, so that each is computed
}

func limiter(objects, tick int) func() func(int) {
	return func() func(int) {
		l, err := bql.New(bql.Config{})
		if err != nil {
			panic(fmt.Sprint("speed: a limiter's configuration is refused: ", err))
		}
		w := limited{Limiter: l, objects: objects, tick: tick, left: tick}
		return w.run
	}
}

func (w *limited) run(rounds int) {
	l, space := w.Limiter, int64(0)
	for range rounds {
		if w.left--; w.left == 0 {
			w.now, w.left = w.now+1e6, w.tick
		}
		for range w.objects {
			l.Queued(1514)
			space += l.Available()
		}
		l.Completed(uint64(w.objects)*1514, w.now)
	}
	w.space += space
}
