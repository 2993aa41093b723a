package priq_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/trace"
	_ "github.com/netsched/netsched/internal/trace/builders"
)

// TestRecorded replays every recorded run of ALTQ's. Those with RED, which is
// not here, and with CoDel, whose polls promise nothing there, are skipped. A
// copy of the module alone does not have the runs.
func TestRecorded(t *testing.T) {
	const folder = "../../conformance/testdata/bsd"
	names, err := filepath.Glob(folder + "/priq-*.trace.gz")
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("the recorded runs are in module conformance, which is not here")
	}
	for _, name := range names {
		name = filepath.Base(name)
		t.Run(name, func(t *testing.T) {
			run, err := trace.ReadFile(os.DirFS(folder), name)
			require.NoError(t, err)
			r := trace.Replay(run)
			if strings.HasPrefix(name, "priq-08-") || strings.HasPrefix(name, "priq-09-") {
				assert.Equal(t, trace.Skipped, r.Status)
				assert.Contains(t, r.Reason, "option ")
				return
			}
			assert.Equal(t, trace.Passed, r.Status, "%v", r)
		})
	}
}
