package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

const realHeading = `
The same over a real UDP socket, about 13 s: datagrams that are frames of 1514 bytes,
through prio, onto a path of 10 Mbit/s (a veth with tbf, in namespaces of its own);
every 5 ms a small one in the first band.
`

const realMissing = `
Not possible here: %v.
The simulation above stands alone. Plain loopback would show nothing: a UDP sender is
never held back there, so there is no queue in front of the socket to keep short.
`

const realClosing = `
Delay: of the small datagrams, from Send to the receiver. In flight: bytes that the
socket was given and that have not left tbf, at the end; and the limit then: "inflight"
and "limit" of byte_queue_limits. Without a limiter the send buffer is the limit, and
what waits in it is beyond the scheduler's reach.
`

// measurement is what one run over a real socket showed.
type measurement struct {
	name           string
	mbit           float64 // of all frames received, in Mbit/s
	p50, p99, most time.Duration
	inflight       int64 // bytes, at the end
	limited        bool
	limit          int64 // bytes, at the end
}

// unavailable says what a real measurement lacks on this machine.
type unavailable struct{ what error }

func (e *unavailable) Error() string { return e.what.Error() }
func (e *unavailable) Unwrap() error { return e.what }

// measured reports what measure finds, or why that is not possible, which is
// no error.
func measured(w io.Writer, measure func() ([]measurement, error)) error {
	fmt.Fprint(w, realHeading)
	runs, err := measure()
	var lacks *unavailable
	if errors.As(err, &lacks) {
		fmt.Fprintf(w, realMissing, lacks)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "real socket\tthroughput\tdelay: p50\tp99\tmax\tin flight\tlimit\t")
	for _, r := range runs {
		limit := "-"
		if r.limited {
			limit = fmt.Sprint(r.limit)
		}
		fmt.Fprintf(t, "%s\t%.2f Mbit/s\t%s\t%s\t%s\t%d\t%s\t\n", r.name, r.mbit,
			realMS(r.p50), realMS(r.p99), realMS(r.most), r.inflight, limit)
	}
	t.Flush()
	fmt.Fprint(w, realClosing)
	return nil
}

// realMS writes a delay in milliseconds.
func realMS(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
