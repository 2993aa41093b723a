// Hfsc shows what service curves promise and what they keep: two companies share a
// link of 10 Mbit/s, each with a class for voice, one for interactive traffic and
// one for bulk.
//
//	go run ./examples/hfsc
//
// Time is virtual, so every run prints the same. Read tree.go for the classes and
// their curves, bursts.go for the delays and flood.go for the shares.
package main

import (
	"io"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
)

const usage = `Usage: hfsc [-chart FILE]

Simulates a link of 10 Mbit/s that two companies share by HFSC, each with voice,
interactive and bulk traffic. Prints the delay that the real-time curves promise
beside the largest measured, and what each class gets of the link: when all are
busy, when some are idle, and under an upper limit.

  -chart FILE  where to write the chart, a PNG (default: netsched-hfsc.png in the
               folder for temporary files); '' for none
`

var companies = program.Program{Name: "hfsc", Usage: usage, Simulate: simulateAll}

func main() { companies.Main() }

func simulateAll(stdout, _ io.Writer) ([]chart.Panel, error) {
	o, err := measure()
	if err != nil {
		return nil, err
	}
	o.report(stdout)
	return o.panels(), nil
}
