// Package programtest tests programs.
package programtest

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/netsched/netsched/examples/internal/program"
)

// Refused is a command line that a program does not take, and what it says.
type Refused struct {
	Args string // separated by spaces
	Says string
}

// Test runs a program with args: its output must hold each of want and name the
// chart, and be the same in a second run. Bad command lines must be refused as
// refused has it, and as every program does.
func Test(t *testing.T, p program.Program, args []string, want []string, refused ...Refused) {
	run := func(args ...string) (exit int, out, errs string) {
		var stdout, stderr bytes.Buffer
		exit = p.Run(args, &stdout, &stderr)
		return exit, stdout.String(), stderr.String()
	}
	file := filepath.Join(t.TempDir(), "a.png")
	exit, out, errs := run(append(args, "-chart", file)...)
	if exit != 0 {
		t.Fatalf("exit %d, error output %q", exit, errs)
	}
	for _, w := range append(want, "\nchart: "+file+"\n") {
		if !strings.Contains(out, w) {
			t.Errorf("not printed: %q\nbut:\n%s", w, out)
		}
	}
	if _, again, _ := run(append(args, "-chart", file)...); again != out {
		t.Error("a second run prints something else")
	}
	if exit, out, _ := run(append(args, "-chart", "")...); exit != 0 || strings.Contains(out, "chart:") {
		t.Errorf("without a chart: exit %d, %q", exit, out)
	}
	missing := filepath.Join(t.TempDir(), "none", "a.png")
	if exit, out, errs := run(append(args, "-chart", missing)...); exit != 1 || !strings.Contains(errs, p.Name+": -chart: ") || strings.Contains(out, "chart:") {
		t.Errorf("unwritable chart: exit %d, %q", exit, errs)
	}
	if exit, out, errs := run("-h"); exit != 0 || out != p.Usage || errs != "" {
		t.Errorf("-h: exit %d, %q, %q", exit, out, errs)
	}
	for _, r := range append(refused,
		Refused{"-chart a.gif", "-chart a.gif: the chart is a PNG, so name a file that ends in .png"},
		Refused{"-fast", "flag provided but not defined: -fast"},
		Refused{"now", `unexpected argument "now"`},
	) {
		if exit, out, errs := run(strings.Fields(r.Args)...); exit != 2 || out != "" || errs != p.Name+": "+r.Says+"\n" {
			t.Errorf("%s: exit %d, output %q, error output %q", r.Args, exit, out, errs)
		}
	}
}
