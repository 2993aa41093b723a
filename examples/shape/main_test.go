package main

import (
	"strings"
	"testing"
)

func TestBadCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-rate", "fast"}, `rate "fast"`},
		{[]string{"-rate", "0"}, "must be between"},
		{[]string{"-rate", "400kbit"}, "must be between"},
		{[]string{"-rate", "2gbit"}, "must be between"},
		{[]string{"-rate"}, "needs an argument"},
		{[]string{"-time", "0"}, "must be more than 0"},
		{[]string{"-time", "-1s"}, "must be more than 0"},
		{[]string{"-time", "10ms"}, "too short to measure"},
		{[]string{"-time", "soon"}, "not a duration"},
		{[]string{"-listen", "127.0.0.1:5000", "-forward", "127.0.0.1:5000"}, "a relay to itself"},
		{[]string{"-qdisc", "nonsense limit 3"}, "nonsense"},
		{[]string{"-qdisc", "pfifo limit x"}, "pfifo limit x"},
		{[]string{"-qdisc", "pfifo limit 5 limit 6 colour red"}, "pfifo"},
		{[]string{"-qdisc", "prio bands 1 priomap 9"}, "prio"},
		{[]string{"-qdisc", "tbf burst 1"}, "tbf"},
		{[]string{"-qdisc", ""}, "empty"},
		{[]string{"-qdisc", " "}, "empty"},
		{[]string{"-listen", "127.0.0.1:0"}, "-forward"},
		{[]string{"-forward", "127.0.0.1:9"}, "-listen"},
		{[]string{"-listen", "", "-forward", "127.0.0.1:9"}, "-listen"},
		{[]string{"-listen", "nowhere", "-forward", "127.0.0.1:9"}, "-listen"},
		{[]string{"-listen", ":0", "-forward", "127.0.0.1"}, "-forward"},
		{[]string{"-listen", ":0", "-forward", "127.0.0.1:0"}, "-forward"},
		{[]string{"-listen", ":0", "-forward", ":9", "-rate", "7999"}, "must be between"},
		{[]string{"-unknown"}, "-unknown"},
		{[]string{"pfifo", "limit", "50"}, "unexpected argument"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var stdout, stderr strings.Builder
			if code := run(c.args, &stdout, &stderr); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			message := stderr.String()
			if strings.Count(message, "\n") != 1 || !strings.HasSuffix(message, "\n") {
				t.Errorf("want one line on stderr, got %q", message)
			}
			if !strings.Contains(message, c.want) {
				t.Errorf("stderr %q does not mention %q", message, c.want)
			}
			if stdout.Len() != 0 {
				t.Errorf("stdout %q, want nothing", stdout.String())
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run([]string{"-h"}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	for _, name := range []string{"-qdisc", "-rate", "-time", "-listen", "-forward"} {
		if !strings.Contains(stdout.String(), name) {
			t.Errorf("help does not mention %s", name)
		}
	}
	if stderr.Len() != 0 {
		t.Errorf("stderr %q, want nothing", stderr.String())
	}
}

// A recycled datagram costs no allocation.
func TestPoolAllocations(t *testing.T) {
	var p pool
	var batch [maxBatch]*datagram
	cycle := func() {
		p.take(batch[:])
		for i, d := range batch {
			flows[i%len(flows)].fill(d, i%len(flows), 0)
			p.free.Push(&d.Packet)
		}
	}
	for range len(flows) {
		cycle() // until each datagram has been a long one
	}
	if n := testing.AllocsPerRun(1000, cycle); n != 0 {
		t.Errorf("%v allocations a batch, want 0", n)
	}
}
