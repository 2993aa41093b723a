package tbf_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// A burst of five packets of 1500 bytes meets a shaper of 1 Mbit/s that lets
// 3000 bytes pass at once.
func Example() {
	q, err := tbf.New(tbf.Config{Rate: qdisc.Mbit, Burst: 3000})
	if err != nil {
		fmt.Println(err)
		return
	}
	packets := qdisc.Alloc(5)
	for p := range packets.Drain() {
		p.Len = 1500
		q.Enqueue(p, 0)
	}
	for now := qdisc.Time(0); q.Len() > 0; now = q.ReadyAt(now) {
		for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
			fmt.Println(now, p.Len)
		}
	}
	// Output:
	// 0s 1500
	// 0s 1500
	// 12ms 1500
	// 24ms 1500
	// 36ms 1500
}

// All that is wrong with a configuration is reported at once.
func ExampleNew_errors() {
	_, err := tbf.New(tbf.Config{Rate: 2 * qdisc.Mbit, PeakRate: qdisc.Mbit, Overhead: 70000})
	fmt.Println(err)
	// Output:
	// PeakRate = 1Mbit: must exceed Rate (in Linux's arithmetic by a byte a second)
	// Overhead = 70000: 0 to 65535 bytes a packet
	// MTU = 0: PeakRate needs the depth of its bucket: at least the longest packet
}
