package multiq_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

// Hardware queue 0 is full. Its packets wait, and delay none of queue 1.
func Example() {
	q, err := multiq.New(multiq.Config{Bands: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 2 {
		q.Enqueue(&qdisc.Packet{TxQueue: 0, Len: 1500, Payload: fmt.Sprint("slow ", i)}, 0)
		q.Enqueue(&qdisc.Packet{TxQueue: 1, Len: 1500, Payload: fmt.Sprint("fast ", i)}, 0)
	}
	send := func(now qdisc.Time) {
		for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
			fmt.Println(now, qdisc.Value[string](p))
		}
	}
	q.Stop(0)
	send(0)
	fmt.Println("next:", q.ReadyAt(0))

	q.Wake(0) // 1 ms later it has room again
	fmt.Println("next:", q.ReadyAt(1e6))
	send(1e6)
	// Output:
	// 0s fast 0
	// 0s fast 1
	// next: blocked
	// next: 1ms
	// 1ms slow 0
	// 1ms slow 1
}
