// Command replay compares this module with recorded runs of reference
// implementations:
//
//	go run ./examples/replay PATH...
//
// Each PATH is a run, plain or gzipped, or a folder of runs. Without a PATH it
// replays the runs of the conformance module, found from inside a clone. It
// prints a line a run: PASS; FAIL with the first operation whose outcome
// differs, both outcomes, and the five operations before; or SKIP with what
// is missing. Where the reference is known to be inaccurate (cbq), or chooses
// another packet by design (ALTQ's hfsc), a run is compared by the bytes that
// each class got within each second: then what each class got follows, and the
// line names the defect of the reference if that is why they differ.
// It exits 1 if a run failed, 2 on a bad argument.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/netsched/netsched/internal/trace"
	_ "github.com/netsched/netsched/internal/trace/builders"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: replay [file or folder of recorded runs]...")
	}
	flag.Parse()
	os.Exit(run(flag.Args(), os.Stdout, os.Stderr))
}

func run(paths []string, out, errs io.Writer) (exit int) {
	if len(paths) == 0 {
		dir, err := conformanceRuns()
		if err != nil {
			fmt.Fprintln(errs, "replay:", err)
			return 2
		}
		fmt.Fprintf(out, "No path given: replaying the runs of the conformance module, %s.\n", dir)
		paths = []string{dir}
	}
	files, err := findRuns(paths)
	if err != nil {
		fmt.Fprintln(errs, "replay:", err)
		return 2
	}
	var count [3]int
	unreadable := 0
	for r := range replayAll(files) {
		if r.err != nil {
			fmt.Fprintln(errs, "replay:", r.err)
			unreadable++
			continue
		}
		count[r.Status]++
		fmt.Fprintln(out, r.Status, r.file+":", r.Result)
		if r.Diff != nil && len(r.Diff.Before) > 0 {
			fmt.Fprintln(out, indent(r.Diff.Context()))
		}
		if r.Rates != nil {
			fmt.Fprintln(out, indent(r.Rates.Details()))
		}
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", count[trace.Passed], count[trace.Failed], count[trace.Skipped])
	switch {
	case unreadable > 0:
		fmt.Fprintf(errs, "replay: %d files could not be read\n", unreadable)
		return 2
	case count[trace.Failed] > 0:
		return 1
	}
	return 0
}

func indent(lines string) string { return "    " + strings.ReplaceAll(lines, "\n", "\n    ") }

// findRuns lists the files of paths in order of name.
func findRuns(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found := 0
		err = filepath.WalkDir(path, func(file string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(file, ".trace") || strings.HasSuffix(file, ".trace.gz")) {
				files = append(files, file)
				found++
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if found == 0 {
			return nil, fmt.Errorf("%s holds no file named *.trace or *.trace.gz", path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// conformanceRuns looks for the recorded runs from the present folder upwards.
func conformanceRuns() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; {
		runs := filepath.Join(dir, "conformance", "testdata")
		if info, err := os.Stat(runs); err == nil && info.IsDir() {
			return filepath.Rel(start, runs)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("give a file or folder of recorded runs; without one it must run inside a clone of the repository, which has them in conformance/testdata")
		}
		dir = up
	}
}

type result struct {
	trace.Result
	file string
	err  error
}

// replayAll replays the files on all CPUs and gives the results in order.
func replayAll(files []string) func(yield func(result) bool) {
	return func(yield func(result) bool) {
		done := make([]chan result, len(files))
		for i := range done {
			done[i] = make(chan result, 1)
		}
		slots := make(chan struct{}, runtime.GOMAXPROCS(0))
		go func() {
			for i, file := range files {
				slots <- struct{}{}
				go func() {
					done[i] <- replay(file)
					<-slots
				}()
			}
		}()
		for _, d := range done {
			if !yield(<-d) {
				return
			}
		}
	}
}

func replay(file string) result {
	f, err := os.Open(file)
	if err != nil {
		return result{err: err}
	}
	defer f.Close()
	r, err := trace.Read(file, f)
	if err != nil {
		return result{err: err}
	}
	return result{Result: trace.Replay(r), file: file}
}
