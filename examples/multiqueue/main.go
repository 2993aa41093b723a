// Multiqueue shows what a discipline gains by knowing which hardware queues are
// full. A network device has several transmit queues and one of them is slow;
// three drivers feed it from a strict-priority scheduler or from multiq.
//
//	go run ./examples/multiqueue
//
// Time is virtual, so all counts are the same on every machine; only the last
// column is real time. Read driver.go to learn how a driver uses multiq.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `Usage: multiqueue [-repeat 20]

Simulates 1 s of a device with several transmit queues, fed by three drivers,
and prints how many packets leave and how often a driver finds a queue full.

  -repeat N   how often to run each case (1 to 1000); the fastest run gives
              the real time per packet
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit code, 2 for a bad command line.
func run(args []string, stdout, stderr io.Writer) int {
	repeat, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "multiqueue: %v\n", err)
		return 2
	}
	fmt.Fprint(stdout, heading)
	for _, w := range workloads {
		rows, err := measure(w, repeat)
		if err != nil {
			fmt.Fprintf(stderr, "multiqueue: %v\n", err)
			return 1
		}
		table(stdout, w, rows)
	}
	fmt.Fprint(stdout, closing)
	return 0
}

// parse reads the command line. flag.ErrHelp means that help was asked for.
func parse(args []string) (repeat int, err error) {
	f := flag.NewFlagSet("multiqueue", flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints the error, once
	f.IntVar(&repeat, "repeat", 20, "")
	if err := f.Parse(args); err != nil {
		return 0, err
	}
	switch {
	case f.NArg() > 0:
		return 0, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case repeat < 1 || repeat > 1000:
		return 0, fmt.Errorf("-repeat %d: must be 1 to 1000", repeat)
	}
	return repeat, nil
}
