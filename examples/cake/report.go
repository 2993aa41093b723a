package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/qdisc/netsim"
)

const heading = `A home line for 60 s: 20 Mbit/s down, 3 up, 90 ms of round trip. One host sends a
backup by 4 connections, marked CS1; one has an upload, a download and name
lookups; one a call, marked EF, and a game. Delay of the call and the game: one way,
45 ms of it the line's. Lookup: the round trip.

`

func report(w io.Writer, homes []*home) {
	fmt.Fprint(w, heading)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tcall: p50\tp99\tlost\tgame: p50\tp99\tlost\tlookup: p99\tbackup\tupload\tdownload\t")
	for _, h := range homes {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", h.name,
			ms(h.call.Delay.Quantile(0.5)), ms(h.call.Delay.Quantile(0.99)), lost(h.call, h.calls),
			ms(h.game.Delay.Quantile(0.5)), ms(h.game.Delay.Quantile(0.99)), lost(h.game, h.games),
			ms(h.lookup.RTT.Quantile(0.99)), mbit(h.backup...), mbit(h.upload), mbit(h.download))
	}
	t.Flush()
	fmt.Fprint(w, `
Behind the FIFO everyone waits for the backup. FQ-CoDel gives each flow its turn: small
flows do not wait, but five connections share the line up and the backup has four of
them. CAKE knows the hosts and the marks: the backup takes what is left over, the call
goes first, and the upload has the line almost to itself.
`)
	for _, h := range homes {
		if q, ok := h.upQueue.(*cake.Cake); ok {
			fmt.Fprintf(w, "\nCAKE upwards, as tc -s shows it: %v\n%v", q.Config(), q.Stats())
		}
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond)) }

func lost(m *netsim.Meter, s *netsim.Source) string {
	sent, _ := s.Sent()
	return fmt.Sprintf("%.1f %%", 100*float64(sent-m.Packets)/float64(sent))
}

func mbit(conns ...*netsim.TCP) string {
	return fmt.Sprintf("%.2f Mbit/s", goodput(conns...))
}

// goodput is what the connections delivered, in Mbit/s.
func goodput(conns ...*netsim.TCP) float64 {
	var bytes uint64
	for _, c := range conns {
		bytes += c.Stats().Delivered
	}
	return float64(bytes) * 8 / time.Duration(duration).Seconds() / 1e6
}

// panels are the pictures of the call's and the game's delay over time.
func panels(homes []*home) []chart.Panel {
	call := panel("The call's delay, one way, 45 ms of it the line's")
	game := panel("The game's")
	for _, h := range homes {
		call.Lines = append(call.Lines, delays(h.name, h.call.Delays))
		game.Lines = append(game.Lines, delays(h.name, h.game.Delays))
	}
	return []chart.Panel{call, game}
}

func panel(title string) chart.Panel {
	return chart.Panel{Title: title, X: "time (s)", Y: "delay (ms)", LogY: true, Min: 10, Max: 10_000}
}

func delays(name string, s *netsim.Series) chart.Line {
	line := chart.Line{Name: name}
	for at, w := range s.All() {
		if at < time.Duration(duration) {
			line.Points = append(line.Points, chart.Point{X: at.Seconds(), Y: w.Mean() / 1e6})
		}
	}
	return line
}
