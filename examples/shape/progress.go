package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A progress line is rewritten in place on a terminal, and is a line of its own
// elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.terminal = info.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

// every returns how often to show something.
func (p *progress) every() time.Duration {
	if p.terminal {
		return 200 * time.Millisecond
	}
	return time.Second
}

func (p *progress) show(format string, args ...any) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r"+format+"\x1b[K", args...)
	} else {
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// done leaves a terminal's cursor on a new line.
func (p *progress) done() {
	if p.terminal {
		fmt.Fprintln(p.w)
	}
}
