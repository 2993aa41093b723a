package main

import (
	"slices"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// Each stage takes stageTime. What the stage before left in the queues has gone
// after settle; shares are measured from then on.
const (
	stageTime = qdisc.Time(5 * time.Second)
	settle    = qdisc.Time(500 * time.Millisecond)
	limitB    = 5 * qdisc.Mbit
)

// stage is a time in which some classes send more than the link can carry and the
// others nothing.
type stage struct {
	name  string
	idle  []uint32   // leaves, or a company
	limit qdisc.Rate // company B's upper limit; 0: none

	want []float64 // bit/s of each leaf, as Check has it
	got  []float64 // measured
}

// flood is the link through the stages.
type flood struct {
	stages []stage
	meters []*netsim.Meter // of each leaf
}

// silent tells whether a class sends nothing.
func (s *stage) silent(class, parent uint32) bool {
	return slices.Contains(s.idle, class) || slices.Contains(s.idle, parent)
}

// company sums up what the leaves of a company got.
func (s *stage) company(class uint32) (rate float64) {
	for i := range leaves {
		if leaves[i].parent == class {
			rate += s.got[i]
		}
	}
	return rate
}

func newStages() []stage {
	return []stage{
		{name: "all busy"},
		{name: "A's bulk idle", idle: []uint32{13}},
		{name: "A idle", idle: []uint32{companyA}},
		{name: "A idle, B limited", idle: []uint32{companyA}, limit: limitB},
	}
}

// simulateFlood runs the stages one after the other, in one world.
func simulateFlood() (*flood, error) {
	sim := netsim.New(1)
	q, err := scheduler(tree(true))
	if err != nil {
		return nil, err
	}
	link, err := netsim.NewLink(sim, netsim.LinkConfig{Rate: linkRate, Qdisc: q})
	if err != nil {
		return nil, err
	}
	f := &flood{stages: newStages()}
	for range leaves {
		m := netsim.NewMeter(sim)
		m.Record(window)
		f.meters = append(f.meters, m)
	}
	for i := range f.stages {
		s := &f.stages[i]
		if err := s.expect(); err != nil {
			return nil, err
		}
		if err := s.send(sim, link, f.meters, stageTime*qdisc.Time(i)); err != nil {
			return nil, err
		}
		if s.limit != 0 {
			company, _ := q.Class(companyB)
			company.UpperLimit = hfsc.Line(s.limit)
			if err := q.ChangeClass(companyB, company, sim.Now()); err != nil {
				return nil, err
			}
			link.Sync()
		}
		sim.Run(sim.Now() + settle)
		before := make([]uint64, len(f.meters))
		for j, m := range f.meters {
			before[j] = m.Bytes
		}
		sim.Run(stageTime * qdisc.Time(i+1))
		for j, m := range f.meters {
			s.got = append(s.got, float64(m.Bytes-before[j])*8/time.Duration(stageTime-settle).Seconds())
		}
	}
	return f, nil
}

// expect asks Check how the link, or what the limit leaves of it, is divided
// between the classes that are busy.
func (s *stage) expect() error {
	rate := linkRate
	if s.limit != 0 {
		rate = s.limit // nobody but company B is busy
	}
	var busy []hfsc.Spec
	for _, spec := range tree(true) {
		if !s.silent(spec.Class, spec.Parent) {
			busy = append(busy, spec)
		}
	}
	report, err := hfsc.Check(busy, rate, longest)
	if err != nil {
		return err
	}
	shares := map[uint32]float64{}
	for _, g := range report.Leaves {
		shares[g.Class] = float64(g.Share)
	}
	for i := range leaves {
		s.want = append(s.want, shares[leaves[i].class])
	}
	return nil
}

// send has each busy leaf send as much as the link carries, from start on.
func (s *stage) send(sim *netsim.Sim, link *netsim.Link, meters []*netsim.Meter, start qdisc.Time) error {
	for i := range leaves {
		l := &leaves[i]
		if s.silent(l.class, l.parent) {
			continue
		}
		_, err := netsim.NewSource(sim, netsim.SourceConfig{
			Via: link, To: meters[i], Pattern: netsim.CBR{Rate: linkRate},
			Packet: qdisc.Packet{Class: l.class, Len: l.packet},
			Start:  start, Stop: start + stageTime,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
