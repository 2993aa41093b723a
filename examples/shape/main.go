// Shape shows what a packet scheduler is for, with real datagrams and no
// privilege. A voice flow, a web flow and a greedy bulk flow share one line of
// 10 Mbit/s: through one FIFO, through one queue under CoDel, through FQ-CoDel
// with a queue for each flow that it finds, and through a priority band for
// each that the program says.
//
//	go run ./examples/shape
//	go run ./examples/shape -qdisc 'fq_codel limit 50' -rate 20mbit
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

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/codel"
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
	voice string // where the voice flow is, for the summary
	qdisc qdisc.Qdisc
}

// room is how many packets each discipline, or each of its bands, may hold.
const room = 1000

// plan returns what to run: the discipline that was asked for, or a FIFO,
// CoDel, FQ-CoDel, CAKE and a priority scheduler, whose bands are FIFOs; flow k is in
// class k, which is band k-1.
func (o *options) plan() ([]candidate, error) {
	if o.qdisc != "" {
		q, err := o.discipline()
		return []candidate{{name: o.qdisc, qdisc: q}}, err
	}
	one, err1 := fifo.New(fifo.Config{Limit: new(room)})
	short, err2 := codel.New(codel.Config{Limit: new(room)})
	fair, err3 := codel.NewFQ(codel.FQConfig{Limit: new(room)})
	home, err4 := cake.New(cake.Config{Diffserv: cake.BestEffort, Isolation: cake.Flows, MemoryLimit: 1 << 20})
	bands, err5 := prio.New(prio.Config{Bands: 3, Limit: new(room)})
	return []candidate{
		{"pfifo limit 1000", "one queue for all", "in one queue with the bulk flow", one},
		{"codel limit 1000", "the same, and drops ask senders to slow down; this bulk flow does not listen", "in one queue under CoDel", short},
		{"fq_codel limit 1000", "a queue for each flow, in turns; bulk has the longest and pays for it", "under FQ-CoDel, in turns with the bulk flow", fair},
		{"cake besteffort flows memlimit 1mb", "likewise, and drops at random from a flow that does not listen", "under CAKE, in turns with the bulk flow", home},
		{"prio bands 3", "a queue for each: voice before web before bulk", "in a band before it", bands},
	}, errors.Join(err1, err2, err3, err4, err5)
}
