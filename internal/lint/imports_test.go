package lint

import (
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/netsched/netsched"

const root = "../.."

// sources calls f for every Go file of the root module.
func sources(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir // another module
			}
		}
		if strings.HasSuffix(path, ".go") {
			f(path)
		}
		return nil
	})
	require.NoError(t, err)
}

// kind sorts the packages of the module by what they may import.
func kind(dir string) string {
	switch {
	case dir == "qdisc":
		return "contract"
	case strings.HasPrefix(dir, "internal/trace"), dir == "internal/qtest":
		return "harness"
	case strings.HasPrefix(dir, "internal/"):
		return "leaf"
	case dir == "qdisc/fifo":
		return "fifo"
	case dir == "qdisc/tc", dir == "qdisc/pf", dir == "qdisc/netsim", dir == "qdisc/qdisctest", strings.HasPrefix(dir, "qdisc/txq"):
		return "user"
	}
	return "discipline"
}

// allowed tells whether a package of kind from may import the module's
// package dir.
func allowed(from, dir string) bool {
	to := kind(dir)
	switch from {
	case "contract":
		return to == "leaf"
	case "leaf", "fifo":
		return to == "contract" || to == "leaf"
	case "discipline": // never each other, but for the default leaf
		return to == "contract" || to == "leaf" || to == "fifo"
	}
	return to != "harness" || from == "harness"
}

// TestImports holds the layers apart: what is not test code imports the
// standard library and the module's own packages, and those only downwards.
func TestImports(t *testing.T) {
	seen := 0
	sources(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		dir := filepath.ToSlash(filepath.Dir(rel))
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			seen++
			imp, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if own, ok := strings.CutPrefix(imp, module+"/"); ok {
				if !allowed(kind(dir), own) {
					t.Errorf("%s: a %s package must not import %s", rel, kind(dir), imp)
				}
			} else if p, err := build.Import(imp, "", build.FindOnly); imp != "C" && imp != "unsafe" && (err != nil || !p.Goroot) {
				t.Errorf("%s imports %s: only the standard library and this module are allowed", rel, imp)
			}
		}
	})
	require.NotZero(t, seen)
}

// TestClocks keeps the wall clock out of everything but txq, tests included,
// and locks, atomics and goroutines out of what is not test code.
func TestClocks(t *testing.T) {
	clocks := []string{"time.Now(", "time.Since(", "time.Until(", "time.Sleep(", "time.After(", "time.AfterFunc(",
		"time.NewTimer(", "time.NewTicker(", "time.Tick("}
	concurrency := []string{"\t\"sync\"\n", "\t\"sync/atomic\"\n", "\tgo func(", "\tselect {", "make(chan "}
	sources(t, func(path string) {
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, "qdisc/txq/") || strings.HasPrefix(rel, "internal/lint/") {
			return
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, b := range clocks {
			if strings.Contains(string(src), b) {
				t.Errorf("%s uses %s...): time is passed in", rel, b)
			}
		}
		if strings.HasSuffix(rel, "_test.go") || rel == "lagg/shared.go" { // made for many goroutines
			return
		}
		for _, b := range concurrency {
			if strings.Contains(string(src), b) {
				t.Errorf("%s has %q: a discipline has one owner", rel, strings.TrimSpace(b))
			}
		}
	})
}

// TestFileSize: one concept, one file.
func TestFileSize(t *testing.T) {
	sources(t, func(path string) {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		if n := strings.Count(string(src), "\n"); n > 500 {
			t.Errorf("%s has %d lines; split it by concept (500 at most)", path, n)
		}
	})
}
