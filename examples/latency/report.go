package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/qdisc/netsim"
)

const heading = `A home line, 20 Mbit/s down and 3 up, 90 ms of round trip; TCP with CUBIC, ECN and
pacing; a ping every 200 ms. Delay: what the load adds to the ping's round trip.
After 10 s: its peak from then on, when the connections have found their windows.
Published: the peak with the kernel's discipline on such a line.
`

func report(w io.Writer, l load, runs []*result) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tdelay: p50\tp99\tpeak\tafter 10 s\tpublished\tup\tdown\t\n", l.name)
	for _, r := range runs {
		published := l.published[r.name]
		if published == "" {
			published = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f Mbit/s\t%.2f Mbit/s\t\n", r.name,
			induced(r.ping.RTT.Quantile(0.5)), induced(r.ping.RTT.Quantile(0.99)), induced(r.ping.RTT.Max()), induced(r.settled.RTT.Max()),
			published, float64(r.up)/1e6, float64(r.down)/1e6)
	}
	t.Flush()
}

// induced writes what a round trip has above that of the empty line.
func induced(rtt time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(max(rtt-roundTrip, 0))/float64(time.Millisecond))
}

// panels are the pictures of a load: delay, queue and throughput over time, and
// how the delays are distributed.
func panels(l load, runs []*result) []chart.Panel {
	delay := chart.Panel{Title: "Delay added by " + l.name + " on a line of 20/3 Mbit/s", X: "time (s)", Y: "delay (ms)", LogY: true, Min: 0.1, Max: 10_000}
	queue := chart.Panel{Title: "Queue on the way up", X: "time (s)", Y: "packets"}
	carried := chart.Panel{Title: "Throughput, both ways", X: "time (s)", Y: "Mbit/s"}
	spread := chart.Panel{Title: "Distribution of the delay added", X: "share of the pings (%)", Y: "delay (ms)", LogY: true, Min: 0.1, Max: 10_000}
	for _, r := range runs {
		delay.Lines = append(delay.Lines, chart.Over(r.name, r.ping.RTTs, func(w netsim.Window) float64 { return aboveFloor(time.Duration(w.Mean())) }))
		queue.Lines = append(queue.Lines, chart.Over(r.name, r.queue.Series, netsim.Window.Mean))
		carried.Lines = append(carried.Lines, chart.Over(r.name, r.carried, func(w netsim.Window) float64 {
			return float64(w.Sum) * 8 / r.carried.Every().Seconds() / 1e6
		}))
		line := chart.Line{Name: r.name}
		for q := 0.5; q < 100; q += 0.5 {
			line.Points = append(line.Points, chart.Point{X: q, Y: aboveFloor(r.ping.RTT.Quantile(q / 100))})
		}
		spread.Lines = append(spread.Lines, line)
	}
	return []chart.Panel{delay, queue, carried, spread}
}

// aboveFloor is the delay added to a round trip, in ms, at least what the axis
// can show.
func aboveFloor(rtt time.Duration) float64 {
	return max(0.1, float64(rtt-roundTrip)/float64(time.Millisecond))
}
