package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// squeeze folds white space, so that indentation does not count.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestQuickStart: the README's program is the tested example, to the letter.
func TestQuickStart(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	_, block, ok := strings.Cut(string(readme), "```go\n")
	require.True(t, ok, "README.md has no Go block")
	block, _, ok = strings.Cut(block, "```")
	require.True(t, ok)

	example, err := os.ReadFile(filepath.Join(root, "qdisc/quickstart_test.go"))
	require.NoError(t, err)
	require.NotEmpty(t, squeeze(block))
	require.Contains(t, squeeze(string(example)), squeeze(block))
}

// TestReadmeNames: every program and package that the README names exists.
func TestReadmeNames(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	names := regexp.MustCompile("go run \\./([a-z/]+)|`((?:qdisc|internal|conformance)/[a-z/]+)`").FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, names)
	for _, m := range names {
		dir := m[1] + m[2]
		_, err := os.Stat(filepath.Join(root, dir))
		require.NoError(t, err, "README.md names %s", dir)
	}
}
