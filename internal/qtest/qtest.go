// Package qtest holds what the tests of several disciplines share and
// qdisctest, which is for everybody, need not offer.
package qtest

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// Parent is a discipline with children that can be looked up.
type Parent interface {
	qdisc.Parent
	Child(class uint32) qdisc.Qdisc
}

// CheckSums checks the identities of Stats, and the fill against the children.
func CheckSums(t testing.TB, q Parent) {
	t.Helper()
	s := q.Common().ReadStats()
	n, bytes := 0, int64(0)
	for class, c := range q.Children() {
		if c != q.Child(class) {
			t.Fatalf("class %d: Children and Child differ", class)
		}
		n += c.Len()
		bytes += c.Backlog()
	}
	if s.Received+s.Split != s.Queued+s.Refused || s.Queued != s.Dequeued+s.Dropped+s.Purged+uint64(q.Len()) ||
		n != q.Len() || bytes != q.Backlog() {
		t.Fatalf("%+v; %d packets held, %d in the children", s, q.Len(), n)
	}
}

// Balanced checks the identities of Stats, of a discipline without children.
func Balanced(t testing.TB, q qdisc.Qdisc) {
	t.Helper()
	s := q.Common().ReadStats()
	if s.Received+s.Split != s.Queued+s.Refused || s.Queued != s.Dequeued+s.Dropped+s.Purged+uint64(q.Len()) {
		t.Fatalf("%+v; %d packets held", s, q.Len())
	}
}

// Drain dequeues all at now and returns the lengths in order.
func Drain(q qdisc.Qdisc, now qdisc.Time) (list []int) {
	for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
		list = append(list, int(p.Len))
	}
	return list
}

// Fields returns the names of the fields that the ConfigErrors joined in err
// complain of, each with a reason.
func Fields(t testing.TB, err error) (names []string) {
	t.Helper()
	if err == nil {
		return nil
	}
	all := []error{err}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		all = j.Unwrap()
	}
	for _, e := range all {
		var ce *qdisc.ConfigError
		if !errors.As(e, &ce) || ce.Why == "" {
			t.Fatalf("no ConfigError with a reason: %v", e)
		}
		names = append(names, ce.Field)
	}
	return names
}

// ConfigErrors checks that err has a ConfigError with a reason, and says all of
// texts.
func ConfigErrors(t testing.TB, err error, texts ...string) {
	t.Helper()
	var ce *qdisc.ConfigError
	if !errors.As(err, &ce) {
		t.Fatalf("no ConfigError: %v", err)
	}
	if ce.Why == "" {
		t.Error("a ConfigError without a reason")
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q is not in the error: %v", text, err)
		}
	}
}

// Inlined checks that a call of each of these functions of the package under
// test costs none. The compiler says so itself.
func Inlined(t *testing.T, names ...string) {
	t.Helper()
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
	for _, name := range names {
		if reason, known := why[name]; !known {
			t.Errorf("the compiler does not speak of %s", name)
		} else if reason != "" {
			t.Errorf("%s is not inlined: %s", name, reason)
		}
	}
}

// FIFO returns an empty FIFO of limit packets.
func FIFO(limit int) *fifo.FIFO {
	f, err := fifo.New(fifo.Config{Limit: &limit})
	if err != nil {
		panic(err)
	}
	return f
}
