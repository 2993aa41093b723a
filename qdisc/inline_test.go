package qdisc_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestInlining: the verbs that every packet passes cost no call. The compiler
// says so itself.
func TestInlining(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is not here:", err)
	}
	out, err := exec.Command(tool, "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("the package cannot be built here: %v\n%s", err, out)
	}
	why := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if _, said, ok := strings.Cut(line, ": can inline "); ok {
			name, _, _ := strings.Cut(said, " ")
			why[name] = ""
		} else if _, said, ok := strings.Cut(line, ": cannot inline "); ok {
			name, reason, _ := strings.Cut(said, ": ")
			why[name] = reason
		}
	}
	for _, name := range mustInline {
		reason, known := why[name]
		assert.True(t, known, "the compiler does not speak of %s", name)
		assert.Empty(t, reason, "%s is not inlined", name)
	}
}

var mustInline = []string{
	"(*List).Push", "(*List).Pop", "(*List).Empty", "(*List).Head",
	"(*Base).Clock", "(*Base).Arrive", "(*Base).Accept", "(*Base).Release", "(*Base).Sent",
	"(*Base).Len", "(*Base).Backlog", "(*Base).Park", "(*Base).Unpark", "(*Base).ReadyAt",
	"(*Child).Held", "Time.Add", "Time.Sub",
}
