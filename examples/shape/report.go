package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// result is what one run showed.
type result struct {
	name    string // the discipline under the shaper
	about   string
	voice   string // where the voice flow was
	set     qdisc.Rate
	rate    float64       // bit/s, measured by the receiver
	idle    int64         // times that the queue was found empty
	late    time.Duration // the most that the transmitter was late
	missing int64         // datagrams sent and never received: lost by the socket
	flows   []flowResult
}

type flowResult struct {
	name             string
	offered, dropped int64 // packets
	arrived          uint64
	p50, p99, max    time.Duration
}

// loss returns the dropped packets in percent of those offered.
func (f *flowResult) loss() float64 {
	if f.offered == 0 {
		return 0
	}
	return 100 * float64(f.dropped) / float64(f.offered)
}

// results reads the meter after a run.
func (m *meter) results() []flowResult {
	var r []flowResult
	for i := range flows {
		h := &m.delay[i]
		r = append(r, flowResult{
			name:    flows[i].name,
			offered: m.flows[i].offered.Load(),
			dropped: m.flows[i].dropped.Load(),
			arrived: h.Count(),
			p50:     h.Quantile(0.50),
			p99:     h.Quantile(0.99),
			max:     h.Max(),
		})
	}
	return r
}

// report writes a table for each run and what they show together.
func report(w io.Writer, results []result) {
	fmt.Fprintln(w, "Each datagram counts as its payload and 28 bytes of IPv4 and UDP headers.")
	fmt.Fprintln(w, "Delays are from sender to receiver; p50 and p99 are rounded up by 3 % at most.")
	for i := range results {
		table(w, &results[i])
	}
	fmt.Fprintf(w, "\n%s\n", summary(results))
}

func table(w io.Writer, r *result) {
	share := r.rate / float64(r.set)
	fmt.Fprintf(w, "\ntbf rate %v over %s", r.set, r.name)
	if r.about != "" {
		fmt.Fprintf(w, ": %s", r.about)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "measured rate %.3f Mbit/s, %.2f %% of the rate set\n", r.rate/1e6, 100*share)
	switch {
	case r.idle > 0:
		fmt.Fprintf(w, "The queue ran empty %d times, so the line was not always busy.\n", r.idle)
	case share < 0.99:
		fmt.Fprintf(w, "Packets waited all the time: the discipline holds them back, or this machine does not keep up (it was %d ms late at worst).\n",
			r.late.Milliseconds())
	}
	if r.missing > 0 {
		fmt.Fprintf(w, "%d datagrams were lost between the two sockets.\n", r.missing)
	}
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "flow\toffered\tlost\tp50\tp99\tmax\t")
	for i := range r.flows {
		f := &r.flows[i]
		fmt.Fprintf(t, "%s\t%d\t%.1f %%\t%s\t%s\t%s\t\n", f.name, f.offered, f.loss(),
			delay(f, f.p50), delay(f, f.p99), delay(f, f.max))
	}
	t.Flush()
}

// delay writes d in milliseconds with the digits that matter.
func delay(f *flowResult, d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case f.arrived == 0:
		return "-"
	case ms < 1:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// summary says in one sentence what became of the voice flow.
func summary(results []result) string {
	if len(results) == 1 {
		return fmt.Sprintf("Beside a bulk flow of %d times the line's rate, %s.", bulkLoad, fate(&results[0].flows[voice]))
	}
	var b strings.Builder
	b.WriteString("On the same line at the same rate,")
	for i := range results {
		fmt.Fprintf(&b, "\n%s, %s;", results[i].voice, fate(&results[i].flows[voice]))
	}
	return strings.TrimSuffix(b.String(), ";") + "."
}

func fate(f *flowResult) string {
	switch {
	case f.arrived == 0:
		return "no voice packet arrives"
	case f.dropped == 0:
		return fmt.Sprintf("no voice packet is lost and 99 %% take at most %s", delay(f, f.p99))
	}
	return fmt.Sprintf("%.0f %% of the voice packets are lost and 99 %% of the others take at most %s", f.loss(), delay(f, f.p99))
}
