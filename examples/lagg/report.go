package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

const heading = `One TCP flow over two links of 10 Gbit/s, 0.1 ms of round trip, a window of %d
packets. The receiver joins packets that follow each other at one port to runs; a run
takes its processor %v and %v a packet. The patient sender bears reordering,
the hasty one sends again at the third duplicate acknowledgement.
Run: packets joined, on average. Late: came after a packet sent later, by how many.

`

// row is what the senders got out of a spread.
type row struct {
	spread
	results []*result
}

func report(w io.Writer, c setup, rows []row) {
	fmt.Fprintf(w, heading, c.packets(), c.cost.run, c.cost.packet)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "stride\t")
	for _, s := range senders {
		fmt.Fprintf(t, "  %s: goodput\trun\tlate\tresent\t", s.name)
	}
	fmt.Fprintln(t)
	var lost uint64
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t", row.name)
		for _, r := range row.results {
			fmt.Fprintf(t, "%.2f Gbit/s\t%.1f\t%.0f %% by %.0f\t%.1f %%\t", gbit(r.goodput), share(r.packets, r.runs),
				100*share(r.late, r.packets), share(r.behind, r.late), 100*share(r.resent, r.sent))
			lost += r.lost
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintf(w, `hash: the whole flow takes one link. 1, TSO: the group is given super-packets of up to
%d packets, and counts those. Lost in full queues: %d packets.

`, fullRun, lost)
	advise(w, c, rows)
}

// advise recommends a stride and says why.
func advise(w io.Writer, c setup, rows []row) {
	strides := counted(rows)
	best := recommend(c, strides)
	one, chosen, hash := strides[0].results, strides[best].results, gbit(rows[0].results[0].goodput)
	patient, hasty := gbit(chosen[0].goodput), gbit(chosen[1].goodput)
	if patient < 1.05*hash {
		fmt.Fprintf(w, `Recommended: hash. No stride brings the patient sender noticeably more than the
%.2f Gbit/s that it has over one link, in order.
`, hash)
		return
	}
	if best == 0 {
		fmt.Fprintf(w, "Recommended stride: 1 packet, %.2f and %.2f Gbit/s. No longer one brings more.\n", patient, hasty)
	} else {
		fmt.Fprintf(w, `Recommended stride: %s packets. It is the smallest that gives both senders nearly the
most that they can get by any, %.2f and %.2f Gbit/s: %.2f and %.2f times as much as
stride 1. (Published for FreeBSD, 2014: 9.74 against 3.80 Gbit/s, 2.56 times.)
`, strides[best].name, patient, hasty, gain(chosen[0], one[0]), gain(chosen[1], one[1]))
	}
	if hasty < hash {
		fmt.Fprintf(w, "Hasty senders are better off with hash: %.2f Gbit/s.\n", hash)
	}
	if i := decline(c, strides, best); i > 0 {
		r := strides[i].results[0]
		fmt.Fprintf(w, "From %s on the patient sender gets less, %.2f Gbit/s", strides[i].name, gbit(r.goodput))
		switch {
		case c.exceeded(strides[i]):
			fmt.Fprintf(w, `: the more a stride exceeds the
window of %d packets, the longer one link waits while the other has its turn`, c.packets())
		case share(r.resent, r.sent) > 0.01:
			fmt.Fprint(w, `: packets come so late that
even this sender takes them for lost, and sends them again`)
		}
		fmt.Fprintln(w, ".")
	}
}

// counted returns the rows whose strides count packets.
func counted(rows []row) (strides []row) {
	for _, r := range rows {
		if r.config.Mode == lagg.RoundRobin && !r.whole {
			strides = append(strides, r)
		}
	}
	return strides
}

// recommend returns the smallest stride, by place, that is at most 2 % worse than
// the best, for the sender that is worse off: goodputs are compared to what the
// sender gets at most.
func recommend(c setup, strides []row) int {
	score := make([]float64, len(strides))
	best := 0.0
	for i, r := range strides {
		if c.exceeded(r) {
			break
		}
		score[i] = math.Inf(1)
		for j := range r.results {
			score[i] = min(score[i], float64(r.results[j].goodput)/float64(most(c, strides, j)))
		}
		best = max(best, score[i])
	}
	return slices.IndexFunc(score, func(x float64) bool { return x >= best-0.02 })
}

// decline returns the first place after from at which the patient sender gets
// less than 95 % of its most; 0 if there is none.
func decline(c setup, strides []row, from int) int {
	for i := from + 1; i < len(strides); i++ {
		if float64(strides[i].results[0].goodput) < 0.95*float64(most(c, strides, 0)) {
			return i
		}
	}
	return 0
}

// most returns what a sender gets by the stride that suits it best, of those that
// the window can fill.
func most(c setup, strides []row, sender int) qdisc.Rate {
	m := qdisc.Rate(1) // to divide by
	for _, r := range strides {
		if !c.exceeded(r) {
			m = max(m, r.results[sender].goodput)
		}
	}
	return m
}

// exceeded tells whether the window cannot fill a stride, so that one link is busy
// at a time.
func (c setup) exceeded(r row) bool { return int64(r.config.Stride) > c.packets() }

func gbit(r qdisc.Rate) float64 { return float64(r) / 1e9 }

func gain(a, b *result) float64 { return float64(a.goodput) / float64(max(b.goodput, 1)) }

func share(part, of uint64) float64 { return float64(part) / float64(max(of, 1)) }

// panels are pictures over the stride.
func panels(rows []row) []chart.Panel {
	const stride = "stride, in doublings (0: 1 packet, 6: 64 packets)"
	goodput := chart.Panel{Title: "One TCP flow over two links of 10 Gbit/s", X: stride, Y: "goodput (Gbit/s)", Max: 20}
	runs := chart.Panel{Title: "Runs at the receiver", X: stride, Y: "packets"}
	late := chart.Panel{Title: "Packets that came late", X: stride, Y: "share (%)", Max: 100}
	resent := chart.Panel{Title: "Packets sent again", X: stride, Y: "share (%)"}
	strides := counted(rows)
	for j, s := range senders {
		add := func(p *chart.Panel, value func(r *result) float64) {
			line := chart.Line{Name: s.name}
			for i, r := range strides {
				line.Points = append(line.Points, chart.Point{X: float64(i), Y: value(r.results[j])})
			}
			p.Lines = append(p.Lines, line)
		}
		add(&goodput, func(r *result) float64 { return gbit(r.goodput) })
		add(&runs, func(r *result) float64 { return share(r.packets, r.runs) })
		add(&late, func(r *result) float64 { return 100 * share(r.late, r.packets) })
		add(&resent, func(r *result) float64 { return 100 * share(r.resent, r.sent) })
	}
	one := gbit(rows[0].results[0].goodput)
	goodput.Lines = append(goodput.Lines, chart.Line{
		Name: "hash (one link)", Points: []chart.Point{{X: 0, Y: one}, {X: float64(len(strides) - 1), Y: one}},
	})
	return []chart.Panel{goodput, runs, late, resent}
}
