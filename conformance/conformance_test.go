// Package conformance replays every recorded run of the reference
// implementations that this repository has. It is a module of its own so that
// who imports the library does not download the runs.
package conformance

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/netsched/netsched/internal/trace"
	_ "github.com/netsched/netsched/internal/trace/builders"
)

// recorded is how many runs each folder holds.
var recorded = map[string]int{"aqm": 173, "classful": 156, "bsd": 130}

// incomplete is how many runs of a kind that has a builder may be skipped for
// an option that does not exist: RED leaves, and CoDel's below a priq.
var incomplete = map[string]int{"altq priq": 2, "altq cbq": 1}

// tally counts the results of one kind of run.
type tally struct {
	passed, skipped int
	registered      bool
	reason          string // of the last skip
}

// TestRecordedRuns replays each run. One whose discipline, or an option of it,
// does not exist yet is skipped and says so; but of a kind for which a builder
// is registered only so many as incomplete tells.
func TestRecordedRuns(t *testing.T) {
	var mu sync.Mutex
	kinds := map[string]*tally{}
	t.Run("run", func(t *testing.T) {
		for dir, want := range recorded {
			entries, err := os.ReadDir("testdata/" + dir)
			if err != nil {
				t.Fatal(err)
			}
			runs := 0
			for _, e := range entries {
				if !strings.HasSuffix(e.Name(), ".trace.gz") {
					continue
				}
				runs++
				t.Run(dir+"/"+strings.TrimSuffix(e.Name(), ".trace.gz"), func(t *testing.T) {
					t.Parallel()
					run, err := trace.ReadFile(os.DirFS("testdata"), dir+"/"+e.Name())
					if err != nil {
						t.Fatal(err)
					}
					res := trace.Replay(run)
					mu.Lock()
					k := kinds[run.Kind()]
					if k == nil {
						k = &tally{registered: trace.Knows(run)}
						kinds[run.Kind()] = k
					}
					k.count(res)
					mu.Unlock()
					switch res.Status {
					case trace.Failed:
						t.Errorf("%v\n%s", res, res.Diff.Context())
					case trace.Skipped:
						t.Skip(res.Reason)
					}
				})
			}
			if runs != want {
				t.Errorf("testdata/%s holds %d recorded runs, want %d", dir, runs, want)
			}
		}
	})
	var all tally
	for kind, k := range kinds {
		all.passed += k.passed
		all.skipped += k.skipped
		if k.registered && k.skipped > incomplete[kind] {
			t.Errorf("%s has a builder, but %d of its runs are skipped, not %d: %s", kind, k.skipped, incomplete[kind], k.reason)
		}
	}
	t.Logf("%d kinds of run: %d passed, %d skipped", len(kinds), all.passed, all.skipped)
}

func (k *tally) count(res trace.Result) {
	switch res.Status {
	case trace.Passed:
		k.passed++
	case trace.Skipped:
		k.skipped++
		k.reason = res.Reason
	}
}
