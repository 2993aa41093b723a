package pf_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// A link of 1 Mbit/s, of which ssh comes before all else. Which packets are ssh's
// is for the program to say.
func Example() {
	tree, err := pf.Build(`
		ext_if = "em0"
		altq on $ext_if bandwidth 1Mb priq queue { ssh, std }
		queue ssh priority 10
		queue std priq(default codel)
		pass out on $ext_if proto tcp to port 22 queue ssh
	`, pf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	link := tree.Root()
	link.Enqueue(&qdisc.Packet{Len: 1500, Payload: "backup"}, 0)
	link.Enqueue(&qdisc.Packet{Len: 1500, Payload: "more backup"}, 0)
	link.Enqueue(&qdisc.Packet{Len: 100, Payload: "keystroke", Class: tree.Class("ssh")}, 0)

	for now := qdisc.Time(0); link.Len() > 0; now = link.ReadyAt(now) {
		for p := link.Dequeue(now); p != nil; p = link.Dequeue(now) {
			fmt.Println(now, qdisc.Value[string](p))
		}
	}
	// Output:
	// 0s keystroke
	// 0s backup
	// 800.001µs more backup
}

// What is wrong is told with its place.
func ExampleParse() {
	_, err := pf.Parse("altq on em0 bandwidth 10Mb cbq queue { std }\nqueue std bandwidth 5x% cbq(default)")
	fmt.Println(err)

	f, err := pf.Parse("altq on em0 cbq bandwidth 1500Kb queue std\nqueue std cbq ( borrow , default )")
	if err == nil {
		fmt.Print(pf.Print(f))
	}
	// Output:
	// line 2, column 21: "5x%": want a bandwidth such as 10Mb (b, Kb, Mb, Gb) or 5%
	// altq on em0 bandwidth 1500Kb cbq queue { std }
	// queue std cbq(default borrow)
}
