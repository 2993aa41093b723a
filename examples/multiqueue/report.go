package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

const heading = `A device with rings of 64 packets; 128 packets of 1500 bytes for each queue, queued
again when they have left; 1 s of virtual time.

prio + requeue    strict priority; a packet whose ring is full is put aside and
                  tried again at the next completion
prio, peek first  strict priority; the packet is looked at, and left where it
                  is if its ring is full
multiq            skips the queues whose rings are full

attempts: a driver had a packet for a ring. blocked: that ring was full. no packet:
the discipline had none to give. ns/packet: real time of the whole loop, the device
included, for each packet sent.
`

const closing = `
The reference was run on another machine: compare its counts, not its ns.
Measured on a kernel in 2008, UDP at line rate over four queues: prio and requeue
took 2.5 % CPU on queue 0 and 12.5 % on the others; a discipline that knows which
queues are stopped took 2.5 % on each. That is the cost of trying again and again.
These drivers try only after a completion, so a full ring costs them little time
and most of the rate.
`

// table writes what the drivers did, and below it what the reference did.
func table(w io.Writer, load workload, rows []row) {
	fmt.Fprintf(w, "\n%s\n", load.name)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "driver\tsent\tMbit/s\tattempts\tblocked\tno packet\tns/packet\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%d\t%d\t%d\t%s\t\n", r.driver, r.sent, r.mbit, r.attempts, r.blocked, r.idle, nanoseconds(r.ns))
	}
	for _, r := range load.reference {
		fmt.Fprintf(t, "reference: %s\t\t%.1f\t%s\t%d\t\t%s\t\n", r.driver, r.mbit, known(r.attempts), r.blocked, nanoseconds(r.ns))
	}
	t.Flush()
}

func nanoseconds(ns float64) string {
	if ns == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", ns)
}

// known writes a count of the reference, if it was recorded.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
