package mq_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/tbf"
)

// Two hardware queues, one shaped, each served when it has room.
func Example() {
	q, err := mq.New(mq.Config{Queues: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	shaper, err := tbf.New(tbf.Config{Rate: 12 * qdisc.Mbit, Burst: 1500})
	if err == nil {
		err = q.SetChild(1, shaper, 0) // class 1 is queue 0
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		q.Enqueue(&qdisc.Packet{TxQueue: 0, Len: 1500}, 0)
		q.Enqueue(&qdisc.Packet{TxQueue: 1, Len: 1500}, 0)
	}
	for queue := range 2 {
		n := 0
		for q.DequeueFrom(queue, 0) != nil {
			n++
		}
		fmt.Println("queue", queue, "sends", n, "and goes on:", q.ReadyAtQueue(queue, 0))
	}
	// Output:
	// queue 0 sends 1 and goes on: 1ms
	// queue 1 sends 2 and goes on: never
}
