package fifo_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

func Example() {
	q, err := fifo.New(fifo.Config{Limit: new(2)})
	if err != nil {
		panic(err)
	}
	for i, name := range []string{"first", "second", "third"} {
		p := &qdisc.Packet{Len: 1500, Payload: &name}
		fmt.Println(name, q.Enqueue(p, qdisc.Time(i)))
	}
	for p := q.Dequeue(10); p != nil; p = q.Dequeue(10) {
		fmt.Println(*qdisc.Value[*string](p), "leaves")
	}
	s := q.ReadStats()
	fmt.Println("sent", s.SentBytes, "bytes", s.Dequeued, "pkt, dropped", s.Lost())
	// Output:
	// first queued
	// second queued
	// third dropped
	// first leaves
	// second leaves
	// sent 3000 bytes 2 pkt, dropped 1
}
