package txq_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/tbf"
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

// A device with two hardware queues, one of which is stopped for a while.
func ExampleMemDevice() {
	root, _ := multiq.New(multiq.Config{Bands: 2})
	var wg sync.WaitGroup
	q, _ := txq.New(txq.Config{
		Qdisc:  root,
		Queues: 2,
		Limit:  new(bql.Config), // no more in flight than keeps the line busy
		Free: func(ps *qdisc.List) {
			for range ps.Drain() {
				wg.Done()
			}
		},
	})
	device, _ := txq.NewMemDevice(txq.MemConfig{Queues: 2, Sink: func(queue int, p *qdisc.Packet) {
		fmt.Println(p.Len, "bytes by hardware queue", queue)
	}})
	defer device.Close()
	done := make(chan error)
	go func() { done <- q.Run(device) }()

	q.Stop(1)
	wg.Add(1)
	q.Send([]*qdisc.Packet{{Len: 100, TxQueue: 1}, {Len: 200, TxQueue: 0}})
	wg.Wait()
	wg.Add(1)
	q.Wake(1)
	wg.Wait()
	q.Close()
	fmt.Println(<-done)
	// Output:
	// 200 bytes by hardware queue 0
	// 100 bytes by hardware queue 1
	// txq: the queue is closed
}

// datagram is a program's own packet: a qdisc.Packet and the bytes to send.
type datagram struct {
	qdisc.Packet
	data []byte
}

// A queue that paces datagrams onto a socket, with a free list: after the
// start nothing is allocated.
func ExampleUDPDevice() {
	receiver, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer receiver.Close()
	conn, err := net.DialUDP("udp", nil, receiver.LocalAddr().(*net.UDPAddr))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()

	var mu sync.Mutex // of the free list
	var free qdisc.List
	for range 64 {
		d := &datagram{data: make([]byte, 0, 1500)}
		d.Payload = d // leads back from the Packet
		free.Push(&d.Packet)
	}
	root, err := tbf.New(tbf.Config{Rate: 10 * qdisc.Mbit, Burst: 3000})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := txq.New(txq.Config{Qdisc: root, Free: func(ps *qdisc.List) {
		mu.Lock()
		free.Append(ps)
		mu.Unlock()
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	device := txq.NewUDPDevice(conn, func(p *qdisc.Packet) []byte { return qdisc.Value[*datagram](p).data }, nil)
	done := make(chan error)
	go func() { done <- q.Run(device) }()

	mu.Lock()
	p := free.Pop()
	mu.Unlock()
	d := qdisc.Value[*datagram](p)
	d.data = append(d.data[:0], "hello"...)
	d.Len = uint32(len(d.data)) + 28 // with the IPv4 and UDP headers
	q.Send([]*qdisc.Packet{p})

	var buf [100]byte
	n, err := receiver.Read(buf[:])
	fmt.Println(string(buf[:n]), err)
	q.Close()
	fmt.Println(errors.Is(<-done, net.ErrClosed))
	// Output:
	// hello <nil>
	// true
}
