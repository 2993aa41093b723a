package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
)

func exec(args ...string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	exit = run(args, &out, &errs)
	return exit, out.String(), errs.String()
}

// TestPromises: what the closing words of the report say.
func TestPromises(t *testing.T) {
	var lines []*line
	for _, d := range disciplines() {
		l, err := simulate(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	fifo, codel, fq := lines[0], lines[1], lines[2]
	median := func(l *line) time.Duration { return l.ping.RTT.Quantile(0.5) }
	if median(fifo) < time.Second || fifo.sent == fifo.burst.Packets {
		t.Errorf("FIFO: median %v, %d of %d burst packets lost", median(fifo), fifo.sent-fifo.burst.Packets, fifo.sent)
	}
	if median(codel) > 50*time.Millisecond || codel.ping.RTT.Quantile(0.99) > 150*time.Millisecond {
		t.Errorf("CoDel: median %v, p99 %v", median(codel), codel.ping.RTT.Quantile(0.99))
	}
	// A ping behind at most one bulk packet and two quanta of a burst.
	if fq.ping.RTT.Max() > 45*time.Millisecond || fq.ping.Sent() != fq.ping.Received() || fq.sent != fq.burst.Packets {
		t.Errorf("FQ-CoDel: max %v, %d of %d pings and %d of %d burst packets arrived",
			fq.ping.RTT.Max(), fq.ping.Received(), fq.ping.Sent(), fq.burst.Packets, fq.sent)
	}
	for _, l := range lines {
		if share := float64(l.bulk.Acked) / float64(fifo.bulk.Acked); share < 0.95 {
			t.Errorf("%s: the bulk transfer gets %.2f of what it gets through the FIFO", l.name, share)
		}
	}
}

func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.png")
	exit, out, errs := exec("-chart", file)
	if exit != 0 || errs != "" {
		t.Fatalf("exit %d, error output %q", exit, errs)
	}
	for _, want := range []string{` FIFO of 1000 +9\.\d\d Mbit/s`, ` CoDel +8\.\d\d Mbit/s`, ` FQ-CoDel +8\.\d\d Mbit/s.* 0\n`, "chart: " + regexp.QuoteMeta(file)} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("not printed: %s\nbut:\n%s", want, out)
		}
	}
	if _, again, _ := exec("-chart", file); again != out {
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
		{[]string{"-chart", "a.gif"}, 2, "bufferbloat: -chart a.gif: the chart is a PNG, so name a file that ends in .png\n"},
		{[]string{"-fast"}, 2, "bufferbloat: flag provided but not defined: -fast\n"},
		{[]string{"now"}, 2, `bufferbloat: unexpected argument "now"` + "\n"},
	} {
		exit, out, errs := exec(c.args...)
		if exit != c.exit || errs != c.says || (out == usage) != (c.exit == 0) {
			t.Errorf("%q: exit %d, %q, error output %q; want %d, %q", c.args, exit, out, errs, c.exit, c.says)
		}
	}
	exit, out, errs := exec("-chart", filepath.Join(t.TempDir(), "none", "a.png"))
	if exit != 1 || !strings.HasPrefix(errs, "bufferbloat: -chart: ") || strings.Contains(out, "chart:") {
		t.Errorf("unwritable chart: exit %d, %q", exit, errs)
	}
	exit, out, errs = exec("-chart", "")
	if exit != 0 || errs != "" || strings.Contains(out, "chart:") {
		t.Errorf("no chart: exit %d, %q", exit, errs)
	}
	if len(chart.Colors) < len(disciplines()) {
		t.Error("two lines of one color")
	}
}
