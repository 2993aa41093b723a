package main

import (
	"fmt"
	"math"
	"math/rand/v2"

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

var rows = []row{
	{"pfifo flows=1 depth=0", 8.0, leafGate, "pfifo flows=1 depth=0", aqm(pfifo(20000), 1, 0)},
	{"pfifo flows=10000 depth=0", 8.1, leafGate, "pfifo flows=1 depth=0", aqm(pfifo(20000), 10000, 0)},
	{"pfifo flows=1 depth=1000", 8.8, leafGate, "pfifo flows=1 depth=0", aqm(pfifo(20000), 1, 1000)},
	{"pfifo flows=10000 depth=1000", 8.5, leafGate, "pfifo flows=1 depth=0", aqm(pfifo(20000), 10000, 1000)},
	{"codel flows=1 depth=0", 10.0, leafGate, "pfifo flows=1 depth=0", aqm(delay(20000), 1, 0)},
	{"codel flows=10000 depth=0", 10.0, leafGate, "pfifo flows=1 depth=0", aqm(delay(20000), 10000, 0)},
	{"codel flows=1 depth=1000", 10.6, leafGate, "pfifo flows=1 depth=0", aqm(delay(20000), 1, 1000)},
	{"codel flows=10000 depth=1000", 10.6, leafGate, "pfifo flows=1 depth=0", aqm(delay(20000), 10000, 1000)},
	{"fq_codel flows=1 depth=0", 19.6, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 1, 0)},
	{"fq_codel flows=64 depth=0", 17.8, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 64, 0)},
	{"fq_codel flows=1024 depth=0", 16.9, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 1024, 0)},
	{"fq_codel flows=10000 depth=0", 17.0, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 10000, 0)},
	{"fq_codel flows=1 depth=1000", 23.7, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 1, 1000)},
	{"fq_codel flows=64 depth=1000", 17.6, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 64, 1000)},
	{"fq_codel flows=1024 depth=1000", 17.1, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 1024, 1000)},
	{"fq_codel flows=10000 depth=1000", 18.2, leafGate, "pfifo flows=1 depth=0", aqm(flows(20000), 10000, 1000)},
	{"cake besteffort flows=1 depth=0", 30.6, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 1, 0)},
	{"cake besteffort flows=64 depth=0", 40.3, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 64, 0)},
	{"cake besteffort flows=1024 depth=0", 47.8, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 1024, 0)},
	{"cake besteffort flows=10000 depth=0", 52.9, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 10000, 0)},
	{"cake besteffort flows=1 depth=1000", 32.1, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 1, 1000)},
	{"cake besteffort flows=1024 depth=1000", 42.2, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows}), 1024, 1000)},
	{"cake diffserv3 flows=1 depth=0", 40.0, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 1, 0)},
	{"cake diffserv3 flows=64 depth=0", 50.8, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 64, 0)},
	{"cake diffserv3 flows=1024 depth=0", 58.5, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 1024, 0)},
	{"cake diffserv3 flows=10000 depth=0", 64.6, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 10000, 0)},
	{"cake diffserv3 flows=1 depth=1000", 41.3, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 1, 1000)},
	{"cake diffserv3 flows=1024 depth=1000", 53.1, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{}), 1024, 1000)},
	{"cake 100gbit flows=1 depth=0", 40.9, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Bandwidth: 100 * qdisc.Gbit}), 1, 0)},
	{"cake 100gbit flows=1024 depth=0", 52.7, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Bandwidth: 100 * qdisc.Gbit}), 1024, 0)},
	{"cake 100gbit flows=1024 depth=1000", 54.2, leafGate, "pfifo flows=1 depth=0", aqm(cakes(cake.Config{Bandwidth: 100 * qdisc.Gbit}), 1024, 1000)},
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
	{"hfsc-flat-ls classes=1", 20.2, parentGate, "classful pfifo", flat(1, linkShare)},
	{"hfsc-flat-ls classes=10", 40, parentGate, "classful pfifo", flat(10, linkShare)},
	{"hfsc-flat-ls classes=100", 76.1, parentGate, "classful pfifo", flat(100, linkShare)},
	{"hfsc-flat-ls classes=1000", 133, parentGate, "classful pfifo", flat(1000, linkShare)},
	{"hfsc-flat-rtls classes=1", 26.1, parentGate, "classful pfifo", flat(1, both)},
	{"hfsc-flat-rtls classes=10", 75.3, parentGate, "classful pfifo", flat(10, both)},
	{"hfsc-flat-rtls classes=100", 128, parentGate, "classful pfifo", flat(100, both)},
	{"hfsc-flat-rtls classes=1000", 218, parentGate, "classful pfifo", flat(1000, both)},
	{"hfsc-flat-rt classes=1", 23.7, parentGate, "classful pfifo", flat(1, realTime)},
	{"hfsc-flat-rt classes=10", 63.3, parentGate, "classful pfifo", flat(10, realTime)},
	{"hfsc-flat-rt classes=100", 271, parentGate, "classful pfifo", flat(100, realTime)},
	{"hfsc-flat-rt classes=1000", 3114, parentGate, "classful pfifo", flat(1000, realTime)},
	{"hfsc-tree3-ls classes=1", 36.2, parentGate, "classful pfifo", tree3(1, linkShare, false)},
	{"hfsc-tree3-ls classes=10", 52.1, parentGate, "classful pfifo", tree3(10, linkShare, false)},
	{"hfsc-tree3-ls classes=100", 87.7, parentGate, "classful pfifo", tree3(100, linkShare, false)},
	{"hfsc-tree3-ls classes=1000", 178, parentGate, "classful pfifo", tree3(1000, linkShare, false)},
	{"hfsc-tree3-rtls classes=1", 41.3, parentGate, "classful pfifo", tree3(1, both, false)},
	{"hfsc-tree3-rtls classes=10", 81.3, parentGate, "classful pfifo", tree3(10, both, false)},
	{"hfsc-tree3-rtls classes=100", 146, parentGate, "classful pfifo", tree3(100, both, false)},
	{"hfsc-tree3-rtls classes=1000", 258, parentGate, "classful pfifo", tree3(1000, both, false)},
	{"hfsc-tree3-ul classes=1", 46.2, parentGate, "classful pfifo", tree3(1, linkShare, true)},
	{"hfsc-tree3-ul classes=10", 61.6, parentGate, "classful pfifo", tree3(10, linkShare, true)},
	{"hfsc-tree3-ul classes=100", 104, parentGate, "classful pfifo", tree3(100, linkShare, true)},
	{"hfsc-tree3-ul classes=1000", 206, parentGate, "classful pfifo", tree3(1000, linkShare, true)},
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
