package trace

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Run is one recorded run: an *AQM, *DQL, *Classful, *ALTQ or *Lagg.
type Run interface {
	// Name returns the name that the run was read under.
	Name() string
	// Kind names the discipline and the family of runs, such as "classful tbf".
	Kind() string
	// Operations returns the number of operations.
	Operations() int

	replay(*Registry) Result
}

// maxSize is that of an unpacked run, in bytes, far above the longest recorded.
const maxSize = 16 << 20

// Read parses a run, plain or gzipped, whose name is used in messages. The
// error names the line.
func Read(name string, r io.Reader) (Run, error) {
	in := bufio.NewReader(r)
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, &SyntaxError{name, 0, err.Error()}
		}
		defer z.Close()
		in = bufio.NewReader(z)
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxSize+1))
	if err != nil {
		return nil, &SyntaxError{name, 0, err.Error()}
	}
	if len(raw) > maxSize {
		return nil, &SyntaxError{name, 0, fmt.Sprintf("longer than %d bytes", maxSize)}
	}
	return parse(name, string(raw))
}

// ReadFile parses the run in a file.
func ReadFile(fsys fs.FS, file string) (Run, error) {
	f, err := fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(path.Base(file), f)
}

func parse(name, raw string) (Run, error) {
	lines := strings.Split(raw, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	s := &scanner{text: &text{name, lines}}
	if !s.next() {
		s.fail("empty")
		return nil, s.err
	}
	var run Run
	switch first := s.word("format"); first {
	case "trace":
		if v := s.u64("version"); v != 1 {
			s.fail("format trace %d: only version 1 is known", v)
		}
		run = parseQueue(s)
	case "qdtrace":
		if v := s.u64("version"); v != 1 {
			s.fail("format qdtrace %d: only version 1 is known", v)
		}
		run = parseClassful(s)
	case "scenario":
		s.rest = ""
		run = parseScenario(s)
	default:
		s.fail("%q: not a format of recorded runs", first)
	}
	if s.err != nil {
		return nil, s.err
	}
	return run, nil
}
