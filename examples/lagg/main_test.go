package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/examples/internal/program/programtest"
	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

// striped simulates a stride in packets, goodput in Gbit/s.
func striped(t *testing.T, c setup, from sender, stride uint32) (*result, float64) {
	t.Helper()
	r, err := simulate(c, from, spread{config: lagg.Config{Mode: lagg.RoundRobin, Stride: stride}})
	require.NoError(t, err)
	return r, gbit(r.goodput)
}

// TestPromises: what the report says of the standard setup.
func TestPromises(t *testing.T) {
	rows, err := simulateAll(standard)
	require.NoError(t, err)
	strides := counted(rows)
	best := recommend(standard, strides)
	var out bytes.Buffer
	report(&out, standard, rows)
	assert.Contains(t, out.String(), "2.69µs and 360ns a packet")
	assert.Contains(t, out.String(), "Recommended stride: 64 packets.")
	assert.Contains(t, out.String(), "From 512 on the patient sender gets less")

	for i, from := range senders {
		one, chosen, last := strides[0].results[i], strides[best].results[i], strides[len(strides)-1].results[i]
		// Published: 9.74 / 3.80.
		assert.GreaterOrEqual(t, gain(chosen, one), 2.5, from.name)
		// Longer ones do not help, and those above the window leave links idle.
		assert.Less(t, float64(most(standard, strides, i)), 1.02*float64(chosen.goodput), from.name)
		assert.Less(t, gain(last, chosen), 0.66, from.name)
		assert.InDelta(t, 1, share(one.packets, one.runs), 0.01, "%s: stride 1 makes no runs", from.name)
		assert.Greater(t, share(chosen.packets, chosen.runs), 10.0, from.name)

		hash := rows[0].results[i]
		assert.InEpsilon(t, 10*float64(mss)/(mss+14+52+overhead), gbit(hash.goodput), 0.01, "%s: a whole link", from.name)
		assert.Zero(t, hash.late+hash.resent, from.name)
		for _, r := range rows {
			assert.Zero(t, r.results[i].lost, "%s, %s", from.name, r.name)
		}
	}
	for _, r := range strides {
		patient, hasty := r.results[0], r.results[1]
		assert.Zero(t, patient.resent, r.name)
		assert.Greater(t, share(hasty.resent, hasty.sent), 0.1, "%s: sent again though nothing was lost", r.name)
		assert.Greater(t, patient.goodput, hasty.goodput, r.name)
	}
	assert.InEpsilon(t, 3.80, gbit(strides[0].results[0].goodput), 0.01, "what the costs were fitted to")

	tso := rows[len(rows)-1]
	require.True(t, tso.whole)
	for i, from := range senders {
		assert.Greater(t, gain(tso.results[i], strides[0].results[i]), 2.5, "%s: super-packets are runs by themselves", from.name)
	}
}

// TestMechanism: the gain is that of longer runs. Without a cost for runs there
// is none; with one twice that of a packet there is still one of 2.5; and with a
// processor that takes no time stride 1 fills both links.
func TestMechanism(t *testing.T) {
	patient := senders[0]
	with := func(run, packet time.Duration) setup { return setup{standard.window, cost{run, packet}} }
	packets := with(0, 3050*time.Nanosecond)
	_, one := striped(t, packets, patient, 1)
	_, many := striped(t, packets, patient, 64)
	assert.InEpsilon(t, 3.80, one, 0.01)
	assert.InEpsilon(t, one, many, 0.01)

	cheap := with(2*time.Microsecond, time.Microsecond)
	_, one = striped(t, cheap, patient, 1)
	_, many = striped(t, cheap, patient, 64)
	assert.Greater(t, many, 2.5*one)

	_, one = striped(t, with(0, 0), patient, 1)
	assert.Greater(t, one, 18.0)
}

// TestWindow: the larger the window, the longer the stride that it can fill.
func TestWindow(t *testing.T) {
	_, narrow := striped(t, standard, senders[0], 512)
	wide := standard
	wide.window *= 2
	r, full := striped(t, wide, senders[0], 512)
	assert.Less(t, narrow, 17.0)
	assert.Greater(t, full, 1.08*narrow)
	assert.Greater(t, share(r.packets, r.runs), 10.0)
}

// TestAdvice: the words fit the figures.
func TestAdvice(t *testing.T) {
	table := func(hash float64, goodputs ...[2]float64) []row {
		of := func(g float64) *result { return &result{goodput: qdisc.Rate(g * 1e9)} }
		rows := []row{{spreads()[0], []*result{of(hash), of(hash)}}}
		for i, g := range goodputs {
			rows = append(rows, row{spreads()[1+i], []*result{of(g[0]), of(g[1])}})
		}
		return rows
	}
	say := func(c setup, rows []row) string {
		var out bytes.Buffer
		advise(&out, c, rows)
		return out.String()
	}
	narrow, wide := setup{window: 7 * mss}, setup{window: 100 * mss}
	rows := table(9, [2]float64{4, 2}, [2]float64{18, 6}, [2]float64{17.9, 10}, [2]float64{12, 8})
	out := say(narrow, rows)
	assert.Contains(t, out, "Recommended stride: 4 packets.", "the hasty sender needs it")
	assert.Contains(t, out, "17.90 and 10.00 Gbit/s")
	assert.Contains(t, out, "4.47 and 5.00 times")
	assert.Contains(t, out, "From 8 on the patient sender gets less, 12.00 Gbit/s: the more a stride exceeds the\nwindow of 7 packets")

	assert.NotContains(t, out, "hash")

	// Within the window it is something else that makes it fall.
	assert.Contains(t, say(wide, rows), "gets less, 12.00 Gbit/s.\n")
	late := rows[4].results[0]
	late.sent, late.resent = 100, 2
	assert.Contains(t, say(wide, rows), "takes them for lost")

	// What one link at a time gives is no reason for a stride.
	out = say(narrow, table(9, [2]float64{4, 2}, [2]float64{18, 6}, [2]float64{18, 6.5}, [2]float64{12, 8.9}))
	assert.Contains(t, out, "Recommended stride: 4 packets.")
	assert.Contains(t, out, "Hasty senders are better off with hash: 9.00 Gbit/s.")

	out = say(wide, table(9, [2]float64{18, 18}, [2]float64{18, 17}))
	assert.Equal(t, "Recommended stride: 1 packet, 18.00 and 18.00 Gbit/s. No longer one brings more.\n", out)
	assert.Contains(t, say(wide, table(9, [2]float64{4, 2}, [2]float64{9.2, 6})), "Recommended: hash.")
}

func TestProgram(t *testing.T) {
	want := []string{"a window of 45\npackets", "20µs and 10µs a packet", "Recommended: hash."}
	for _, s := range spreads() {
		want = append(want, " "+s.name+"  ")
	}
	programtest.Test(t, striping(), []string{"-window", "64", "-run-cost", "20us", "-packet-cost", "10us"}, want,
		programtest.Refused{Args: "-window 63", Says: "-window 63: must be 64 to 2048, in KiB"},
		programtest.Refused{Args: "-window 2049", Says: "-window 2049: must be 64 to 2048, in KiB"},
		programtest.Refused{Args: "-window wide", Says: `invalid value "wide" for flag -window: parse error`},
		programtest.Refused{Args: "-run-cost 101us", Says: "-run-cost 101µs: must be 0 to 100us"},
		programtest.Refused{Args: "-packet-cost -1ns", Says: "-packet-cost -1ns: must be 0 to 100us"},
	)
}
