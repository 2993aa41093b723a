// Lagg shows how one TCP flow fares over two links of 10 Gbit/s, by how many
// packets go to a link before the other one has its turn: the stride.
//
//	go run ./examples/lagg
//
// The question was asked, and answered by measurement, for lagg(4) of FreeBSD in
// June 2014: two 10 GbE ports with TSO carried one stream at 3.80 Gbit/s when
// the port changed at every packet, at 9.74 Gbit/s when rr_packets of them (now
// rr_limit) went to one port first.
//
// The model: the sender hands down super-packets of up to 44 packets (64 KB),
// which are cut before the group sees them, so a stride counts packets of 1500
// bytes. The sender's own work costs nothing. The receiver has one processor,
// which polls the ports by turns and joins packets that follow each other in one
// poll of one port to a run. A run costs it a fixed time and a time for each
// packet, and is acknowledged as one. A stride of 1 leaves every packet a run of
// its own, for its neighbours came by the other port. A longer stride makes
// longer runs, until a run is full or the processor keeps up with the links; one
// above the window keeps one link busy at a time. The best is above what was
// published, perhaps because nothing but links and receiver is in the way here.
//
// With TSO the group is given super-packets whole, and counts those: the last
// line of the table. How long they were in 2014 was not published; full ones
// suffer less here than the flow did then.
//
// Time is virtual, so every run prints the same. Read line.go for the links, the
// senders and where the numbers come from, host.go for the receiver.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
)

const usage = `Usage: lagg [-window KIB] [-run-cost 2.69us] [-packet-cost 360ns] [-chart FILE]

Simulates one TCP flow over two links of 10 Gbit/s, for strides of 1 to 2048 packets
and for a hash, and with a sender that bears reordering and one that does not.
Prints throughput, reordering and retransmissions, and recommends a stride.

  -window KIB            the receiver's window, 64 to 2048 KiB (default: 512)
  -run-cost DURATION     the receiver's processor time for a run, up to 100us
  -packet-cost DURATION  and for each packet in it, up to 100us
  -chart FILE            where to write the chart, a PNG (default:
                         netsched-lagg.png in the folder for temporary files);
                         '' for none
`

func main() { striping().Main() }

func striping() program.Program {
	var c setup
	return program.Program{
		Name:  "lagg",
		Usage: usage,
		Flags: func(f *flag.FlagSet) func() error {
			c = standard
			window := f.Int64("window", c.window>>10, "")
			f.DurationVar(&c.cost.run, "run-cost", c.cost.run, "")
			f.DurationVar(&c.cost.packet, "packet-cost", c.cost.packet, "")
			return func() error {
				if *window < 64 || *window > 2048 {
					return fmt.Errorf("-window %d: must be 64 to 2048, in KiB", *window)
				}
				c.window = *window << 10
				return errors.Join(checkCost("run-cost", c.cost.run), checkCost("packet-cost", c.cost.packet))
			}
		},
		Simulate: func(stdout, _ io.Writer) ([]chart.Panel, error) {
			rows, err := simulateAll(c)
			if err != nil {
				return nil, err
			}
			report(stdout, c, rows)
			return panels(rows), nil
		},
	}
}

func checkCost(name string, d time.Duration) error {
	if d < 0 || d > 100*time.Microsecond {
		return fmt.Errorf("-%s %v: must be 0 to 100us", name, d)
	}
	return nil
}

// simulateAll runs every spread with every sender.
func simulateAll(c setup) (rows []row, err error) {
	for _, over := range spreads() {
		r := row{spread: over}
		for _, from := range senders {
			result, err := simulate(c, from, over)
			if err != nil {
				return nil, err
			}
			r.results = append(r.results, result)
		}
		rows = append(rows, r)
	}
	return rows, nil
}
