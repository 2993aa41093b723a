package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

func (o *outcome) report(w io.Writer) {
	c := o.conf
	fmt.Fprintf(w, "%s\nOn a link of %v, %s, each queue sends all it can, alone and together with the others.\n", pf.Print(c.plain()), c.link, c.device)
	for _, warning := range c.warnings {
		fmt.Fprintf(w, "Warning: %v\n", warning)
	}
	fmt.Fprint(w, "Mbit/s: asked for by the file, sent, what ALTQ itself sends where that is known,\nand what TCP carries for its users in packets of the same size.\n")
	for _, borrow := range []bool{false, true} {
		if o.find(borrow, sizes[0], c.names[0]) == nil {
			continue
		}
		if c.scheduler == pf.CBQ {
			fmt.Fprintf(w, "\n%s\n\n", map[bool]string{false: "No queue may borrow:", true: "Every queue may borrow:"}[borrow])
		} else {
			fmt.Fprintln(w)
		}
		o.table(w, borrow)
	}
	if c.own {
		o.conclude(w)
	}
	o.cost.report(w, c)
}

// plain is the file as it was read, but for borrowing.
func (c *conf) plain() *pf.File {
	for i := range c.file.Queues {
		c.file.Queues[i].Options.Borrow = false
	}
	return c.file
}

func (o *outcome) table(w io.Writer, borrow bool) {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "who sends\tbytes\tqueue\tasked\tsent\tALTQ\tTCP payload\t")
	for _, tr := range o.trials {
		if tr.borrow != borrow {
			continue
		}
		for i, r := range tr.results {
			who, size := "", ""
			if i == 0 {
				who, size = tr.name(), fmt.Sprint(tr.size)
			}
			asked := mbit(r.asked)
			if r.atLeast {
				asked = "at least " + asked
			}
			altq := "-"
			if r.altq != 0 {
				altq = mbit(r.altq)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", who, size, r.queue, asked, mbit(r.wire), altq, mbit(r.payload))
		}
	}
	t.Flush()
}

func mbit(rate float64) string { return fmt.Sprintf("%.3f", rate/float64(qdisc.Mbit)) }

// conclude says in words what the figures of the embedded file show.
func (o *outcome) conclude(w io.Writer) {
	long, short := &o.find(false, 1500, "small").results[0], &o.find(false, 64, "small").results[0]
	lend := &o.find(true, 1500, "small").results[0]
	fmt.Fprintf(w, `
Alone, small gets %s of its %s Mbit/s in packets of 1500 bytes (TCP carries %.2f;
0.48 was measured in 2007) and %s in packets of 64, where ALTQ gives %s:
its waiting times are reckoned for full packets. If it may borrow and dflt is
idle, it gets the whole link, %s.
`, mbit(long.wire), mbit(long.asked), long.payload/1e6, mbit(short.wire), mbit(short.altq), mbit(lend.wire))
}

func (c *cost) report(w io.Writer, of *conf) {
	fmt.Fprintf(w, "\nWhat it costs those who do not use it: a TCP connection through %s, Mbit/s\n\n", of.dflt)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, b := range c.bystanders {
		fmt.Fprintf(t, "%s\t%s\n", b.name, mbit(b.payload))
	}
	t.Flush()
	if c.tree > 0 {
		fmt.Fprintf(w, `
A packet takes the processor %d ns in all of this, %d ns in a FIFO. On this
link it takes %.0f us to send.
`, c.tree.Nanoseconds(), c.plain.Nanoseconds(), float64(sizes[0])*8e6/float64(of.link))
	}
}
