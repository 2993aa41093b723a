package main

import (
	"fmt"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/priq"
)

// altqFIFO is the row that scales those of ALTQ's loop. No FIFO was measured on
// it. All figures hold some 15 ns of the reference's own handling of packets: it
// allocates them, clears a header and looks up the class. A FIFO cannot have cost
// less, so 15 is its reference, and the other rows get an allowance only
// if our FIFO costs more than that. The 8.0 of their pfifo is another loop's,
// without this handling: taken for this one it would grant what is no difference
// of machines.
const (
	altqFIFO    = "altq pfifo"
	altqFIFORef = 15
)

// altqRows are the rows of ALTQ's loop.
func altqRows() []row {
	return []row{
		{altqFIFO, altqFIFORef, leafGate, altqFIFO, altq(1, false, altqQueue)},
		{"cbq-borrow classes=2", 39, parentGate, altqFIFO, altq(2, false, shared(true))},
		{"cbq-borrow classes=16", 49, parentGate, altqFIFO, altq(16, false, shared(true))},
		{"cbq-borrow classes=254", 207, parentGate, altqFIFO, altq(254, false, shared(true))},
		{"cbq-no-borrow classes=2", 45, parentGate, altqFIFO, altq(2, false, shared(false))},
		{"cbq-no-borrow classes=16", 57, parentGate, altqFIFO, altq(16, false, shared(false))},
		{"cbq-no-borrow classes=254", 212, parentGate, altqFIFO, altq(254, false, shared(false))},
		{"cbq-borrow-sparse classes=2", 45, parentGate, altqFIFO, altq(2, true, shared(true))},
		{"cbq-borrow-sparse classes=16", 109, parentGate, altqFIFO, altq(16, true, shared(true))},
		{"cbq-borrow-sparse classes=254", 1531, parentGate, altqFIFO, altq(254, true, shared(true))},
		{"priq classes=2", 19, parentGate, altqFIFO, altq(2, false, ranked)},
		{"priq classes=16", 18, parentGate, altqFIFO, altq(16, false, ranked)},
		{"priq-sparse classes=2", 19, parentGate, altqFIFO, altq(2, true, ranked)},
		{"priq-sparse classes=16", 24, parentGate, altqFIFO, altq(16, true, ranked)},
	}
}

// altqLimit is that of each queue, in packets.
const altqLimit = 50

// altq is ALTQ's loop over n classes, numbered from 1, all of them backlogged, or
// one of them at a time with a packet.
func altq(n int, sparse bool, build func(n int, drops *qdisc.List) qdisc.Qdisc) func() func(int) {
	return func() func(int) {
		w := workload.ALTQ{Sparse: sparse, Drops: new(qdisc.List)}
		for i := range n {
			w.Classes = append(w.Classes, uint32(i+1))
		}
		w.Setup(build(n, w.Drops))
		return w.Run
	}
}

func altqQueue(_ int, drops *qdisc.List) qdisc.Qdisc {
	return must(fifo.New(fifo.Config{Limit: new(altqLimit), Drops: drops}))
}

// shared is a cbq of equal classes.
func shared(borrow bool) func(n int, drops *qdisc.List) qdisc.Qdisc {
	return func(n int, drops *qdisc.List) qdisc.Qdisc {
		q, err := cbq.New(cbq.Config{Bandwidth: qdisc.Gbit, AvgPacket: 1500, Limit: new(altqLimit), Drops: drops})
		must(q, err)
		class := cbq.PFClass{Bandwidth: qdisc.Rate(1_000_000/n) * qdisc.Kbit, Borrow: borrow}
		for i := range n {
			accepted(q.AddClass(uint32(i+1), class.Config(qdisc.Gbit, 1500), 0))
		}
		return q
	}
}

// ranked is a priq with a class at each priority.
func ranked(n int, drops *qdisc.List) qdisc.Qdisc {
	q, err := priq.New(priq.Config{Limit: new(altqLimit), Drops: drops})
	must(q, err)
	for i := range n {
		accepted(q.AddClass(uint32(i+1), priq.ClassConfig{Priority: i}, 0))
	}
	return q
}

func accepted(err error) {
	if err != nil {
		panic(fmt.Sprint("speed: a class is refused: ", err))
	}
}
