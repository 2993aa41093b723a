package cake_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// A home uplink: a bulk upload fills the line, and a call's packets do not wait
// behind it.
func Example() {
	q, err := cake.New(cake.Config{
		Bandwidth: 3 * qdisc.Mbit,
		Framing:   cake.PPPoEPTM(),
		Rand:      rand.NewPCG(1, 1),
	})
	if err != nil {
		panic(err)
	}
	const upload, call = 1, 2
	now := qdisc.Time(0)
	for range 30 {
		q.Enqueue(&qdisc.Packet{Flow: upload, SrcHost: 1, Len: 1514, NetOff: 14, Proto: 6}, now)
	}
	q.Enqueue(&qdisc.Packet{Flow: call, SrcHost: 2, Len: 214, NetOff: 14, Proto: 17, DSField: 46 << 2}, now)
	for range 3 {
		p := q.Dequeue(now)
		if p == nil {
			now = q.ReadyAt(now)
			p = q.Dequeue(now)
		}
		fmt.Println(now, "flow", p.Flow)
	}
	fmt.Println(q.Config())
	// Output:
	// 0s flow 2
	// 624µs flow 1
	// 4.768ms flow 1
	// bandwidth 3Mbit diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms ptm overhead 30
}
