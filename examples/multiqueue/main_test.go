package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// exec runs the program and returns what it printed.
func exec(args ...string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	exit = run(args, &out, &errs)
	return exit, out.String(), errs.String()
}

// TestOutput: all of it but the real time is the same on every machine.
func TestOutput(t *testing.T) {
	exit, out, errs := exec("-repeat", "1")
	if exit != 0 || errs != "" {
		t.Fatalf("exit %d, error output %q", exit, errs)
	}
	spaces := regexp.MustCompile(` +`)
	var got []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(spaces.ReplaceAllString(line, " "))
		if regexp.MustCompile(`\d$`).MatchString(line) {
			line = line[:strings.LastIndex(line, " ")] // the real time
		}
		got = append(got, line)
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		`8 queues: queue 0 at 10 Mbit/s, the others at 1 Gbit/s
driver sent Mbit/s attempts blocked no packet ns/packet
prio + requeue 833 10.0 1731 834 0
prio, peek first 833 10.0 1731 834 0
multiq 584164 7010.0 584676 0 584165
reference: prio + requeue 10.0 1731 834
reference: multiq 7010.0 0
`,
		`4 queues: queue 0 at 10 Mbit/s, the others at 1 Gbit/s
driver sent Mbit/s attempts blocked no packet ns/packet
prio + requeue 833 10.0 1731 834 0
prio, peek first 833 10.0 1731 834 0
multiq 250832 3010.0 251088 0 250833
`,
		`8 queues: queue 0 stopped for good, the others at 1 Gbit/s
driver sent Mbit/s attempts blocked no packet ns/packet
prio + requeue 0 0.0 65 1 0 -
prio, peek first 0 0.0 65 1 0 -
multiq 583331 7000.0 583843 0 583332
`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed:\n%s\nbut:\n%s", want, text)
		}
	}
}

// TestReference: the first workload gives the reference's counts, and its
// rates within 1 %.
func TestReference(t *testing.T) {
	w := workloads[0]
	rows, err := measure(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range w.reference {
		found := false
		for _, got := range rows {
			if got.driver != want.driver {
				continue
			}
			found = true
			if got.blocked != want.blocked {
				t.Errorf("%s: %d blocked, the reference %d", got.driver, got.blocked, want.blocked)
			}
			if want.attempts != 0 && got.attempts != want.attempts {
				t.Errorf("%s: %d attempts, the reference %d", got.driver, got.attempts, want.attempts)
			}
			if got.mbit < .99*want.mbit || got.mbit > 1.01*want.mbit {
				t.Errorf("%s: %.1f Mbit/s, the reference %.1f", got.driver, got.mbit, want.mbit)
			}
			if got.ns <= 0 {
				t.Errorf("%s: %v ns a packet", got.driver, got.ns)
			}
		}
		if !found {
			t.Errorf("no driver named %q", want.driver)
		}
	}
}

// TestNothingLost: at the end every packet is in the discipline, put aside, or
// in a ring.
func TestNothingLost(t *testing.T) {
	for _, w := range workloads {
		for _, kind := range drivers {
			drv, err := kind.make(w.queues)
			if err != nil {
				t.Fatal(err)
			}
			offer(drv, w.queues)
			d := newDevice(w)
			simulate(d, drv, duration/100)
			held := 0
			switch drv := drv.(type) {
			case *requeue:
				held = drv.q.Len()
				if drv.parked != nil {
					held++
				}
			case *peek:
				held = drv.q.Len()
			case *aware:
				held = drv.q.Len()
			}
			for i := range d.rings {
				if n := d.rings[i].packets.Len(); n != d.rings[i].n || n > ringSize {
					t.Errorf("%s, %s: %d packets in a ring that counts %d", w.name, kind.name, n, d.rings[i].n)
				}
				held += d.rings[i].n
			}
			if held != perQueue*w.queues {
				t.Errorf("%s, %s: %d packets of %d are left", w.name, kind.name, held, perQueue*w.queues)
			}
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"-h"}, 0, ""},
		{[]string{"-repeat", "0"}, 2, "multiqueue: -repeat 0: must be 1 to 1000\n"},
		{[]string{"-repeat", "1001"}, 2, "multiqueue: -repeat 1001: must be 1 to 1000\n"},
		{[]string{"-repeat", "few"}, 2, `multiqueue: invalid value "few" for flag -repeat: parse error` + "\n"},
		{[]string{"-fast"}, 2, "multiqueue: flag provided but not defined: -fast\n"},
		{[]string{"now"}, 2, `multiqueue: unexpected argument "now"` + "\n"},
	} {
		exit, out, errs := exec(c.args...)
		if exit != c.exit || errs != c.says {
			t.Errorf("%q: exit %d, error output %q; want %d, %q", c.args, exit, errs, c.exit, c.says)
		}
		if (out == usage) != (c.exit == 0) {
			t.Errorf("%q printed %q", c.args, out)
		}
	}
}
