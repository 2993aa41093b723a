package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

const heading = `A link of 10 Mbit/s, bulk frames of 1514 bytes, a ring of 64 frames; 10 s of virtual
time. The device reports what has gone %.3g ms after the first frame not yet reported.
`

const hubHeading = `
The same sender copies a file through a hub, in half duplex: every second frame is
answered by one of 64 bytes on the same medium, 0.05 ms later, with collisions and
backoff as in IEEE 802.3. Once the sender always has more; once, as TCP would, it
has at most 65535 bytes not answered.

`

const hubClosing = `
With more than one frame in the device the sender is ready again as soon as a frame
ends; it meets every answer, and mostly wins, since only the loser backs off further.
With one it waits for the interrupt, and if that takes longer than the gap between
frames (0.0096 ms) the answers go then.

Published (gianfar, 10 Mbit/s half duplex, 2012): automatic limit 607 kB/s with 4542
bytes in flight at limit 3456 or 3378; limit_max 1400 932 kB/s with 1514 in flight.
That is %+.0f %%; this model gives %+.0f %% with the window and %+.0f %% without, so it does
not reproduce the published ratio.
`

// The published goodputs in kB/s.
const (
	publishedAutomatic = 607
	publishedFixed     = 932
)

// listing writes a limiter as /sys/class/net/IF/queues/tx-N/byte_queue_limits
// has it.
func listing(w io.Writer, name string, l *bql.Limiter) {
	fmt.Fprintf(w, "\n%s: byte_queue_limits at the end\n", name)
	fmt.Fprintf(w, "  hold_time  %d\n", l.HoldTime().Milliseconds())
	fmt.Fprintf(w, "  inflight   %d\n", l.Inflight())
	fmt.Fprintf(w, "  limit      %d\n", l.Limit())
	fmt.Fprintf(w, "  limit_max  %d\n", l.LimitMax())
	fmt.Fprintf(w, "  limit_min  %d\n", l.LimitMin())
}

func reportFull(w io.Writer, runs []*full) {
	for _, r := range runs {
		if r.limited {
			listing(w, r.name, r.driver.limiter)
		}
	}
	fmt.Fprint(w, `
In flight: bytes in the device. Limit: its range in the second half of the run.
Delay: of small packets that the scheduler sends first, from arrival to the end of
their transmission, in a second run.

`)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "full duplex\tin flight: mean\tmax\tlimit\tlink use\tdelay: p50\tmax\t")
	for _, r := range runs {
		fmt.Fprintf(t, "%s\t%.0f\t%d\t%s\t%.3f\t%s\t%s\t\n", r.name, r.mean(), r.most, limits(r.host), r.use, ms(r.p50), ms(r.max))
	}
	t.Flush()
}

func reportHalf(w io.Writer, runs []*half) {
	fmt.Fprint(w, hubHeading)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "half duplex\twindow\tin flight: max\tgoodput\tcollisions\tanswers\tgiven up\tdelay: p50\tmax\t")
	for _, r := range runs {
		window := "none"
		if r.window != 0 {
			window = fmt.Sprintf("%d frames", r.window)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f kB/s\t%d\t%d\t%d\t%s\t%s\t\n", r.name, window, r.most, r.goodput/1e3,
			r.collisions, r.answers, r.givenUp, ms(r.p50), ms(r.max))
	}
	t.Flush()
	fmt.Fprintf(w, hubClosing, more(publishedFixed, publishedAutomatic), gain(runs, tcpWindow), gain(runs, 0))
}

// gain returns by how much limit_max 1400 beats the automatic limit, in
// percent, with that window.
func gain(runs []*half, window int) float64 {
	var automatic, fixed float64
	for _, r := range runs {
		switch {
		case r.window != window || !r.limited:
		case r.config.LimitMax != nil:
			fixed = r.goodput
		default:
			automatic = r.goodput
		}
	}
	return more(fixed, automatic)
}

func more(a, b float64) float64 { return 100 * (a/b - 1) }

// limits writes the range of the limit in the second half of the run.
func limits(h *host) string {
	switch {
	case h.driver.limiter == nil:
		return "-"
	case h.lowest == h.highest:
		return fmt.Sprint(h.lowest)
	}
	return fmt.Sprintf("%d..%d", h.lowest, h.highest)
}

// ms writes a delay in milliseconds.
func ms(t qdisc.Time) string {
	return fmt.Sprintf("%.2f ms", float64(t)/float64(millisecond))
}
