package cbq_test

import (
	"testing"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

// TestAgainstALTQ: within a second each class gets what the BSD scheduler gave
// it, but where that one is known to be wrong.
func TestAgainstALTQ(t *testing.T) { tracetest.Recorded(t, "bsd/cbq-*") }

// TestAgainstLinux is the same for Linux's scheduler.
func TestAgainstLinux(t *testing.T) { tracetest.Recorded(t, "classful/cbq-*") }
