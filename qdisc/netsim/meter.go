package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Meter measures the packets that pass it: their number and bytes, the delay
// since they were sent, and, if they are of one source, loss and reordering. It
// is the end of their way or, with Next set, a station on it.
type Meter struct {
	Next Receiver // nil: packets end here. Endpoint: they go to their own To

	Packets uint64
	Bytes   uint64
	Marked  uint64          // that had Congestion Experienced set
	Delay   qdisc.Histogram // since Packet.Sent
	First   qdisc.Time      // arrival of the first packet
	Last    qdisc.Time      // and of the latest

	// Reordered counts packets that came after one with a higher number: the
	// singleton metric of RFC 4737 section 3.
	Reordered uint64
	expected  uint64 // the next number, if none is lost or late

	// Over time, from the first call of Record on; else nil.
	Throughput *Series // Sum is in bytes
	Delays     *Series // Sum and Max are in ns

	sim *Sim
}

// NewMeter returns a meter at which packets end.
func NewMeter(s *Sim) *Meter { return &Meter{sim: s} }

// Record has throughput and delay kept over time, in windows of a length.
func (m *Meter) Record(every time.Duration) {
	m.Throughput, m.Delays = NewSeries(every), NewSeries(every)
}

// Receive measures p and passes it on.
func (m *Meter) Receive(p *Packet) {
	now := m.sim.now
	delay := now.Sub(p.Sent)
	if m.Packets == 0 {
		m.First = now
	}
	m.Last = now
	m.Packets++
	m.Bytes += uint64(p.Len)
	m.Delay.Record(delay)
	if p.ECN() == qdisc.CE {
		m.Marked++
	}
	if p.Seq < m.expected {
		m.Reordered++
	} else {
		m.expected = p.Seq + 1
	}
	if m.Throughput != nil {
		m.Throughput.Add(now, int64(p.Len))
		m.Delays.Add(now, int64(delay))
	}
	if m.Next != nil {
		m.Next.Receive(p)
	} else {
		m.sim.Free(p)
	}
}

// Missing returns how many numbers up to the highest seen have not come: lost
// packets, once none is under way. Duplicates make it too small.
func (m *Meter) Missing() uint64 { return max(m.expected, m.Packets) - m.Packets }

// ReorderedRatio returns the share of packets that were reordered (RFC 4737
// section 3.4), 0 if none came.
func (m *Meter) ReorderedRatio() float64 {
	if m.Packets == 0 {
		return 0
	}
	return float64(m.Reordered) / float64(m.Packets)
}

// Rate returns the mean rate in bit/s from a time until now.
func (m *Meter) Rate(since qdisc.Time) float64 {
	span := m.sim.now.Sub(since)
	if span <= 0 {
		return 0
	}
	return float64(m.Bytes) * 8 / span.Seconds()
}
