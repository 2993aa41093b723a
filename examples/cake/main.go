// Cake shows what CAKE does for a home: a backup, an upload, a download, a call, a
// game and name lookups share a line of 20/3 Mbit/s, behind FIFOs, behind FQ-CoDel
// and behind CAKE.
//
//	go run ./examples/cake
//
// Time is virtual, so every run prints the same. Read home.go: the line and who
// uses it.
package main

import (
	"io"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
)

const usage = `Usage: cake [-chart FILE]

Simulates 60 s of a home line, 20 Mbit/s down and 3 up, 90 ms of round trip, with
six applications of three hosts, behind FIFOs of 1000 packets, FQ-CoDel and CAKE.
Prints what each application gets, CAKE's own counters, and draws the call's delay.

  -chart FILE  where to write the chart, a PNG (default: netsched-cake.png in the
               folder for temporary files); '' for none
`

var homeLine = program.Program{Name: "cake", Usage: usage, Simulate: simulateAll}

func main() { homeLine.Main() }

func simulateAll(stdout, _ io.Writer) ([]chart.Panel, error) {
	var homes []*home
	for _, d := range disciplines {
		h, err := simulate(d)
		if err != nil {
			return nil, err
		}
		homes = append(homes, h)
	}
	report(stdout, homes)
	return panels(homes), nil
}
