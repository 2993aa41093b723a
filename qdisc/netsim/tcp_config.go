package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// TCPConfig describes a TCP connection: a sender, a receiver, and the paths
// between them. The zero value of everything but the paths is a Linux sender
// with CUBIC that has data without end.
type TCPConfig struct {
	Name string // for the event log

	// Forward takes the data on their way to the receiver and Reverse the
	// acknowledgements on theirs to the sender. Packets name the endpoint as
	// their To. Both are required.
	Forward, Reverse Receiver

	// Packet is what the data look like to disciplines: flow, hosts, class,
	// DSCP and so on. Length, ECN and what describes the headers are the
	// connection's. A Flow, SrcHost or DstHost of 0 is drawn at random. The
	// acknowledgements are alike, with the hosts the other way round and all
	// bits of Flow inverted.
	Packet qdisc.Packet

	// Bytes is how much there is to send. 0: data without end. OnDemand: the
	// application hands over Bytes at first and more by Write.
	Bytes    uint64
	OnDemand bool

	Congestion Congestion // CUBIC or Reno
	HyStart    bool       // end the first slow start early (RFC 9406)
	ECN        bool       // data are sent as ECT(0); marks reduce the window (RFC 3168)
	Pacing     bool       // packets are spread over a round trip: at twice the window's rate in slow start, 1.2 times after
	NoProbe    bool       // losses that the threshold does not show wait for the timeout (default: probes and a timer, RFC 8985)
	NoUndo     bool       // keep the reduction when it turns out that nothing was lost (default: RFC 3522, RFC 4015)

	MSS           int   // bytes of data in a segment, 1 to 65000; 0: 1448
	InitialWindow int   // segments, up to 10000; 0: 10 (RFC 6928)
	Window        int64 // the receiver's, bytes, at least one segment; 0: 64 MiB, which hardly limits
	// GSO is the most segments in a super-packet, up to 1000 and 64 KiB in
	// all; 0 or 1: none. With Pacing no more than leave in a millisecond, but
	// two.
	GSO int

	DupThresh int           // duplicate acknowledgements that show a loss, up to 1000; 0: 3. More: a sender that expects reordering
	MinRTO    time.Duration // least margin of the retransmission timeout above the smoothed round trip; 0: 200 ms, Linux's; RFC 6298 has 1 s

	// AckEvery is the number of segments after which the receiver
	// acknowledges, up to 1000; 0: 2. AckDelay is how long it waits for them;
	// 0: 40 ms.
	AckEvery int
	AckDelay time.Duration
	// Coalesce is how long the receiver gathers consecutive segments into a
	// run that is acknowledged as one, as receive offload does; 0: it does
	// not. A run has at most CoalesceSegs segments, up to 1000; 0: 44, 64 KB.
	Coalesce     time.Duration
	CoalesceSegs int

	OnCwnd    func(now qdisc.Time, cwnd uint64)  // is told the congestion window, in bytes, when it has changed
	OnDeliver func(now qdisc.Time, bytes uint64) // is told of bytes that the receiver's application gets
	OnDone    func(now qdisc.Time)               // is called when all that there was to send is acknowledged
}

// standardDupThresh is that of RFC 5681.
const standardDupThresh = 3

// maxGSO is the longest super-packet's data and headers, in bytes.
const maxGSO = 1 << 16

// fill sets the defaults and notes what cannot be used.
func (c *TCPConfig) fill(s *Sim, errs *qdisc.ConfigErrors) {
	if c.Forward == nil {
		errs.Add("Forward", nil, "the way to the receiver is required")
	}
	if c.Reverse == nil {
		errs.Add("Reverse", nil, "the way back to the sender is required")
	}
	p := &c.Packet
	if p.Linked() {
		errs.Add("Packet", "linked", "a template stands in no list")
	}
	for _, hash := range [...]*uint32{&p.Flow, &p.SrcHost, &p.DstHost} {
		if *hash == 0 {
			*hash = uint32(s.Rand().Uint64())
		}
	}
	if c.Congestion > Reno {
		errs.Add("Congestion", uint8(c.Congestion), "CUBIC or Reno")
	}
	number := func(field string, v *int, standard, most int) {
		if *v < 0 || *v > most {
			errs.Add(field, *v, "out of range; 0 is the default")
		} else if *v == 0 {
			*v = standard
		}
	}
	number("MSS", &c.MSS, 1448, 65000)
	number("InitialWindow", &c.InitialWindow, 10, 10000)
	number("GSO", &c.GSO, 1, 1000)
	number("DupThresh", &c.DupThresh, standardDupThresh, 1000)
	number("AckEvery", &c.AckEvery, 2, 1000)
	number("CoalesceSegs", &c.CoalesceSegs, 44, 1000)
	duration := func(field string, v *time.Duration, standard time.Duration) {
		if *v < 0 || *v > maxRTO {
			errs.Add(field, *v, "a time up to 2 minutes; 0 is the default")
		} else if *v == 0 {
			*v = standard
		}
	}
	duration("MinRTO", &c.MinRTO, 200*time.Millisecond)
	duration("AckDelay", &c.AckDelay, 40*time.Millisecond)
	duration("Coalesce", &c.Coalesce, 0)
	if c.Window == 0 {
		c.Window = 64 << 20
	}
	if c.Window < int64(c.MSS) {
		errs.Add("Window", c.Window, "bytes, at least one segment")
	}
	c.GSO = min(c.GSO, max(1, maxGSO/(c.MSS+tcpHeader)))
	p.DSField &^= qdisc.CE // both bits
	p.NetOff, p.HdrLen, p.Proto, p.Segs, p.SegSize = etherHeader, tcpHeader, protoTCP, 0, 0
}
