package main

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// What is drawn over time, and how long each rate in it is.
const (
	drawn  = 10 * time.Second
	window = 250 * time.Millisecond
)

// panels are the pictures: the last queue, which the others join, without and with
// borrowing; and what the embedded file's small queue gets by the size of packets.
func (o *outcome) panels() ([]chart.Panel, error) {
	var list []chart.Panel
	for _, borrow := range o.conf.borrows() {
		p, err := o.conf.joining(borrow)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if o.conf.own {
		list = append(list, o.bySize())
	}
	return list, nil
}

// joining draws the queues over time.
func (c *conf) joining(borrow bool) (chart.Panel, error) {
	first := c.names[len(c.names)-1]
	p := chart.Panel{
		Title: fmt.Sprintf("%s sends, then all queues do", first),
		X:     "time (s)", Y: "Mbit/s", Max: 1.3 * float64(c.link) / 1e6,
	}
	if borrow {
		p.Title += "; all may borrow"
	}
	sim, list, err := c.senders(borrow, sizes[0], c.names)
	if err != nil {
		return p, err
	}
	for i, s := range list {
		s.meter.Record(window)
		if c.names[i] == first {
			s.begin()
		}
	}
	end := c.lasts(drawn, sizes[0])
	sim.Run(qdisc.Time(end / 2))
	for i, s := range list {
		if c.names[i] != first {
			s.begin()
		}
	}
	sim.Run(qdisc.Time(end))
	for i, s := range list {
		p.Lines = append(p.Lines, chart.Over(c.names[i], s.meter.Throughput, func(w netsim.Window) float64 {
			return float64(w.Sum) * 8 / window.Seconds() / 1e6
		}))
	}
	return p, nil
}

// bySize is the small queue alone.
func (o *outcome) bySize() chart.Panel {
	p := chart.Panel{Title: "small alone, by the size of its packets", X: "bytes", Y: "Mbit/s", Max: 0.7}
	p.Lines = []chart.Line{{Name: "asked"}, {Name: "sent"}, {Name: "ALTQ"}}
	for _, size := range sizes {
		r := &o.find(false, size, "small").results[0]
		for i, rate := range []float64{r.asked, r.wire, r.altq} {
			p.Lines[i].Points = append(p.Lines[i].Points, chart.Point{X: float64(size), Y: rate / 1e6})
		}
	}
	return p
}
