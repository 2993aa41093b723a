package trace_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/internal/trace/tracetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	cases := []struct {
		run, kind  string
		operations int
	}{
		{fifoRun, "aqm pfifo", 13},
		{dqlRun, "aqm dql", 5},
		{tbfRun, "classful tbf", 19},
		{priqRun, "altq priq", 10},
		{laggRun, "lagg roundrobin", 19},
		{hashRun, "lagg hash", 2},
	}
	for _, c := range cases {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, err := z.Write([]byte(c.run))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		for _, raw := range []string{c.run, zipped.String(), strings.ReplaceAll(c.run, "\n", "\r\n")} {
			run, err := trace.Read("here", strings.NewReader(raw))
			require.NoError(t, err)
			assert.Equal(t, "here", run.Name())
			assert.Equal(t, c.kind, run.Kind())
			assert.Equal(t, c.operations, run.Operations(), c.kind)
		}
	}
}

// TestSyntaxErrors: an error names the line.
func TestSyntaxErrors(t *testing.T) {
	cases := []struct{ run, was, is, want string }{
		{fifoRun, "trace 1", "trace 2", "r:2: format trace 2: only version 1 is known"},
		{fifoRun, "trace 1", "tarce 1", `r:2: "tarce": not a format of recorded runs`},
		{fifoRun, "opt limit 2", "opt limit", "r:4: value is missing"},
		{fifoRun, "start 1000", "strat 1000", `r:6: unknown header line "strat"`},
		{fifoRun, "rand const 0", "rand dice 0", `r:5: unknown random source "dice"`},
		{fifoRun, "E 1000 1 100", "E 1000 0 100", "r:9: packet 0: numbers start at 1"},
		{fifoRun, "7 1 2 01 0 mark=3", "7 1 2 01 0 mark=x", `r:13: mark "x": not a number of 32 bits`},
		{fifoRun, "= 0 2 300\n", "", "r:14: want the result of the operation above"},
		{fifoRun, "x3:ns", "y3:ns", `r:16: unknown tag "y3:ns"`},
		{fifoRun, "X 1003 limit 5", "X 1003 limit", "r:19: value is missing"},
		{fifoRun, "D 1005", "F 1005", `r:23: unknown operation "F"`},
		{fifoRun, "S backlog 64", "S backlog", "r:41: value is missing"},
		{"trace 1\nqdisc pfifo", "", "", "r:2: the line begin is missing"},
		{"", "", "", "r:0: empty"},
		{tbfRun, "end 1002500003", "stop 1002500003", `r:26: unknown operation "stop"`},
		{tbfRun, "= ok\nD", "= fine\nD", `r:7: unknown verdict "fine"`},
		{tbfRun, "D 1000000000 = 1", "D 1000000000", "r:8: the outcome is missing"},
		{tbfRun, "D 1000000000 = 1", "D 1000000000 = 1 2x", `r:8: packet "2x": not a number of 64 bits`},
		{tbfRun, "qdisc tbf rate", "qdisc tbf 5 rate", "r:4: 5 stands before any parameter"},
		{tbfRun, "bytes=5500", "bytes=", `r:27: "bytes=": not a number`},
		{prioRun, "p6 1", "p16 1", `r:12: priority "16": not a number of 4 bits`},
		{priqRun, "class 2", "class 3", "r:13: class 3, want 2"},
		{priqRun, "= no drop 3", "= maybe", "r:17: want ok or no"},
		{priqRun, "stat 1 p0", "stat 1 p1", `r:25: class 1 is not "p1"`},
		{dqlRun, "L min 10", "L mean 10", `r:11: unknown limit "mean"`},
		{dqlRun, " 7\nA", "\nA", "r:6: counter is missing"},
		{laggRun, "X 3 p1 = accept", "X 3 p1 = perhaps", "r:8: want accept or drop"},
		{laggRun, "S 2", "S two", `r:16: number "two": not a number of 32 bits`},
	}
	for _, c := range cases {
		require.Contains(t, c.run, c.was)
		_, err := trace.Read("r", strings.NewReader(strings.Replace(c.run, c.was, c.is, 1)))
		assert.EqualError(t, err, c.want)
		var syntax *trace.SyntaxError
		assert.ErrorAs(t, err, &syntax)
	}
}

