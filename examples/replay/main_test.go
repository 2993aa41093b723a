package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/netsched/netsched/internal/trace"
)

const plainRun = `trace 1
qdisc pfifo
begin
= 0 limit 1000
E 1000 1 100 7 1 2 02 0
= 0 1 100
D 1000
= 1 02 0 0
end
S dropped 0
`

// ratesRun is compared by the bytes of each class.
const ratesRun = `scenario x
family cbq
mtu 1500
altq on if0 bandwidth 10Mb cbq queue { a }
queue a bandwidth 50% cbq(default)
run
class 1 root_if0 parent=- inner bps=10000000 prio=0 qlimit=50
class 2 a parent=root_if0 leaf bps=5000000 prio=1 qlimit=50 default
E 0 1 1000 a = ok
D 0 = 1
end enq=1
`

// write makes a folder of runs: a sample that passes, one that fails, one
// whose discipline is unknown, and a file that is no run.
func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sample, err := fs.ReadFile(trace.Samples, "testdata/pfifo-02.trace.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string]string{
		"a.trace.gz": string(sample),
		"b.trace":    strings.Replace(plainRun, "= 1 02 0 0", "= 1 03 0 0", 1),
		"c.trace":    strings.Replace(plainRun, "pfifo", "lifo", 1),
		"NOTES.md":   "not a run",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRun(t *testing.T) {
	dir := write(t)
	a, b, c := filepath.Join(dir, "a.trace.gz"), filepath.Join(dir, "b.trace"), filepath.Join(dir, "c.trace")
	passes := "PASS " + a + ": 1239 operations\n"
	fails := "FAIL " + b + `: line 7: D 1000: recorded "= 1 03 0 0", replayed "= 1 02 0 0"` + "\n" +
		"    line 5: E 1000 1 100 7 1 2 02 0 = 0 1 100\n"
	skips := "SKIP " + c + ": aqm lifo: no such discipline yet\n"
	cases := []struct {
		name  string
		paths []string
		exit  int
		out   string
	}{
		{"folder", []string{dir}, 1, passes + fails + skips + "1 passed, 1 failed, 1 skipped\n"},
		{"files in any order, twice", []string{c, a, c}, 0, passes + skips + "1 passed, 0 failed, 1 skipped\n"},
		{"no such file", []string{filepath.Join(dir, "none")}, 2, ""},
		{"not a run", []string{filepath.Join(dir, "NOTES.md"), a}, 2, passes + "1 passed, 0 failed, 0 skipped\n"},
		{"folder without runs", []string{t.TempDir()}, 2, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if exit := run(tc.paths, &out, &errs); exit != tc.exit {
				t.Errorf("exit %d, want %d", exit, tc.exit)
			}
			if out.String() != tc.out {
				t.Errorf("printed\n%swant\n%s", out.String(), tc.out)
			}
			if (errs.Len() > 0) != (tc.exit == 2) {
				t.Errorf("error output %q", errs.String())
			}
		})
	}
}

// TestRates: what each class got follows.
func TestRates(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.trace")
	if err := os.WriteFile(file, []byte(ratesRun), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if exit := run([]string{file}, &out, &errs); exit != 0 {
		t.Errorf("exit %d: %s", exit, errs.String())
	}
	want := "PASS " + file + ": 2 operations, 1 classes at most 0 bytes apart within a second, tolerance 10000\n" +
		"    class a: 1000 bytes, the reference 1000 (+0.00 %); within a second at most 0 apart, in all at most 0 ahead and 0 behind\n" +
		"1 passed, 0 failed, 0 skipped\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

func TestWithoutPath(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("conformance/testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("conformance/testdata/a.trace", []byte(plainRun), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("below", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir("below")
	var out, errs bytes.Buffer
	if exit := run(nil, &out, &errs); exit != 0 {
		t.Errorf("exit %d: %s", exit, errs.String())
	}
	for _, want := range []string{"No path given", "1 passed, 0 failed, 0 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
