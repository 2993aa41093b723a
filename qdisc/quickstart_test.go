package qdisc_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// The README's quick start: five packets through a 10 Mbit/s token bucket.
func Example() {
	drops := new(qdisc.List) // packets the queue had to drop, yours again
	q, err := tbf.New(tbf.Config{Rate: 10 * qdisc.Mbit, Burst: 3000, Drops: drops})
	if err != nil {
		panic(err)
	}
	now := qdisc.Time(0) // any monotonic clock in nanoseconds
	for i := range 5 {
		q.Enqueue(&qdisc.Packet{Len: 1500, Payload: fmt.Sprint("packet ", i)}, now) // a pointer to yours, if speed counts
	}
	for q.Len() > 0 {
		if p := q.Dequeue(now); p != nil {
			fmt.Println(now, qdisc.Value[string](p))
		} else {
			now = q.ReadyAt(now) // nothing may leave before
		}
	}
	// Output:
	// 0s packet 0
	// 0s packet 1
	// 1.2ms packet 2
	// 2.4ms packet 3
	// 3.6ms packet 4
}
