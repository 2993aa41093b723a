package udp_test

import (
	"log"
	"net"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/txq"
	"github.com/netsched/netsched/qdisc/txq/udp"
)

// Packets wait in a discipline and go out in batches; done is told when they
// have left the machine.
func Example() {
	conn, err := net.Dial("udp", "192.0.2.1:4789")
	if err != nil {
		log.Fatal(err)
	}
	dev, err := udp.New(conn.(*net.UDPConn), udp.Config{
		Bytes: func(p *qdisc.Packet) []byte { return *qdisc.Value[*[]byte](p) },
		Done:  func(packets int, bytes int64) { log.Printf("%d packets left, %d bytes", packets, bytes) },
	})
	if err != nil {
		log.Fatal(err)
	}
	leaf, err := fifo.New(fifo.Config{})
	if err != nil {
		log.Fatal(err)
	}
	queue, err := txq.New(txq.Config{Qdisc: leaf})
	if err != nil {
		log.Fatal(err)
	}
	go queue.Run(dev)

	data := []byte("hello")
	queue.Send([]*qdisc.Packet{{Payload: &data, Len: uint32(len(data))}})

	queue.Close()
	dev.Close()
	conn.Close()
}
