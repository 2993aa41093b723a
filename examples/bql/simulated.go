package main

import (
	"fmt"
	"io"
)

// simulated runs and reports everything on the virtual clock.
func simulated(o *options, w io.Writer) error {
	var fulls []*full
	var halves []*half
	for _, set := range settings {
		f, err := fullDuplexRun(set, o.latency)
		if err != nil {
			return err
		}
		fulls = append(fulls, f)
	}
	for _, window := range []int{0, tcpWindow} {
		for _, set := range settings {
			h, err := halfDuplexRun(set, o.latency, window)
			if err != nil {
				return err
			}
			halves = append(halves, h)
		}
	}
	fmt.Fprintf(w, heading, float64(o.latency)/float64(millisecond))
	reportFull(w, fulls)
	reportHalf(w, halves)
	if o.chart == "" {
		return nil
	}
	if err := chart(o.chart, fulls); err != nil {
		return fmt.Errorf("-chart: %w", err)
	}
	fmt.Fprintf(w, "\nchart: %s\n", o.chart)
	return nil
}
