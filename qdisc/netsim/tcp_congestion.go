package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Congestion names a congestion control.
type Congestion uint8

// The congestion controls.
const (
	CUBIC Congestion = iota // RFC 9438, what most hosts use
	Reno                    // RFC 5681, counting bytes (RFC 3465)
)

// String names the congestion control as Linux does.
func (c Congestion) String() string {
	switch c {
	case CUBIC:
		return "cubic"
	case Reno:
		return "reno"
	}
	return "unknown"
}

func (c Congestion) control() control {
	if c == Reno {
		return reno{}
	}
	return new(cubic)
}

// window is a congestion window, in bytes. The fractions count: a window grows
// by a fraction of a segment at each acknowledgement. Only the sums and
// quotients that every platform rounds alike are used, so that runs agree.
type window struct {
	cwnd, ssthresh, mss float64
}

// noThreshold is the slow start threshold before the first congestion.
const noThreshold = 1 << 62

// control decides how a window moves outside slow start.
type control interface {
	// grow raises the window for bytes acknowledged in congestion avoidance.
	grow(w *window, acked float64, now qdisc.Time, srtt time.Duration)
	// reduce returns the threshold that answers a loss or a mark.
	reduce(w *window) float64
	// timeout follows reduce when the answer is to a timeout.
	timeout()
	// pause leaves a time out of account in which the window was not used.
	pause(d time.Duration)
	// undo takes the last reduce back: nothing was lost.
	undo()
}

// increase raises the window for bytes delivered: by as many in slow start,
// after that as the congestion control says.
func (s *tcpSender) increase(acked float64, rtt time.Duration) {
	w := &s.win
	if w.cwnd < w.ssthresh {
		grown := min(acked, w.ssthresh-w.cwnd)
		acked -= grown
		if s.hystart != nil && w.ssthresh == noThreshold {
			grown = s.hystart.grown(w, grown, s.una, s.nxt, rtt)
		}
		w.cwnd += grown
	}
	if acked > 0 && w.cwnd >= w.ssthresh {
		s.control.grow(w, acked, s.tcp.sim.now, s.rtt.smoothed)
	}
}
