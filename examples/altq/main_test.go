package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/examples/internal/program/programtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// measured is the embedded file's outcome. It is measured once.
var measured = sync.OnceValues(func() (*outcome, error) {
	c, err := load("", pf.Options{})
	if err != nil {
		return nil, err
	}
	o := &outcome{conf: c}
	return o, o.measure()
})

// TestSmall: the queue of 5 % has 0.500 Mbit/s on the wire at every size of packet,
// whoever else sends, and TCP carries its part of that.
func TestSmall(t *testing.T) {
	o, err := measured()
	require.NoError(t, err)
	for _, size := range sizes {
		part := float64(size-ipTCP) / float64(size)
		for _, borrow := range []bool{false, true} {
			alone, both := o.find(borrow, size, "small"), o.find(borrow, size, "dflt", "small")
			want := 0.5
			if borrow {
				want = 10
			}
			for _, c := range []struct {
				r    *result
				want float64
			}{
				{&alone.results[0], want},
				{&o.find(borrow, size, "dflt").results[0], 10},
				{&both.results[0], 9.5},
				{&both.results[1], 0.5},
			} {
				assert.InDelta(t, c.want, c.r.asked/1e6, 1e-9, "%d bytes, %s", size, c.r.queue)
				assert.InEpsilon(t, c.want, c.r.wire/1e6, 0.002, "%d bytes, %s", size, c.r.queue)
				assert.InEpsilon(t, c.want*part, c.r.payload/1e6, 0.01, "%d bytes, %s: TCP", size, c.r.queue)
				if size == 1500 && c.r.altq != 0 {
					assert.InEpsilon(t, c.r.altq, c.r.wire, 0.02, "%s: ALTQ", c.r.queue)
				}
			}
		}
	}
	// 0.48 Mbit/s is what was measured in 2007.
	assert.InDelta(t, 0.48, o.find(false, 1500, "small").results[0].payload/1e6, 0.005)
}

// TestCost: a connection through the default queue loses nothing by the queue
// beside it, while that is idle.
func TestCost(t *testing.T) {
	o, err := measured()
	require.NoError(t, err)
	got, err := o.conf.measureCost(true)
	require.NoError(t, err)
	require.Len(t, got.bystanders, 3)
	assert.InEpsilon(t, got.bystanders[0].payload, got.bystanders[1].payload, 0.001)
	assert.InEpsilon(t, 9.5*1448/1500*float64(qdisc.Mbit), got.bystanders[2].payload, 0.01)
	assert.Positive(t, got.plain)
	assert.Positive(t, got.tree)
	var b strings.Builder
	got.report(&b, o.conf)
	assert.Contains(t, b.String(), " ns in all of this, ")
}

func write(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "pf.conf")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

// TestOtherFiles: what each sends is what its file asks for.
func TestOtherFiles(t *testing.T) {
	for name, text := range map[string]string{
		"cbq":  "altq on em0 bandwidth 1Mb cbq queue { a b }\nqueue a bandwidth 30% cbq(default codel) { c }\nqueue b bandwidth 20% qlimit 5\nqueue c bandwidth 50%",
		"hfsc": "altq on em0 bandwidth 1Mb hfsc queue { a b }\nqueue a bandwidth 70% { c d }\nqueue b bandwidth 30% hfsc(default upperlimit 40%)\nqueue c bandwidth 400Kb\nqueue d bandwidth 300Kb hfsc(realtime 100Kb)",
		"priq": "altq on em0 bandwidth 1Mb priq queue { a b }\nqueue a priority 3 priq(default)\nqueue b priority 9 priq(codel)",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := load(write(t, text), pf.Options{})
			require.NoError(t, err)
			o := &outcome{conf: c}
			require.NoError(t, o.measure())
			for _, tr := range o.trials {
				for _, r := range tr.results {
					if r.atLeast {
						assert.GreaterOrEqual(t, r.wire, 0.97*r.asked, "%s, %d bytes: %s", tr.name(), tr.size, r.queue)
					} else {
						assert.InDelta(t, r.asked, r.wire, 0.02*float64(c.link), "%s, %d bytes: %s", tr.name(), tr.size, r.queue)
					}
				}
			}
			o.cost, err = c.measureCost(false)
			require.NoError(t, err)
			var b strings.Builder
			o.report(&b)
			assert.Contains(t, b.String(), "altq on em0 bandwidth 1Mb "+name+" queue { a b }\n")
			assert.NotContains(t, b.String(), "2007")
			panels, err := o.panels()
			require.NoError(t, err)
			assert.NotEmpty(t, panels)
		})
	}
}

