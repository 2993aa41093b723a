package netsim

import (
	"iter"
	"maps"
	"slices"
)

// FlowMeters are a Meter for each flow, by Packet.Flow. A flow's is made when
// its first packet comes (17 kB).
type FlowMeters struct {
	Next Receiver // as in Meter; set it before the first packet

	sim    *Sim
	flows  map[uint32]*Meter
	latest *Meter
	flow   uint32 // of latest
}

// NewFlowMeters returns meters at which packets end.
func NewFlowMeters(s *Sim) *FlowMeters {
	return &FlowMeters{sim: s, flows: map[uint32]*Meter{}}
}

// Receive measures p and passes it on.
func (f *FlowMeters) Receive(p *Packet) {
	if f.latest == nil || f.flow != p.Flow {
		f.latest, f.flow = f.Flow(p.Flow), p.Flow
	}
	f.latest.Receive(p)
}

// Flow returns the meter of a flow, with nothing measured if no packet of it
// has come.
func (f *FlowMeters) Flow(flow uint32) *Meter {
	m := f.flows[flow]
	if m == nil {
		m = NewMeter(f.sim)
		m.Next = f.Next
		f.flows[flow] = m
	}
	return m
}

// All ranges over the flows, in the order of their numbers.
func (f *FlowMeters) All() iter.Seq2[uint32, *Meter] {
	return func(yield func(uint32, *Meter) bool) {
		for _, flow := range slices.Sorted(maps.Keys(f.flows)) {
			if !yield(flow, f.flows[flow]) {
				return
			}
		}
	}
}

// Jain returns Jain's index of the flows' bytes.
func (f *FlowMeters) Jain() float64 {
	var xs []float64
	for _, m := range f.All() { // in order: float sums depend on it
		xs = append(xs, float64(m.Bytes))
	}
	return Jain(xs...)
}
