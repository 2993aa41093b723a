// Bql shows what a byte queue limiter is for. A driver with a bulk sender above
// it fills the ring of a 10 Mbit/s device: without a limiter, with the limit
// that the limiter finds, and with one that is set below a frame.
//
//	go run ./examples/bql
//
// Time is virtual, so every run prints the same. Read driver.go to learn how a
// driver uses the limiter. A second part, on Linux as root, measures a real UDP
// socket; read sender_linux.go for that.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/netsched/netsched/qdisc"
)

const usage = `Usage: bql [-latency 100us] [-chart FILE] [-real=false]

Simulates 10 s of a 10 Mbit/s link with and without a byte queue limiter: bytes
in flight, link use and delay in full duplex, goodput through a hub in half
duplex, and a chart of the bytes in flight. Then measures the same over a real
UDP socket: throughput and delay.

  -latency DURATION  from the end of a frame to the interrupt that reports it,
                     0 to 10ms (default 100us)
  -chart FILE        where to write the chart, a PNG (default: netsched-bql.png
                     in the folder for temporary files); '' for none
  -real=false        only simulate. The measurement needs Linux, root (or
                     CAP_SYS_ADMIN and CAP_NET_ADMIN) and ip and tc of iproute2;
                     it works in network namespaces of its own
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the command line.
type options struct {
	latency qdisc.Time
	chart   string // empty: none
	real    bool
}

// run is the program: it returns the exit code, 2 for a bad command line, 1 for
// another error.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "bql: %v\n", err)
		return 2
	}
	if err := simulated(o, stdout); err != nil {
		fmt.Fprintf(stderr, "bql: %v\n", err)
		return 1
	}
	if !o.real {
		return 0
	}
	if err := measured(stdout, measureReal); err != nil {
		fmt.Fprintf(stderr, "bql: real socket: %v\n", err)
		return 1
	}
	return 0
}

// parse reads the command line. flag.ErrHelp means that help was asked for.
func parse(args []string) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("bql", flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints the error, once
	latency := f.Duration("latency", 100*time.Microsecond, "")
	f.StringVar(&o.chart, "chart", filepath.Join(os.TempDir(), "netsched-bql.png"), "")
	f.BoolVar(&o.real, "real", true, "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.latency = qdisc.Time(*latency)
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case *latency < 0 || *latency > 10*time.Millisecond:
		return nil, fmt.Errorf("-latency %v: must be 0 to 10ms", *latency)
	case o.chart != "" && filepath.Ext(o.chart) != ".png":
		return nil, fmt.Errorf("-chart %s: the chart is a PNG, so name a file that ends in .png", o.chart)
	}
	return o, nil
}
