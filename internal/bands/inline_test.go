package bands_test

import (
	"testing"

	"github.com/netsched/netsched/internal/qtest"
)

// TestInlined: keeping the sets costs no call.
func TestInlined(t *testing.T) {
	qtest.Inlined(t, "(*Bands).settle", "Sync", "Child", "first")
}
