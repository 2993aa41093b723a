package tracetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/netsched/netsched/internal/trace"
)

// Recorded replays, in a test each, the recorded runs of the conformance module
// whose files match pattern, such as "bsd/cbq-*", from the folder of a package
// at the top of this module. None may differ, and what runs at the level of
// rates is logged. A copy of the module alone does not have the runs.
func Recorded(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../conformance/testdata", pattern+".trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Skip("the recorded runs are in module conformance, which is not here")
	}
	for _, name := range names {
		dir, base := filepath.Split(name)
		t.Run(strings.TrimSuffix(base, ".trace.gz"), func(t *testing.T) {
			run, err := trace.ReadFile(os.DirFS(dir), base)
			if err != nil {
				t.Fatal(err)
			}
			res := trace.Replay(run)
			if res.Rates != nil {
				t.Logf("%v\n%s", res.Rates.Summary(), res.Rates.Details())
			}
			switch res.Status {
			case trace.Failed:
				t.Errorf("%v\n%s", res, res.Diff.Context())
			case trace.Skipped:
				t.Skip(res.Reason)
			}
		})
	}
}
