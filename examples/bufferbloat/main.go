// Bufferbloat shows what a queue does to delay. A bulk transfer, a ping and a
// burst of packets every other second share a 10 Mbit/s link behind a FIFO of
// 1000 packets, behind CoDel, and behind FQ-CoDel.
//
//	go run ./examples/bufferbloat
//
// Time is virtual, so every run prints the same. Read line.go: it is all that a
// simulation of your own needs.
package main

import (
	"io"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
)

const usage = `Usage: bufferbloat [-chart FILE]

Simulates 30 s of a 10 Mbit/s link, 40 ms of round trip, with a bulk transfer, a
ping and bursts of packets: behind a FIFO of 1000 packets, behind CoDel and
behind FQ-CoDel. Prints delay, loss and throughput and draws the delay over time.

  -chart FILE  where to write the chart, a PNG (default: netsched-bufferbloat.png
               in the folder for temporary files); '' for none
`

var bufferbloat = program.Program{Name: "bufferbloat", Usage: usage, Simulate: simulateAll}

func main() { bufferbloat.Main() }

func simulateAll(stdout, _ io.Writer) ([]chart.Panel, error) {
	var lines []*line
	for _, d := range disciplines() {
		l, err := simulate(d)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	report(stdout, lines)
	return []chart.Panel{pings(lines)}, nil
}
