package netsim_test

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/prio"
)

// What does a discipline do to a ping that shares a 10 Mbit/s line of 10 ms
// with 11 Mbit/s of other traffic? Put another discipline, other sources or
// netsim.NewTCP in their places.
func Example() {
	for _, kind := range []string{"fifo", "prio"} {
		s := netsim.New(1) // one world for each run; 1 is the seed

		// The discipline in question.
		var q qdisc.Qdisc
		var err error
		if kind == "fifo" {
			q, err = fifo.New(fifo.Config{Limit: new(1000)})
		} else {
			q, err = prio.New(prio.Config{})
		}
		check(err)

		// The line with the discipline in front, and the way back.
		line, err := netsim.NewLink(s, netsim.LinkConfig{Qdisc: q, Rate: 10 * qdisc.Mbit, Delay: 10 * time.Millisecond})
		check(err)
		back, err := netsim.NewLink(s, netsim.LinkConfig{Delay: 10 * time.Millisecond})
		check(err)

		// The traffic, which ends in a meter.
		meter := netsim.NewMeter(s)
		_, err = netsim.NewSource(s, netsim.SourceConfig{
			Via: line, To: meter, Pattern: netsim.Poisson{Rate: 11 * qdisc.Mbit}, Packet: qdisc.Packet{Len: 1500, Flow: 1},
		})
		check(err)

		// The ping, of a priority that prio sends first.
		ping, err := netsim.NewPing(s, netsim.PingConfig{
			Forward: line, Reverse: back, Packet: qdisc.Packet{Flow: 2, Priority: 6},
			Start: qdisc.Time(20 * time.Second), Stop: qdisc.Time(50 * time.Second),
		})
		check(err)

		s.Run(qdisc.Time(60 * time.Second))
		fmt.Printf("%s: ping %4d ms in the mean, %d of %d lost; the rest gets %.1f Mbit/s\n", kind,
			ping.RTT.Mean().Milliseconds(), ping.Sent()-ping.Received(), ping.Sent(), meter.Rate(0)/1e6)
	}
	// Output:
	// fifo: ping 1206 ms in the mean, 10 of 150 lost; the rest gets 10.0 Mbit/s
	// prio: ping   20 ms in the mean, 0 of 150 lost; the rest gets 10.0 Mbit/s
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
