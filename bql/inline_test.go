package bql_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestInlining: the compiler says itself which verbs cost no call.
func TestInlining(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is not here:", err)
	}
	out, err := exec.Command(tool, "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("the package cannot be built here: %v\n%s", err, out)
	}
	for _, name := range []string{
		"(*Limiter).Queued", "(*Limiter).QueuedAt", "(*Limiter).Available", "(*Limiter).Inflight", "(*Limiter).Limit", "above",
	} {
		assert.Contains(t, string(out), ": can inline "+name+" ", "%s is not inlined", name)
	}
}