// TestSkips: what is missing is said, and is no failure.
func TestSkips(t *testing.T) {
	cases := []struct{ run, was, is, want string }{
		{fifoRun, "qdisc pfifo", "qdisc lifo", "aqm lifo: no such discipline yet"},
		{fifoRun, "opt limit 2", "opt colour 2", "aqm pfifo: option colour"},
		{fifoRun, "X 1003 limit 5", "X 1003 colour 5", "aqm pfifo: option colour"},
		{tbfRun, "limit 3000", "limit 3000 atm 1", "classful tbf: option atm"},
		{tbfRun, "begin", "class 1 rate 5\nbegin", "classful tbf: classes cannot be added"},
		{tbfRun, "R 1002500002", "X 1002500002 1", "classful tbf: operation X"},
		{priqRun, "priq(default)", "priq(default red)", "altq priq: option red of a queue"},
	}
	for _, c := range cases {
		require.Contains(t, c.run, c.was)
		res := replay(t, strings.Replace(c.run, c.was, c.is, 1))
		assert.Equal(t, trace.Skipped, res.Status)
		assert.Equal(t, c.want, res.Reason)
	}
}

// TestDivergence: a failure shows the operation, both outcomes and what came
// before.
func TestDivergence(t *testing.T) {
	res := replay(t, strings.Replace(fifoRun, "= 2 01 1 60", "= 2 01 1 61", 1))
	require.NotNil(t, res.Diff)
	assert.Equal(t, `line 23: D 1005: recorded "= 2 01 1 61", replayed "= 2 01 1 60"`, res.String())
	assert.Equal(t, strings.TrimSpace(`
line 13: E 1001 2 200 7 1 2 01 0 mark=3 = 0 2 300
line 15: E 1002 3 50 7 1 2 00 0 ip6 = 1 2 300 x3:ns t1:50
line 17: D 1003 = 1 02 1 200
line 19: X 1003 limit 5 = 0 1 200
line 21: E 1004 4 60 7 1 2 ff 0 = 0 2 260`), res.Diff.Context())

	res = replay(t, strings.Replace(tbfRun, "D 1001000000 = 2", "D 1001000000 = 4", 1))
	require.NotNil(t, res.Diff)
	assert.Equal(t, `line 15: D 1001000000: recorded "4", replayed "2"`, res.String())
	assert.Len(t, res.Diff.Before, 5)
}

func TestPanicFails(t *testing.T) {
	r := models()
	r.AQM("toy", trace.AQMKind{Build: func(*trace.AQMHeader, *trace.Env) (*trace.AQMTarget, error) {
		return &trace.AQMTarget{}, nil // no discipline
	}})
	run, err := trace.Read("r", strings.NewReader(strings.Replace(toyRun, "limit 77", "limit 0", 1)))
	require.NoError(t, err)
	res := r.Replay(run)
	require.Equal(t, trace.Failed, res.Status)
	assert.Contains(t, res.String(), "panic")
}

func FuzzRead(f *testing.F) {
	for _, run := range []string{fifoRun, headDropRun, toyRun, tbfRun, prioRun, priqRun, dqlRun, laggRun, hashRun} {
		f.Add(run)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		run, err := trace.Read("r", strings.NewReader(raw))
		if err != nil {
			var syntax *trace.SyntaxError
			require.ErrorAs(t, err, &syntax)
			return
		}
		res := models().Replay(run)
		require.True(t, res.Status != trace.Failed || res.Diff != nil)
		if l, ok := run.(*trace.Lagg); !ok || l.Header.HashesHeaders {
			require.NotContains(t, res.String(), "panic: runtime error")
		}
	})
}

// BenchmarkReplay: one operation is one operation of the run.
func BenchmarkReplay(b *testing.B) {
	for _, name := range []string{"pfifo-02.trace.gz", "tbf-basic.trace.gz"} {
		b.Run("run="+name, func(b *testing.B) {
			run := tracetest.Read(b, name)
			for b.Loop() {
				trace.Replay(run)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*run.Operations()), "ns/operation")
		})
	}
}
