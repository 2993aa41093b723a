package txq_test

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/txq"
)

// Three packets through a queue whose consumer pulls.
func Example() {
	root, err := fifo.New(fifo.Config{Limit: new(100)})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := txq.New(txq.Config{Qdisc: root})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer q.Close()

	q.Send([]*qdisc.Packet{{Len: 100}, {Len: 200}, {Len: 300}})

	batch := make([]*qdisc.Packet, 32)
	n, err := q.Recv(batch)
	for _, p := range batch[:n] {
		fmt.Println(p.Len, "bytes")
	}
	fmt.Println(q.Len(), "left,", err)
	// Output:
	// 100 bytes
	// 200 bytes
	// 300 bytes
	// 0 left, <nil>
}

// A queue that pushes into a writer, and takes its packets back.
func ExampleQueue_Run() {
	root, _ := fifo.New(fifo.Config{Limit: new(2)})
	var wg sync.WaitGroup
	wg.Add(3)
	q, _ := txq.New(txq.Config{Qdisc: root, Free: func(ps *qdisc.List) {
		for p := range ps.Drain() {
			if p.Reason != qdisc.NotDropped {
				fmt.Printf("%q was dropped: %v\n", p.Payload, p.Reason)
			}
			wg.Done()
		}
	}})
	q.Send([]*qdisc.Packet{{Payload: "one\n"}, {Payload: "two\n"}, {Payload: "three\n"}})

	go func() {
		wg.Wait()
		q.Close()
	}()
	out := txq.WriterDevice(os.Stdout, func(p *qdisc.Packet) []byte {
		return []byte(qdisc.Value[string](p)) // a real sender has a pointer to its buffer here
	})
	err := q.Run(out)
	fmt.Println("closed:", errors.Is(err, txq.ErrClosed))
	// Output:
	// "three\n" was dropped: overlimit
	// one
	// two
	// closed: true
}
