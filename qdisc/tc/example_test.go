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

// A voice class whose packets leave within 5 ms, and all the rest, in a link of
// 10 Mbit/s.
func ExampleBuild_classes() {
	tree, err := tc.Build(`
		tc qdisc add dev eth0 root handle 1: hfsc default 20
		tc class add dev eth0 parent 1: classid 1:1 hfsc ls rate 10mbit ul rate 10mbit
		tc class add dev eth0 parent 1:1 classid 1:10 hfsc rt umax 160 dmax 5ms rate 64kbit ls rate 64kbit
		tc class add dev eth0 parent 1:1 classid 1:20 hfsc ls rate 9mbit
		tc qdisc add dev eth0 parent 1:20 handle 20: fq_codel
	`, tc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	root := tree.Root()
	for range 3 {
		root.Enqueue(&qdisc.Packet{Len: 1500}, 0) // of the default class
	}
	root.Enqueue(&qdisc.Packet{Len: 160, Class: 0x10}, 0)
	for now := qdisc.Time(0); root.Len() > 0; now = root.ReadyAt(now) {
		if p := root.Dequeue(now); p != nil {
			fmt.Println(now, p.Len, "bytes")
		}
	}
	if err := tree.Run("class change dev eth0 classid 1:20 hfsc ls rate 5mbit ul rate 5mbit", 0); err != nil {
		fmt.Println(err)
	}
	fmt.Print(tree.ShowClassStats())
	fmt.Println(tree.Run("class del dev eth0 classid 1:1", 0))
	// Output:
	// 0s 160 bytes
	// 128µs 1500 bytes
	// 1.328ms 1500 bytes
	// 2.528ms 1500 bytes
	// class hfsc 1: root
	//  Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
	//  backlog 0b 0p requeues 0
	//  period 0 level 2
	//
	// class hfsc 1:1 parent 1: ls m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 10Mbit
	//  Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
	//  backlog 0b 0p requeues 0
	//  period 1 work 4660 bytes level 1
	//
	// class hfsc 1:10 parent 1:1 rt m1 256Kbit d 5ms m2 64Kbit ls m1 0bit d 0us m2 64Kbit
	//  Sent 160 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)
	//  backlog 0b 0p requeues 0
	//  period 1 work 160 bytes rtwork 160 bytes level 0
	//
	// class hfsc 1:20 parent 1:1 leaf 20: ls m1 0bit d 0us m2 5Mbit ul m1 0bit d 0us m2 5Mbit
	//  Sent 4500 bytes 3 pkt (dropped 0, overlimits 0 requeues 0)
	//  backlog 0b 0p requeues 0
	//  period 1 work 4500 bytes level 0
	//
	// class del: Class = 1: it has children; remove them first
}
