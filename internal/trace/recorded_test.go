package trace_test

import (
	"os"
	"testing"

	"github.com/netsched/netsched/internal/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModelsOnRecordedRuns replays every recorded run of link aggregation
// against the models, which shows that the replay of this kind is right before
// the module has it. The runs are those of the conformance
// module, which is only there in a clone.
func TestModelsOnRecordedRuns(t *testing.T) {
	const runs = "../../conformance/testdata"
	if _, err := os.Stat(runs); err != nil {
		t.Skip("not in a clone: the conformance module with its recorded runs is not beside this one")
	}
	passed := 0
	entries, err := os.ReadDir(runs + "/bsd")
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name()[:4] != "lagg" {
			continue
		}
		run, err := trace.ReadFile(os.DirFS(runs), "bsd/"+e.Name())
		require.NoError(t, err)
		if l, ok := run.(*trace.Lagg); ok && l.Header.HashesHeaders {
			continue // the model's hash is not lagg's
		}
		res := models().Replay(run)
		if assert.Equal(t, trace.Passed, res.Status, "%s: %v", e.Name(), res) {
			passed++
		}
	}
	assert.Equal(t, 73, passed)
}
