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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
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

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit code, 2 for a bad command line, 1 for
// another error.
func run(args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("latency", flag.ContinueOnError)
	f.SetOutput(io.Discard) // printed here, once
	file := chart.Flag(f, "latency")
	length := f.Duration("time", time.Minute, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	case err == nil && (*length < 20*time.Second || *length > 10*time.Minute):
		err = fmt.Errorf("-time %v: must be 20s to 10m", *length)
	case err == nil:
		err = chart.Check(*file)
	}
	if err != nil {
		fmt.Fprintf(stderr, "latency: %v\n", err)
		return 2
	}
	if err := simulateAll(*length, *file, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "latency: %v\n", err)
		return 1
	}
	return 0
}

// simulateAll runs every load over every discipline, telling on progress how far
// it is.
func simulateAll(length time.Duration, file string, stdout, progress io.Writer) error {
	fmt.Fprint(stdout, heading)
	for _, load := range loads {
		var runs []*result
		for _, d := range disciplines {
			fmt.Fprintf(progress, "\r%-60s", load.name+", "+d.name+" ...")
			r, err := simulate(load, d, length)
			if err != nil {
				return err
			}
			runs = append(runs, r)
		}
		fmt.Fprintf(progress, "\r%60s\r", "")
		report(stdout, load, runs)
		if load.charted && file != "" {
			if err := draw(file, load, runs); err != nil {
				return fmt.Errorf("-chart: %w", err)
			}
		}
	}
	if file != "" {
		fmt.Fprintf(stdout, "\nchart: %s\n", file)
	}
	return nil
}
