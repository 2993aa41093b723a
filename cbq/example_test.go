package cbq_test

import (
	"fmt"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
)

// Two agencies share 10 Mbit/s, 60 to 40; the first one's interactive traffic
// comes before its bulk, which may not borrow from the other agency.
func Example() {
	q, err := cbq.New(cbq.Config{Bandwidth: 10 * qdisc.Mbit})
	if err != nil {
		panic(err)
	}
	const agencyA, agencyB, interactive, bulk = 1, 2, 11, 12
	add := func(class uint32, cfg cbq.ClassConfig) {
		if err := q.AddClass(class, cfg, 0); err != nil {
			panic(err)
		}
	}
	add(agencyA, cbq.ClassConfig{Rate: 6 * qdisc.Mbit, Bounded: true})
	add(agencyB, cbq.ClassConfig{Rate: 4 * qdisc.Mbit})
	add(interactive, cbq.ClassConfig{Parent: agencyA, Rate: 2 * qdisc.Mbit, Priority: 1})
	add(bulk, cbq.ClassConfig{Parent: agencyA, Rate: 4 * qdisc.Mbit, Priority: 2})

	for range 1000 {
		q.Enqueue(&qdisc.Packet{Class: bulk, Len: 1500}, 0)
	}
	q.Enqueue(&qdisc.Packet{Class: interactive, Len: 200}, 0)

	now, sent := qdisc.Time(0), 0
	for now < 1e9 { // a second
		p := q.Dequeue(now)
		if p == nil {
			now = q.ReadyAt(now)
			continue
		}
		if sent == 0 {
			fmt.Println("first: class", p.Class)
		}
		sent += int(p.Len)
		now += qdisc.Time(p.Len) * 800 // 10 Mbit/s
	}
	fmt.Printf("agency A: %.1f Mbit/s\n", float64(sent)*8/1e6)
	// Output:
	// first: class 11
	// agency A: 6.0 Mbit/s
}