// TestSeveralInterfaces: one is chosen, its speed may come from outside, and what is
// left out or unlikely is told.
func TestSeveralInterfaces(t *testing.T) {
	file := write(t, "altq on { em0 em1 } priq queue { a b }\nqueue a priority 2 priq(default red)\nqueue b on em0 priority 3\nqueue b on em1\n"+
		"altq on em2 bandwidth 50% cbq queue c\nqueue c cbq(default) { d e }\nqueue d bandwidth 60%\nqueue e bandwidth 60%")
	_, err := load(file, pf.Options{})
	require.ErrorContains(t, err, `-conf: Interface = "": name one; there is em0, em1, em2`)
	_, err = load(file, pf.Options{Interface: "em1"})
	require.ErrorContains(t, err, "its speed is not known")
	_, err = load("", pf.Options{Interface: "em9"})
	require.ErrorContains(t, err, "Interface = em9: no altq line is for it; there is ue0")
	for _, want := range []struct {
		device, warning string
		scheduler       pf.Scheduler
		b               int // the priority of b
		link            qdisc.Rate
	}{
		{"em0", "line 2, column 33: queue a: option red is not here and left out", pf.PRIQ, 3, qdisc.Mbit},
		{"em1", "line 2, column 33: queue a: option red is not here and left out", pf.PRIQ, 1, qdisc.Mbit},
		{"em2", "line 6, column 1: queue c: the bandwidths below it, 600Kb together, are more than its 500Kb", pf.CBQ, 1, qdisc.Mbit / 2},
	} {
		c, err := load(file, pf.Options{Interface: want.device, Speed: qdisc.Mbit})
		require.NoError(t, err)
		assert.Equal(t, want.device, c.device)
		assert.Equal(t, want.scheduler, c.scheduler)
		assert.Equal(t, want.link, c.link)
		assert.Equal(t, want.b, c.priority("b"))
		o := outcome{conf: c, cost: new(cost)}
		var b strings.Builder
		o.report(&b)
		assert.Contains(t, b.String(), "\nWarning: "+want.warning+"\n")
	}
}

func TestRefusedFiles(t *testing.T) {
	for text, says := range map[string]string{
		"altq on em0 bandwidth 1Mb fairq queue a":       "-conf: line 1, column 27: scheduler fairq is not here",
		"altq on em0 cbq queue a\nqueue a cbq(default)": "-conf: line 1, column 1: interface em0: its speed is not known",
		"pass all": "-conf: there is no altq line",
	} {
		_, err := load(write(t, text), pf.Options{})
		require.ErrorContains(t, err, says)
	}
	_, err := load(filepath.Join(t.TempDir(), "none"), pf.Options{})
	require.ErrorContains(t, err, "-conf: ")
}

func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures everything four times")
	}
	programtest.Test(t, newProgram(), []string{"-cpu=false"}, []string{
		"queue small bandwidth 5% cbq\n", "small alone", "0.500", "0.499", "0.483",
		"\nAlone, small gets 0.500 of its 0.500 Mbit/s in packets of 1500 bytes (TCP carries 0.48;",
		"gets the whole link, 10.000.", "without ALTQ, through a FIFO",
	}, programtest.Refused{Args: "-cpu=perhaps", Says: `invalid boolean value "perhaps" for -cpu: parse error`},
		programtest.Refused{Args: "-speed=fast", Says: `invalid value "fast" for flag -speed: rate "fast": must begin with a number, and cannot be negative`})
}
