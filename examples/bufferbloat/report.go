package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/qdisc/netsim"
)

const heading = `A link of 10 Mbit/s and 40 ms of round trip for 30 s: a bulk transfer (TCP with
CUBIC), a ping every 50 ms, and a burst of 20 packets of 1000 bytes every 2 s.
Ping: the round trip. Burst: from sending to arrival of each packet.

`

func report(w io.Writer, lines []*line) {
	fmt.Fprint(w, heading)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tbulk: goodput\tresent\tping: p50\tp99\tmax\tlost\tburst: p50\tp99\tlost\t")
	for _, l := range lines {
		fmt.Fprintf(t, "%s\t%.2f Mbit/s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t\n", l.name,
			float64(l.bulk.Acked)*8/time.Duration(duration).Seconds()/1e6, l.bulk.Retransmitted,
			ms(l.ping.RTT.Quantile(0.5)), ms(l.ping.RTT.Quantile(0.99)), ms(l.ping.RTT.Max()), l.ping.Sent()-l.ping.Received(),
			ms(l.burst.Delay.Quantile(0.5)), ms(l.burst.Delay.Quantile(0.99)), l.sent-l.burst.Packets)
	}
	t.Flush()
	fmt.Fprint(w, `
The FIFO keeps as many packets as TCP will send: no more get through than behind
CoDel, but everyone waits for them. CoDel lets the sender know early. FQ-CoDel also
serves the flows in turn, so that the ping and the burst do not wait for the bulk at
all.
`)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }

// pings is the picture of the ping's round trip over time.
func pings(lines []*line) chart.Panel {
	p := chart.Panel{
		Title: "Round trip of a ping beside a bulk transfer, 10 Mbit/s, 40 ms",
		X:     "time (s)", Y: "round trip (ms)", LogY: true, Min: 10, Max: 10_000,
	}
	for _, l := range lines {
		p.Lines = append(p.Lines, chart.Over(l.name, l.ping.RTTs, func(w netsim.Window) float64 { return w.Mean() / 1e6 }))
	}
	return p
}
