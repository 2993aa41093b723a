package main

import (
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// The bursts come for burstTime; service over time is drawn for the first part.
const (
	burstTime = qdisc.Time(30 * time.Second)
	drawnTime = qdisc.Time(150 * time.Millisecond)
	window    = 250 * time.Millisecond // of the delays drawn
)

// bursts is the link with voice and interactive traffic that keeps within its
// curves, while bulk takes all that is left.
type bursts struct {
	leaves []burstLeaf // in the order of the tree
}

// burstLeaf is what a leaf sent and got.
type burstLeaf struct {
	arrived, sent *service
	meter         *netsim.Meter
	source        *netsim.Source
}

// service is the bytes that passed a place, over time.
type service struct {
	sim    *netsim.Sim
	next   netsim.Receiver
	bytes  uint64
	points []chart.Point // ms and bytes, until drawnTime
}

// Receive notes p and passes it on.
func (s *service) Receive(p *netsim.Packet) {
	s.bytes += uint64(p.Len)
	if now := s.sim.Now(); now <= drawnTime {
		s.points = append(s.points, chart.Point{X: ms(time.Duration(now)), Y: float64(s.bytes)})
	}
	s.next.Receive(p)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// simulateBursts sends the bursts of all leaves through a tree.
func simulateBursts(tree []hfsc.Spec) (*bursts, error) {
	sim := netsim.New(1)
	q, err := scheduler(tree)
	if err != nil {
		return nil, err
	}
	link, err := netsim.NewLink(sim, netsim.LinkConfig{Rate: linkRate, Qdisc: q})
	if err != nil {
		return nil, err
	}
	b := &bursts{}
	for i := range leaves {
		l := &leaves[i]
		got := burstLeaf{meter: netsim.NewMeter(sim)}
		got.meter.Record(window)
		got.arrived = &service{sim: sim, next: link}
		got.sent = &service{sim: sim, next: got.meter}
		cfg := netsim.SourceConfig{
			Via: got.arrived, To: got.sent, Stop: burstTime,
			Pattern: netsim.Bursts{Packets: l.burst, Every: l.every},
			Packet:  qdisc.Packet{Class: l.class, Len: l.packet},
		}
		if l.bulk() {
			cfg.Pattern = netsim.CBR{Rate: linkRate}
		} else {
			cfg.Start = qdisc.Time(5 * time.Millisecond) // bulk is there before
		}
		if got.source, err = netsim.NewSource(sim, cfg); err != nil {
			return nil, err
		}
		b.leaves = append(b.leaves, got)
	}
	sim.Run(burstTime + qdisc.Time(time.Second)) // what waits leaves
	return b, nil
}
