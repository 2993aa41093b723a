package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

const heading = `Two companies share a link of 10 Mbit/s, A 6 to B's 4. Voice and interactive traffic
come in bursts that their real-time curves put on the link within a time; bulk sends
all it can. Promised: until the curve has the burst, and a longest packet before it
(hfsc.Check). Measured: the largest delay of a packet in 30 s. Sharing alone: the same
without the real-time curves.

`

func (o *outcome) report(w io.Writer) {
	fmt.Fprint(w, heading)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tburst\tevery\treal-time curve\tpromised\tmeasured\tsharing alone\t")
	for i := range leaves {
		l := &leaves[i]
		if l.bulk() {
			continue
		}
		promise, _ := o.promised(i, l.bytes())
		fmt.Fprintf(t, "%s\t%d x %d bytes\t%s\t%v\t%s\t%s\t%s\t\n", l.name, l.burst, l.packet, milli(l.every),
			l.curve(), milli(promise), milli(o.bursts.slowest(i)), milli(o.shared.slowest(i)))
	}
	t.Flush()

	fmt.Fprint(w, `
Now every class that is not idle sends more than the link carries. Mbit/s, measured,
and in brackets the share by hfsc.Check:

`)
	fmt.Fprint(t, "\t")
	for _, s := range o.flood.stages {
		fmt.Fprintf(t, "%s\t", s.name)
	}
	fmt.Fprintln(t)
	for i := range leaves {
		fmt.Fprintf(t, "%s\t", leaves[i].name)
		for _, s := range o.flood.stages {
			fmt.Fprintf(t, "%s (%s)\t", mbit(s.got[i]), mbit(s.want[i]))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	o.conclude(w)
}

// slowest is the largest delay at leaf i.
func (b *bursts) slowest(i int) time.Duration { return b.leaves[i].meter.Delay.Max() }

func milli(d time.Duration) string { return fmt.Sprintf("%.1f ms", ms(d)) }

func mbit(rate float64) string { return fmt.Sprintf("%.2f", rate/float64(qdisc.Mbit)) }

// late returns how many leaves took longer than promised, and for the closest the
// part of the promised time that it took.
func (o *outcome) late() (n int, closest float64) {
	for i := range leaves {
		if promise, ok := o.promised(i, leaves[i].bytes()); ok {
			took := o.bursts.slowest(i)
			closest = max(closest, float64(took)/float64(promise))
			if took > promise {
				n++
			}
		}
	}
	return n, closest
}

// apart is the largest relative difference between a share and what was measured.
func (o *outcome) apart() (most float64) {
	for _, s := range o.flood.stages {
		for i, want := range s.want {
			if want != 0 {
				most = max(most, s.got[i]/want-1, 1-s.got[i]/want)
			}
		}
	}
	return most
}

// conclude says in words what the figures show.
func (o *outcome) conclude(w io.Writer) {
	late, closest := o.late()
	kept := "Every promise is kept"
	if late != 0 {
		kept = fmt.Sprintf("%d promises are broken", late)
	}
	fmt.Fprintf(w, `
%s: the tightest was met in %.0f %% of its time. The curves
reserve %v of the link in the long run; sharing alone, with the same rates, lets
A's voice wait %s and its interactive traffic %s. Shares are met within %.2f %%.
`, kept, 100*closest, o.check.RealTime, milli(o.shared.slowest(0)), milli(o.shared.slowest(1)), 100*o.apart())
	stages := o.flood.stages
	all, siblings, alone, limited := &stages[0], &stages[1], &stages[2], &stages[3]
	fmt.Fprintf(w, `What A's bulk leaves goes to A's other classes first: A as a whole has %s Mbit/s after
%s, B %s after %s. Only what all of A leaves goes to B: %s. Held to %s, B gets
%s, and %s of the link stays idle.
`, mbit(siblings.company(companyA)), mbit(all.company(companyA)),
		mbit(siblings.company(companyB)), mbit(all.company(companyB)),
		mbit(alone.company(companyB)), mbit(float64(limitB)), mbit(limited.company(companyB)),
		mbit(float64(linkRate)-limited.company(companyA)-limited.company(companyB)))
}
