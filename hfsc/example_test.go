package hfsc_test

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// A 10 Mbit/s link: voice packets leave within 5 ms whatever the rest does,
// and two companies share what is left 7 to 3.
func Example() {
	q, err := hfsc.New(hfsc.Config{})
	if err != nil {
		panic(err)
	}
	const companyA, companyB, voice, web = 1, 2, 11, 12
	for _, c := range []hfsc.Spec{
		{Class: companyA, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(7 * qdisc.Mbit)}},
		{Class: companyB, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(3 * qdisc.Mbit)}},
		{Class: voice, ClassConfig: hfsc.ClassConfig{
			Parent:    companyA,
			RealTime:  hfsc.DelayCurve(160, 5*time.Millisecond, 64*qdisc.Kbit),
			LinkShare: hfsc.Line(64 * qdisc.Kbit),
		}},
		{Class: web, ClassConfig: hfsc.ClassConfig{Parent: companyA, LinkShare: hfsc.Line(6 * qdisc.Mbit)}},
	} {
		if err := q.AddClass(c.Class, c.ClassConfig, 0); err != nil {
			panic(err)
		}
	}

	report, err := hfsc.Check(q.Tree(), 10*qdisc.Mbit, 1500)
	if err != nil {
		panic(err)
	}
	for _, leaf := range report.Leaves {
		if d, ok := leaf.Delay(160); ok {
			fmt.Println("class", leaf.Class, "sends 160 bytes within", d)
		}
	}

	for range 3 {
		q.Enqueue(&qdisc.Packet{Class: companyB, Len: 1500}, 0)
		q.Enqueue(&qdisc.Packet{Class: web, Len: 1500}, 0)
	}
	q.Enqueue(&qdisc.Packet{Class: voice, Len: 160}, 0)
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		fmt.Print(p.Class, " ")
	}
	fmt.Println()
	// Output:
	// class 11 sends 160 bytes within 6.2ms
	// 11 2 12 12 12 2 2
}
