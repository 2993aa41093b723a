package codel_test

import (
	"testing"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

// TestRecorded replays runs of the reference. Among them they have drops and
// marks by the law, both limits, peeks, changes and a reset.
func TestRecorded(t *testing.T) {
	for _, name := range []string{
		"codel-01", "codel-11", "codel-21",
		"fq_codel-12", "fq_codel-25", "fq_codel-26",
	} {
		t.Run(name, func(t *testing.T) { tracetest.Replay(t, name+".trace.gz") })
	}
}
