package main

import (
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// panels are the pictures: service against the curve of two leaves, delays, and
// how the flooded link is divided.
func (o *outcome) panels() []chart.Panel {
	return []chart.Panel{o.served(0), o.served(1), o.delays(), o.total()}
}

// served is the service of leaf i in the first bursts.
func (o *outcome) served(i int) chart.Panel {
	got := &o.bursts.leaves[i]
	arrived := append([]chart.Point{{}}, got.arrived.points...)
	return chart.Panel{Title: leaves[i].name + ": service over time", X: "time (ms)", Y: "bytes", Max: withLegend(arrived), Lines: []chart.Line{
		{Name: "arrived", Points: arrived, Steps: true},
		{Name: "sent", Points: append([]chart.Point{{}}, got.sent.points...), Steps: true},
		{Name: "promised by the curve", Points: o.curve(i)},
	}}
}

// curve is what the real-time curve of leaf i promises of the bursts drawn, the
// longest packet of others before them included. It begins anew with each burst.
func (o *outcome) curve(i int) (points []chart.Point) {
	l := &leaves[i]
	arrived := o.bursts.leaves[i].arrived.points
	for k := 0; k+l.burst <= len(arrived); k += l.burst {
		for n := uint32(0); n <= l.bytes(); n += l.packet {
			after, _ := o.promised(i, n)
			points = append(points, chart.Point{
				X: arrived[k].X + ms(after), Y: float64(k)*float64(l.packet) + float64(n),
			})
		}
	}
	return points
}

// delays is the largest delay in each window, below what is promised.
func (o *outcome) delays() chart.Panel {
	p := chart.Panel{Title: "Largest delay in each quarter of a second, and what is promised to both companies", X: "time (s)", Y: "delay (ms)"}
	for i := range leaves {
		if leaves[i].bulk() {
			continue
		}
		p.Lines = append(p.Lines, chart.Over(leaves[i].name, o.bursts.leaves[i].meter.Delays,
			func(w netsim.Window) float64 { return ms(time.Duration(w.Max)) }))
	}
	for i, name := range []string{"voice, promised", "interactive, promised"} {
		promise, _ := o.promised(i, leaves[i].bytes())
		p.Lines = append(p.Lines, chart.Line{Name: name, Points: []chart.Point{
			{X: 0, Y: ms(promise)}, {X: time.Duration(burstTime).Seconds(), Y: ms(promise)},
		}})
	}
	p.Max = withLegend(p.Lines[len(p.Lines)-1].Points)
	return p
}

// total is the service of all leaves through the stages of the flood.
func (o *outcome) total() chart.Panel {
	p := chart.Panel{Title: "Flooded: all busy, from 5 s on A's bulk idle, from 10 s on A, from 15 s on B limited", X: "time (s)", Y: "Mbit sent"}
	for i := range leaves {
		line := chart.Line{Name: leaves[i].name, Points: []chart.Point{{}}}
		var bits float64
		for k, w := range o.flood.meters[i].Throughput.Windows() {
			bits += float64(w.Sum) * 8
			line.Points = append(line.Points, chart.Point{X: float64(k+1) * window.Seconds(), Y: bits / float64(qdisc.Mbit)})
		}
		end := time.Duration(stageTime).Seconds() * float64(len(o.flood.stages))
		line.Points = append(line.Points, chart.Point{X: end, Y: bits / float64(qdisc.Mbit)})
		p.Lines = append(p.Lines, line)
		p.Max = max(p.Max, withLegend(line.Points))
	}
	return p
}

// withLegend is the end of an axis that leaves room for the legend above points
// that rise.
func withLegend(points []chart.Point) float64 { return 1.45 * points[len(points)-1].Y }
