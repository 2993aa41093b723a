package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exec runs the program and returns what it printed.
func exec(args ...string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	exit = run(args, &out, &errs)
	return exit, out.String(), errs.String()
}

func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.png")
	exit, out, errs := exec("-real=false", "-chart", file)
	if exit != 0 || errs != "" {
		t.Fatalf("exit %d, error output %q", exit, errs)
	}
	text := regexp.MustCompile(`(?m)^ +| +$`).ReplaceAllString(out, "")
	text = regexp.MustCompile(` +`).ReplaceAllString(text, " ")
	for _, want := range []string{
		"reports what has gone 0.1 ms after",
		"automatic limit: byte_queue_limits at the end\nhold_time 1000\ninflight 4542\nlimit 3028\nlimit_max 1879048192\nlimit_min 0\n",
		"limit_max 1400: byte_queue_limits at the end\nhold_time 1000\ninflight 1514\nlimit 1400\nlimit_max 1400\nlimit_min 1000\n",
		`
no limiter, ring of 64 96896 96896 - 1.000 69.37 ms 76.57 ms
automatic limit 4538 4542 1514..3028 1.000 3.00 ms 3.62 ms
limit_max 1400 1514 1514 1400 0.924 0.69 ms 1.39 ms
`,
		`
no limiter, ring of 64 none 96896 1120 kB/s 1145 3749 47 114.76 ms 516.92 ms
automatic limit none 4542 1120 kB/s 1145 3749 47 114.76 ms 516.92 ms
limit_max 1400 none 1514 1089 kB/s 0 3761 0 0.06 ms 0.06 ms
no limiter, ring of 64 45 frames 68130 882 kB/s 2771 3035 0 44.74 ms 102.31 ms
automatic limit 45 frames 4542 882 kB/s 2771 3035 0 44.74 ms 102.31 ms
limit_max 1400 45 frames 1514 1089 kB/s 0 3761 0 0.06 ms 0.06 ms
`,
		"That is +54 %; this model gives +24 % with the window and -3 % without,",
		"\nchart: " + file + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed:\n%s\nbut:\n%s", want, text)
		}
	}
	if n := colors(t, file); n < 3 {
		t.Errorf("the chart shows %d of 3 lines", n)
	}
}

// colors counts the lines that can be seen in a chart.
func colors(t *testing.T, file string) int {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	pixels := make([]int, len(lineColors))
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			for i, c := range lineColors {
				r, g, b, _ := img.At(x, y).RGBA()
				if R, G, B, _ := c.RGBA(); r == R && g == G && b == B {
					pixels[i]++
				}
			}
		}
	}
	seen := 0
	for _, n := range pixels {
		if n > img.Bounds().Dx()/2 { // more than its sample in the legend
			seen++
		}
	}
	return seen
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"-h"}, 0, ""},
		{[]string{"-latency", "-1ns"}, 2, "bql: -latency -1ns: must be 0 to 10ms\n"},
		{[]string{"-latency", "11ms"}, 2, "bql: -latency 11ms: must be 0 to 10ms\n"},
		{[]string{"-latency", "soon"}, 2, `bql: invalid value "soon" for flag -latency: parse error` + "\n"},
		{[]string{"-chart", "a.gif"}, 2, "bql: -chart a.gif: the chart is a PNG, so name a file that ends in .png\n"},
		{[]string{"-real=maybe"}, 2, `bql: invalid boolean value "maybe" for -real: parse error` + "\n"},
		{[]string{"-fast"}, 2, "bql: flag provided but not defined: -fast\n"},
		{[]string{"now"}, 2, `bql: unexpected argument "now"` + "\n"},
	} {
		exit, out, errs := exec(c.args...)
		if exit != c.exit || errs != c.says {
			t.Errorf("%q: exit %d, error output %q; want %d, %q", c.args, exit, errs, c.exit, c.says)
		}
		if (out == usage) != (c.exit == 0) {
			t.Errorf("%q printed %q", c.args, out)
		}
	}
	exit, out, errs := exec("-real=false", "-chart", filepath.Join(t.TempDir(), "none", "a.png"))
	if exit != 1 || !strings.HasPrefix(errs, "bql: -chart: ") || strings.Contains(out, "chart:") {
		t.Errorf("unwritable chart: exit %d, %q", exit, errs)
	}
	exit, out, errs = exec("-real=false", "-chart", "")
	if exit != 0 || errs != "" || strings.Contains(out, "chart:") {
		t.Errorf("no chart: exit %d, %q", exit, errs)
	}
}
