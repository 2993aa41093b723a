// Shape shows what a packet scheduler is for, with real datagrams and no
// privilege. A voice flow, a web flow and a greedy bulk flow share one line of
// 10 Mbit/s: first through one FIFO, then with a priority band for each.
//
//	go run ./examples/shape
//	go run ./examples/shape -qdisc 'pfifo limit 50' -rate 20mbit
//	go run ./examples/shape -listen :5000 -forward 127.0.0.1:6000 -rate 1mbit
//
// Read line.go to learn how a program of yours shapes its own traffic:
// senders call Send on a transmit queue, and one goroutine calls Run, which
// writes what may leave to a socket.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: results go to stdout, progress and errors to stderr.
// It returns the exit code: 2 for a bad command line, 1 for another error.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		complain(stderr, err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	work := demonstrate
	if o.relay() {
		work = relay
	}
	if err := work(ctx, o, stdout, stderr); err != nil {
		complain(stderr, err)
		return 1
	}
	return 0
}

// complain prints err on one line, even if it is several joined.
func complain(w io.Writer, err error) {
	fmt.Fprintf(w, "shape: %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
}

// demonstrate runs the three flows through each discipline and prints what
// became of them.
func demonstrate(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	plan, err := o.plan()
	if err != nil {
		return err
	}
	var results []result
	for _, c := range plan {
		r, err := measure(ctx, o, c, newProgress(stderr))
		if err != nil {
			return err
		}
		results = append(results, *r)
	}
	report(stdout, results)
	return nil
}

// A candidate is a discipline to put under the shaper.
type candidate struct {
	name  string // its tc line
	about string // may be empty
	qdisc qdisc.Qdisc
}

// plan returns what to run: the discipline that was asked for, or a FIFO and
// then a priority scheduler. The latter's bands are FIFOs of 1000 packets as
// well, and flow k is in class k, which is band k-1.
func (o *options) plan() ([]candidate, error) {
	if o.qdisc != "" {
		q, err := o.discipline()
		return []candidate{{name: o.qdisc, qdisc: q}}, err
	}
	one, err := fifo.New(fifo.Config{Limit: new(1000)})
	if err != nil {
		return nil, err
	}
	bands, err := prio.New(prio.Config{Bands: 3})
	if err != nil {
		return nil, err
	}
	return []candidate{
		{"pfifo limit 1000", "one queue for all", one},
		{"prio bands 3", "a queue for each: voice before web before bulk", bands},
	}, nil
}
