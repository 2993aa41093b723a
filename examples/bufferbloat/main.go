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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/netsched/netsched/examples/internal/chart"
)

const usage = `Usage: bufferbloat [-chart FILE]

Simulates 30 s of a 10 Mbit/s link, 40 ms of round trip, with a bulk transfer, a
ping and bursts of packets: behind a FIFO of 1000 packets, behind CoDel and
behind FQ-CoDel. Prints delay, loss and throughput and draws the delay over time.

  -chart FILE  where to write the chart, a PNG (default: netsched-bufferbloat.png
               in the folder for temporary files); '' for none
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit code, 2 for a bad command line, 1 for
// another error.
func run(args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("bufferbloat", flag.ContinueOnError)
	f.SetOutput(io.Discard) // printed here, once
	file := chart.Flag(f, "bufferbloat")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	case err == nil:
		err = chart.Check(*file)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bufferbloat: %v\n", err)
		return 2
	}

	var lines []*line
	for _, q := range disciplines() {
		l, err := simulate(q)
		if err != nil {
			fmt.Fprintf(stderr, "bufferbloat: %v\n", err)
			return 1
		}
		lines = append(lines, l)
	}
	report(stdout, lines)
	if *file != "" {
		if err := draw(*file, lines); err != nil {
			fmt.Fprintf(stderr, "bufferbloat: -chart: %v\n", err)
			return 1
		}
		fmt.Fprintf(stdout, "\nchart: %s\n", *file)
	}
	return 0
}
