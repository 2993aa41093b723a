package main

import (
	"testing"
	"time"

	"github.com/netsched/netsched/examples/internal/program/programtest"
)

// delays are what a load adds over one discipline.
type delays struct {
	peak    time.Duration // of the whole run
	settled time.Duration // from startUp on
	plotted time.Duration // the largest mean of a window, what a plot shows
}

func measure(t *testing.T, l load) map[string]delays {
	t.Helper()
	all := map[string]delays{}
	for _, d := range disciplines {
		r, err := simulate(l, d, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var plotted time.Duration
		for _, w := range r.ping.RTTs.Windows() {
			plotted = max(plotted, time.Duration(w.Mean()))
		}
		all[d.name] = delays{r.ping.RTT.Max() - roundTrip, r.settled.RTT.Max() - roundTrip, plotted - roundTrip}
	}
	return all
}

// TestPeaks: FQ-CoDel and CAKE add no more delay than was read off the plots of
// the kernel's, and less than CoDel, which does so once the connections have
// found their windows; a FIFO of 1000 adds seconds.
func TestPeaks(t *testing.T) {
	limits := map[string]struct{ codel, fqCodel, cake int }{ // ms; 0: none
		"1 up":                 {0, 6, 6},
		"1 down":               {15, 2, 2},
		"1 up + 1 down":        {55, 20, 5},
		"4 up + 4 down (rrul)": {90, 33, 8},
		"50 up + 1 down":       {0, 50, 8},
	}
	for _, l := range loads {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			got, limit := measure(t, l), limits[l.name]
			t.Log(got)
			if d := got["fq_codel"].peak; d > ms(limit.fqCodel) {
				t.Errorf("fq_codel: %v, at most %d ms was published", d, limit.fqCodel)
			}
			if d := got["cake"].plotted; d > ms(limit.cake) {
				t.Errorf("cake: %v, at most %d ms was published", d, limit.cake)
			}
			if d := got["codel"].settled; limit.codel != 0 && d > ms(limit.codel) {
				t.Errorf("codel: %v after start-up, at most %d ms was published", d, limit.codel)
			}
			for _, fair := range []string{"fq_codel", "cake"} {
				if got["codel"].settled < got[fair].settled {
					t.Errorf("codel: %v, below %s's %v", got["codel"].settled, fair, got[fair].settled)
				}
			}
			if l.up > 0 && got["pfifo"].peak < 2*time.Second {
				t.Errorf("pfifo: only %v", got["pfifo"].peak)
			}
		})
	}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func TestProgram(t *testing.T) {
	var want []string
	for _, l := range loads {
		want = append(want, l.name+"   delay: p50")
	}
	programtest.Test(t, latency(), []string{"-time", "20s"}, want,
		programtest.Refused{Args: "-time 19s", Says: "-time 19s: must be 20s to 10m"},
		programtest.Refused{Args: "-time soon", Says: `invalid value "soon" for flag -time: parse error`},
	)
}
