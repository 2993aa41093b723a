package multiq_test

import (
	"testing"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

func TestRecorded(t *testing.T) { tracetest.Replay(t, "multiq-slow-one.trace.gz") }
