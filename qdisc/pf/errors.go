package pf

import "fmt"

// Pos is a place in a text. Both count from 1; columns count characters. The
// zero value is no place.
type Pos struct{ Line, Column int }

// Error is what is wrong with a text, and where.
type Error struct {
	Pos
	Text string // what is wrong, and what was expected
	Err  error  // of the discipline that was to be built; nil: none
}

// Error prints the place and the text.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

func (p Pos) errorf(format string, args ...any) *Error {
	return &Error{Pos: p, Text: fmt.Sprintf(format, args...)}
}

// refuse says that a discipline did not take what stands at p.
func (p Pos) refuse(what string, err error) *Error {
	return &Error{Pos: p, Text: what + ": " + err.Error(), Err: err}
}
