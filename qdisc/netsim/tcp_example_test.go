package netsim_test

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// Two hosts and a home line between them, 20 Mbit/s down and 5 up, 40 ms of round
// trip, with FQ-CoDel at both ends: a download, an upload and a ping.
func ExampleTCP() {
	sim := netsim.New(1)

	// A link for each way. What comes down passes a meter and goes on to its own
	// end: the download's receiver, the upload's sender or the ping.
	arrived := netsim.NewMeter(sim)
	arrived.Next = netsim.Endpoint
	down, up := newLine(sim, 20*qdisc.Mbit, arrived), newLine(sim, 5*qdisc.Mbit, nil)

	// A connection needs both ways: data by Forward, acknowledgements by Reverse.
	download, err := netsim.NewTCP(sim, netsim.TCPConfig{Forward: down, Reverse: up, ECN: true})
	check(err)
	upload, err := netsim.NewTCP(sim, netsim.TCPConfig{Forward: up, Reverse: down, ECN: true})
	check(err)
	ping, err := netsim.NewPing(sim, netsim.PingConfig{Forward: up, Reverse: down, Packet: qdisc.Packet{Flow: 1}})
	check(err)

	// The first five seconds are left out: readings are subtracted.
	download.Start(0)
	upload.Start(0)
	sim.Run(qdisc.Time(5 * time.Second))
	d, u := download.Stats(), upload.Stats()
	sim.Run(qdisc.Time(30 * time.Second))
	fmt.Printf("data: %.1f Mbit/s down, %.1f up; all that came down: %.1f Mbit/s\n",
		float64(download.Stats().Goodput(d))/1e6, float64(upload.Stats().Goodput(u))/1e6, arrived.Rate(0)/1e6)
	fmt.Printf("ping: %d ms in the mean, %d at most\n", ping.RTT.Mean().Milliseconds(), ping.RTT.Max().Milliseconds())
	// Output:
	// data: 18.1 Mbit/s down, 4.2 up; all that came down: 18.8 Mbit/s
	// ping: 41 ms in the mean, 43 at most
}

// newLine makes a link with an FQ-CoDel of its own: no two can share a discipline.
func newLine(sim *netsim.Sim, rate qdisc.Rate, to netsim.Receiver) *netsim.Link {
	q, err := codel.NewFQ(codel.FQConfig{})
	check(err)
	line, err := netsim.NewLink(sim, netsim.LinkConfig{Rate: rate, Delay: 20 * time.Millisecond, Qdisc: q, To: to})
	check(err)
	return line
}
