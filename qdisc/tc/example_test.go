package tc_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tc"
)

func ExampleNew() {
	q, err := tc.New("tbf rate 10mbit burst 5kb latency 50ms", tc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 5 {
		q.Enqueue(&qdisc.Packet{Len: 1500}, 0)
	}
	for q.Dequeue(0) != nil {
	}
	fmt.Println(tc.Show(q))
	fmt.Println(tc.ShowStats(q))
	fmt.Println("next at", q.ReadyAt(0))

	_, err = tc.New("tbf rate 10Mb burst 5kb latency 50ms", tc.Options{})
	fmt.Println(err)
	// Output:
	// tbf rate 10Mbit burst 5Kb lat 50ms
	//  Sent 4500 bytes 3 pkt (dropped 0, overlimits 1 requeues 0)
	//  backlog 3000b 2p requeues 0
	// next at 704µs
	// tbf: rate "10Mb": unknown unit "Mb"; use bit, kbit, mbit, gbit or tbit (bps, kbps ... for bytes a second)
}

func ExampleBuild() {
	tree, err := tc.Build(`
		tc qdisc add dev eth0 root handle 1: tbf rate 10mbit burst 5kb latency 50ms
		tc qdisc add dev eth0 parent 1:1 handle 10: prio bands 3
		tc qdisc add dev eth0 parent 10:3 handle 30: bfifo limit 64kb
	`, tc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	tree.Root().Enqueue(&qdisc.Packet{Len: 1500, Class: 3}, 0)
	fmt.Print(tree.Show())
	fmt.Println(tree.Find("30:").Len(), "packet in 30:")
	// Output:
	// qdisc tbf 1: root rate 10Mbit burst 5Kb
	// qdisc prio 10: parent 1:1 bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1
	// qdisc bfifo 30: parent 10:3 limit 64Kb
	// 1 packet in 30:
}
