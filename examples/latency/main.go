// Latency shows what the queue of a home line does to the delay that everybody
// feels, under five loads, for every discipline of the library that can be put
// there, beside what was measured with the kernel's.
//
//	go run ./examples/latency
//
// The line has 20 Mbit/s down and 3 up, and 90 ms of round trip. Time is
// virtual, so every run prints the same. Read line.go to see how the line is
// built, and loads.go for the loads.
package main

import (
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
)

const usage = `Usage: latency [-time 60s] [-chart FILE]

Simulates a home line of 20/3 Mbit/s and 90 ms of round trip under five loads (1
TCP up, 1 down, 1 + 1, 4 + 4, and 50 up + 1 down) with a ping, for each discipline,
and prints the delay that the load adds and what each way carries.

  -time DURATION  how long each run takes, of virtual time, 20s to 10m
  -chart FILE     where to write the chart of 4 + 4, a PNG (default:
                  netsched-latency.png in the folder for temporary files); ''
                  for none
`

func main() { latency().Main() }

func latency() program.Program {
	length := time.Minute
	return program.Program{
		Name:  "latency",
		Usage: usage,
		Flags: func(f *flag.FlagSet) func() error {
			f.DurationVar(&length, "time", length, "")
			return func() error {
				if length < 20*time.Second || length > 10*time.Minute {
					return fmt.Errorf("-time %v: must be 20s to 10m", length)
				}
				return nil
			}
		},
		Simulate: func(stdout, stderr io.Writer) ([]chart.Panel, error) { return simulateAll(length, stdout, stderr) },
	}
}

// simulateAll runs every load over every discipline, telling on progress how far
// it is. It returns the pictures of the load that has some.
func simulateAll(length time.Duration, stdout, progress io.Writer) (pictures []chart.Panel, err error) {
	fmt.Fprint(stdout, heading)
	for _, load := range loads {
		var runs []*result
		for _, d := range disciplines {
			fmt.Fprintf(progress, "\r%-60s", load.name+", "+d.name+" ...")
			r, err := simulate(load, d, length)
			if err != nil {
				return nil, err
			}
			runs = append(runs, r)
		}
		fmt.Fprintf(progress, "\r%60s\r", "")
		report(stdout, load, runs)
		if load.charted {
			pictures = panels(load, runs)
		}
	}
	return pictures, nil
}
