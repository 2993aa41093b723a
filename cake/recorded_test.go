package cake_test

import (
	"testing"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

// TestRecorded replays runs of the reference: super-packets, acknowledgements
// and autorate on ingress; a filter at its most aggressive, over changes; and
// changes of nearly everything. Package conformance has all.
func TestRecorded(t *testing.T) {
	for _, name := range []string{"cake-18", "cake-21", "cake-31"} {
		t.Run(name, func(t *testing.T) { tracetest.Replay(t, name+".trace.gz") })
	}
}
