package trace

import (
	"fmt"
	"strings"
)

// Status is how a replay ended.
type Status uint8

// A run passes, fails at its first divergence, or is skipped because the
// discipline or an option of it does not exist.
const (
	Passed Status = iota
	Failed
	Skipped
)

// String returns PASS, FAIL or SKIP.
func (s Status) String() string { return [...]string{"PASS", "FAIL", "SKIP"}[s] }

// Result is the outcome of a replay.
type Result struct {
	Status     Status
	Operations int         // replayed
	Reason     string      // of Skipped: what is missing
	Diff       *Divergence // of Failed
	Rates      *Rates      // of a run that was compared at the level of rates
}

// Divergence is the first place where a replay differs from the run.
type Divergence struct {
	Line      int      // of the operation
	Operation string   // as recorded
	Recorded  string   // outcome
	Replayed  string   // outcome
	Before    []string // the five operations before, with their outcomes
}

// String describes the divergence in one line.
func (d *Divergence) String() string {
	return fmt.Sprintf("line %d: %s: recorded %q, replayed %q", d.Line, d.Operation, d.Recorded, d.Replayed)
}

// Context lists the operations before the divergence, a line each.
func (d *Divergence) Context() string { return strings.Join(d.Before, "\n") }

// String describes the result in one line.
func (r Result) String() string {
	switch r.Status {
	case Failed:
		return r.Diff.String()
	case Skipped:
		return r.Reason
	}
	if r.Rates != nil {
		return fmt.Sprintf("%d operations, %s", r.Operations, r.Rates.Summary())
	}
	return fmt.Sprintf("%d operations", r.Operations)
}

// contextOps is how many operations a divergence shows before itself.
const contextOps = 5

// replayer is what the replays of all formats share: where they are, and how
// they end.
type replayer struct {
	*text
	kind   string
	done   int // operations replayed
	op     int // line of the present operation, 0 at the creation
	perOp  int // lines that an operation takes: 1 or 2
	first  int // line of the first operation
	result *Result
}

func newReplayer(kind string, t *text, perOp int) *replayer {
	return &replayer{text: t, kind: kind, perOp: perOp}
}

// diverge ends the replay.
func (r *replayer) diverge(recorded, replayed string) {
	if r.result != nil {
		return
	}
	d := &Divergence{Line: r.op, Operation: "the configuration", Recorded: recorded, Replayed: replayed}
	if r.op > 0 {
		d.Operation = r.operation(r.op)
	}
	for n := r.op - 1; n >= r.first && len(d.Before) < contextOps; n-- {
		l := r.line(n)
		if strings.HasPrefix(l, "#") {
			continue
		}
		if r.perOp == 2 && strings.HasPrefix(l, "=") && n > r.first {
			l = r.line(n-1) + " " + l
			n--
		}
		d.Before = append([]string{fmt.Sprintf("line %d: %s", n, l)}, d.Before...)
	}
	r.result = &Result{Status: Failed, Operations: r.done, Diff: d}
}

// check ends the replay if err is not nil: as skipped if something is missing,
// else as a divergence from what should have been.
func (r *replayer) check(should string, err error) {
	switch {
	case err == nil || r.result != nil:
	case isMissing(err):
		r.result = &Result{Status: Skipped, Operations: r.done, Reason: r.kind + ": " + err.Error()}
	default:
		r.diverge(should, "error: "+err.Error())
	}
}

// finish returns the result; without one the run has passed. It also turns a
// panic of the discipline into a divergence, and so must be deferred.
func (r *replayer) finish(to *Result) {
	if p := recover(); p != nil {
		r.result = nil
		r.diverge("no panic", fmt.Sprintf("panic: %v", p))
	}
	if r.result == nil {
		r.result = &Result{Status: Passed, Operations: r.done}
	}
	*to = *r.result
}

// compare compares a counter of the trailer.
func (r *replayer) compare(s stat, prefix string, got int64, ok bool) {
	r.op = s.line
	switch {
	case !ok:
		r.diverge(fmt.Sprintf("%s%s %d", prefix, s.name, s.value), "no such statistic")
	case got != s.value:
		r.diverge(fmt.Sprintf("%s%s %d", prefix, s.name, s.value), fmt.Sprintf("%s%s %d", prefix, s.name, got))
	}
}
