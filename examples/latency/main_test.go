package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func exec(args ...string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	exit = run(args, &out, &errs)
	return exit, out.String(), errs.String()
}

// peaks simulates a load over each discipline and returns the largest delays,
// and those after start-up.
func peaks(t *testing.T, l load) (peak, settled map[string]time.Duration) {
	t.Helper()
	peak, settled = map[string]time.Duration{}, map[string]time.Duration{}
	for _, d := range disciplines {
		r, err := simulate(l, d, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		peak[d.name] = r.ping.RTT.Max() - roundTrip
		settled[d.name] = r.settled.RTT.Max() - roundTrip
	}
	return peak, settled
}

// TestPeaks: FQ-CoDel adds no more delay than was published for the kernel's,
// and less than CoDel, which does so once the connections have found their
// windows; a FIFO of 1000 adds seconds.
func TestPeaks(t *testing.T) {
	limits := map[string]time.Duration{ // for fq_codel
		"1 up": 6 * time.Millisecond, "1 down": 2 * time.Millisecond, "1 up + 1 down": 20 * time.Millisecond,
		"4 up + 4 down (rrul)": 33 * time.Millisecond, "50 up + 1 down": 50 * time.Millisecond,
	}
	codel := map[string]time.Duration{
		"1 down": 15 * time.Millisecond, "1 up + 1 down": 55 * time.Millisecond, "4 up + 4 down (rrul)": 90 * time.Millisecond,
	}
	for _, l := range loads {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			peak, settled := peaks(t, l)
			t.Log(peak, settled)
			if limit := limits[l.name]; limit == 0 || peak["fq_codel"] > limit {
				t.Errorf("fq_codel: %v, at most %v was published", peak["fq_codel"], limit)
			}
			if limit := codel[l.name]; limit != 0 && settled["codel"] > limit {
				t.Errorf("codel: %v after start-up, at most %v was published", settled["codel"], limit)
			}
			if peak["codel"] < peak["fq_codel"] {
				t.Errorf("codel: %v, below fq_codel's %v", peak["codel"], peak["fq_codel"])
			}
			if l.up > 0 && peak["pfifo"] < 2*time.Second {
				t.Errorf("pfifo: only %v", peak["pfifo"])
			}
		})
	}
}

func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.png")
	exit, out, errs := exec("-time", "20s", "-chart", file)
	if exit != 0 || !strings.Contains(errs, "\r1 up, pfifo ...") {
		t.Fatalf("exit %d, error output %q", exit, errs)
	}
	for _, l := range loads {
		if !strings.Contains(out, l.name+"   delay: p50") {
			t.Errorf("%s is not in the output:\n%s", l.name, out)
		}
	}
	if !strings.HasSuffix(out, "\nchart: "+file+"\n") {
		t.Errorf("no chart named:\n%s", out)
	}
	if _, again, _ := exec("-time", "20s", "-chart", file); again != out {
		t.Error("a second run prints something else")
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"-h"}, 0, ""},
		{[]string{"-chart", "a.gif"}, 2, "latency: -chart a.gif: the chart is a PNG, so name a file that ends in .png\n"},
		{[]string{"-time", "19s"}, 2, "latency: -time 19s: must be 20s to 10m\n"},
		{[]string{"-time", "soon"}, 2, `latency: invalid value "soon" for flag -time: parse error` + "\n"},
		{[]string{"-fast"}, 2, "latency: flag provided but not defined: -fast\n"},
		{[]string{"now"}, 2, `latency: unexpected argument "now"` + "\n"},
	} {
		exit, out, errs := exec(c.args...)
		if exit != c.exit || errs != c.says || (out == usage) != (c.exit == 0) {
			t.Errorf("%q: exit %d, %q, error output %q; want %d, %q", c.args, exit, out, errs, c.exit, c.says)
		}
	}
	exit, out, errs := exec("-time", "20s", "-chart", filepath.Join(t.TempDir(), "none", "a.png"))
	if exit != 1 || !strings.Contains(errs, "latency: -chart: ") || strings.Contains(out, "chart:") {
		t.Errorf("unwritable chart: exit %d, %q", exit, errs)
	}
}
