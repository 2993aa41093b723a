// Package program is what the simulating examples share as commands: options,
// help, exit codes, and a chart whose path is printed last.
package program

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/netsched/netsched/examples/internal/chart"
)

// Program is a command.
type Program struct {
	Name  string
	Usage string
	// Flags adds options to -chart. check tells what is wrong with their
	// values. nil: there are none.
	Flags func(f *flag.FlagSet) (check func() error)
	// Simulate does the work and reports on stdout. It returns the chart.
	Simulate func(stdout, stderr io.Writer) ([]chart.Panel, error)
}

// Main runs the program and exits.
func (p Program) Main() { os.Exit(p.Run(os.Args[1:], os.Stdout, os.Stderr)) }

// Run runs the program and returns the exit code: 2 for a bad command line, 1
// for another error.
func (p Program) Run(args []string, stdout, stderr io.Writer) int {
	file, err := p.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, p.Usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
		return 2
	}
	panels, err := p.Simulate(stdout, stderr)
	if err == nil && file != "" {
		if err = chart.Save(file, panels...); err != nil {
			err = fmt.Errorf("-chart: %w", err)
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
		return 1
	}
	if file != "" {
		fmt.Fprintf(stdout, "\nchart: %s\n", file)
	}
	return 0
}

// parse reads the command line and returns where the chart goes, "" for none.
func (p Program) parse(args []string) (file string, err error) {
	f := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	f.SetOutput(io.Discard) // Run prints the error, once
	f.StringVar(&file, "chart", filepath.Join(os.TempDir(), "netsched-"+p.Name+".png"), "")
	check := func() error { return nil }
	if p.Flags != nil {
		check = p.Flags(f)
	}
	if err := f.Parse(args); err != nil {
		return "", err
	}
	switch {
	case f.NArg() > 0:
		return "", fmt.Errorf("unexpected argument %q", f.Arg(0))
	case file != "" && filepath.Ext(file) != ".png":
		return "", fmt.Errorf("-chart %s: the chart is a PNG, so name a file that ends in .png", file)
	}
	return file, check()
}
