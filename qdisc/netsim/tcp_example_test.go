package netsim_test

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// One download over a line of 20 Mbit/s with 40 ms of round trip: how long the
// queue gets in front of it.
func ExampleTCP() {
	sim := netsim.New(1)
	down, err := netsim.NewLink(sim, netsim.LinkConfig{Rate: 20 * qdisc.Mbit, Delay: 20 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	up, err := netsim.NewLink(sim, netsim.LinkConfig{Rate: 3 * qdisc.Mbit, Delay: 20 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	tcp, err := netsim.NewTCP(sim, netsim.TCPConfig{Forward: down, Reverse: up, Congestion: netsim.Reno})
	if err != nil {
		panic(err)
	}
	tcp.Start(0)
	sim.Run(qdisc.Time(10 * time.Second))
	before := tcp.Stats()
	sim.Run(qdisc.Time(20 * time.Second))
	after := tcp.Stats()
	fmt.Printf("%.1f Mbit/s of data, round trip %d ms, %d segments sent again\n",
		float64(after.Goodput(before))/1e6, after.SRTT.Milliseconds(), after.Retransmitted-before.Retransmitted)
	// Output:
	// 19.1 Mbit/s of data, round trip 351 ms, 0 segments sent again
}
