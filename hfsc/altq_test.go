package hfsc_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/trace/tracetest"
)

// recorded returns the lines of the recorded runs of a folder, by name. A copy
// of the module alone does not have them.
func recorded(t *testing.T, pattern string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../conformance/testdata/" + pattern)
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("the recorded runs are in module conformance, which is not here")
	}
	runs := map[string][]string{}
	for _, name := range names {
		f, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		var lines []string
		for sc := bufio.NewScanner(z); sc.Scan(); {
			lines = append(lines, sc.Text())
		}
		require.NoError(t, f.Close())
		runs[strings.TrimSuffix(filepath.Base(name), ".trace.gz")] = lines
	}
	return runs
}

func number(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	require.NoError(t, err)
	return n
}

// TestAgainstALTQ: the BSD scheduler has the same ancestor as this one, and
// within a second each class gets the same, within a packet a level in all runs
// with real time and link sharing alone.
func TestAgainstALTQ(t *testing.T) { tracetest.Recorded(t, "bsd/hfsc-*") }
