package bql_test

import (
	"testing"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

// TestRecorded replays two runs of the reference: a small one, and one with
// resets, changes of all limits, crossed ones among them, and objects of up to
// 2^28-1 bytes. The conformance module replays all 26.
func TestRecorded(t *testing.T) {
	tracetest.Replay(t, "dql-14.trace.gz")
	tracetest.Replay(t, "dql-12.trace.gz")
}
