package main

import (
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// The link.
const (
	linkRate = 10 * qdisc.Mbit
	longest  = 1500 // bytes of its longest packet
)

// The companies' classes: inner ones that only share the link.
const (
	companyA = 10
	companyB = 20
)

// leaf is a class that holds packets.
type leaf struct {
	name   string
	class  uint32
	parent uint32
	share  qdisc.Rate // its link-sharing curve, a line

	// What arrives: packets of a length, a burst of them every so often. Bulk
	// has no bursts: it sends whatever it can.
	packet uint32
	burst  int
	every  time.Duration
	// within is the time in which a burst is to be on the link, and rate what
	// the class is guaranteed in the long run.
	within time.Duration
	rate   qdisc.Rate
}

var leaves = []leaf{
	// Four calls of 80 kbit/s, all at the same moment.
	{name: "A voice", class: 11, parent: companyA, share: 320 * qdisc.Kbit,
		packet: 200, burst: 4, every: 20 * time.Millisecond, within: 3 * time.Millisecond, rate: 320 * qdisc.Kbit},
	{name: "A interactive", class: 12, parent: companyA, share: 2400 * qdisc.Kbit,
		packet: 1500, burst: 4, every: 41300 * time.Microsecond, within: 16 * time.Millisecond, rate: 1200 * qdisc.Kbit},
	{name: "A bulk", class: 13, parent: companyA, share: 3280 * qdisc.Kbit, packet: 1500},
	// Two calls, with longer packets.
	{name: "B voice", class: 21, parent: companyB, share: 160 * qdisc.Kbit,
		packet: 300, burst: 2, every: 30 * time.Millisecond, within: 3 * time.Millisecond, rate: 160 * qdisc.Kbit},
	{name: "B interactive", class: 22, parent: companyB, share: 1600 * qdisc.Kbit,
		packet: 1500, burst: 4, every: 61700 * time.Microsecond, within: 16 * time.Millisecond, rate: 800 * qdisc.Kbit},
	{name: "B bulk", class: 23, parent: companyB, share: 2240 * qdisc.Kbit, packet: 1500},
}

// bytes is the length of a burst.
func (l *leaf) bytes() uint32 { return uint32(l.burst) * l.packet }

// bulk tells whether the class has no real-time curve.
func (l *leaf) bulk() bool { return l.burst == 0 }

// curve is the class's real-time curve, zero for bulk.
func (l *leaf) curve() hfsc.Curve {
	if l.bulk() {
		return hfsc.Curve{}
	}
	return hfsc.DelayCurve(l.bytes(), l.within, l.rate)
}

// tree returns the classes, with the real-time curves or without.
func tree(realTime bool) []hfsc.Spec {
	specs := []hfsc.Spec{
		{Class: companyA, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(6 * qdisc.Mbit)}},
		{Class: companyB, ClassConfig: hfsc.ClassConfig{LinkShare: hfsc.Line(4 * qdisc.Mbit)}},
	}
	for i := range leaves {
		l := &leaves[i]
		cfg := hfsc.ClassConfig{Parent: l.parent, LinkShare: hfsc.Line(l.share)}
		if realTime {
			cfg.RealTime = l.curve()
		}
		specs = append(specs, hfsc.Spec{Class: l.class, ClassConfig: cfg})
	}
	return specs
}

// scheduler makes HFSC with a tree of classes.
func scheduler(tree []hfsc.Spec) (*hfsc.HFSC, error) {
	q, err := hfsc.New(hfsc.Config{Limit: new(50)})
	if err != nil {
		return nil, err
	}
	for _, s := range tree {
		if err := q.AddClass(s.Class, s.ClassConfig, 0); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// outcome is all that was computed and measured.
type outcome struct {
	check  hfsc.Report
	bursts *bursts // with the real-time curves
	shared *bursts // with link sharing alone
	flood  *flood
}

func measure() (o outcome, err error) {
	if o.check, err = hfsc.Check(tree(true), linkRate, longest); err != nil {
		return o, err
	}
	if o.bursts, err = simulateBursts(tree(true)); err != nil {
		return o, err
	}
	if o.shared, err = simulateBursts(tree(false)); err != nil {
		return o, err
	}
	o.flood, err = simulateFlood()
	return o, err
}

// promised returns the delay within which n bytes that arrive at once at leaf i
// are on the link; false if nothing is promised.
func (o *outcome) promised(i int, n uint32) (time.Duration, bool) {
	return o.check.Leaves[i].Delay(n)
}
