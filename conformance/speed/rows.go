package main

import (
	"fmt"
	"math"

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

	{"classful pfifo", 7.3, leafGate, "classful pfifo", classful(pfifo(100000), 0)},
	{"tbf-open", 10.5, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: 10 * link, Burst: 1e6}), 0)},
	{"tbf-throttled", 30.3, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: link / 2, Burst: 3000}), 0)},
	{"tbf-peak", 18.9, parentGate, "classful pfifo", classful(bucket(tbf.Config{Rate: link / 2, Burst: 30000, PeakRate: link, MTU: 3000}), 0)},
	{"prio3", 12.0, parentGate, "classful pfifo", classful(bands(3), 1, 2, 3)},
	{"prio16", 7.7, parentGate, "classful pfifo", classful(bands(16), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)},
	{"prio16-low", 29.1, parentGate, "classful pfifo", classful(bands(16), 16)},
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
