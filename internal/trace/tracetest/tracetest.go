// Package tracetest lets a package's own test replay a recorded run:
//
//	func TestRecorded(t *testing.T) { tracetest.Replay(t, "tbf-basic.trace.gz") }
//
// in an external test (package tbf_test), as it imports every discipline.
package tracetest

import (
	"testing"

	"github.com/netsched/netsched/internal/trace"
	_ "github.com/netsched/netsched/internal/trace/builders"
)

// Read reads one of trace.Samples.
func Read(t testing.TB, name string) trace.Run {
	t.Helper()
	run, err := trace.ReadFile(trace.Samples, "testdata/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Replay replays one of trace.Samples, which must pass.
func Replay(t testing.TB, name string) {
	t.Helper()
	res := trace.Replay(Read(t, name))
	switch {
	case res.Diff != nil:
		t.Fatalf("%s: %v\n%s", name, res, res.Diff.Context())
	case res.Status != trace.Passed:
		t.Fatalf("%s: %v: %v", name, res.Status, res)
	}
}
