package netsim

import (
	"math"
	"time"
)

// Constants of HyStart++ (RFC 9406, section 4.3).
const (
	hystartSamples = 8
	hystartLeast   = 4 * time.Millisecond
	hystartMost    = 16 * time.Millisecond
	hystartDivisor = 4
	hystartRounds  = 5
	hystartBurst   = 8 // segments
)

// hystart ends the first slow start when round trips grow (HyStart++, RFC
// 9406): it first slows the growth down, in conservative slow start, and after
// five such rounds sets the threshold.
type hystart struct {
	paced   bool
	end     uint64 // of the round
	samples int
	current time.Duration // least round trip of the round
	last    time.Duration // and of the round before

	conservative bool
	baseline     time.Duration // current when that began
	rounds       int
}

func newHystart(paced bool) *hystart {
	return &hystart{paced: paced, current: math.MaxInt64, last: math.MaxInt64, baseline: math.MaxInt64}
}

// grown returns by how much the window grows for bytes acknowledged in slow
// start. rtt is a sample, 0 if there is none.
func (h *hystart) grown(w *window, acked float64, una, nxt uint64, rtt time.Duration) float64 {
	if rtt > 0 {
		h.sample(rtt)
	}
	if una >= h.end {
		h.round(w, nxt)
	}
	if !h.paced {
		acked = min(acked, hystartBurst*w.mss)
	}
	if h.conservative {
		acked /= hystartDivisor
	}
	return acked
}

func (h *hystart) sample(rtt time.Duration) {
	h.current = min(h.current, rtt)
	h.samples++
	if h.samples < hystartSamples {
		return
	}
	if h.conservative {
		if h.current < h.baseline { // it was a spike
			h.conservative, h.baseline = false, math.MaxInt64
		}
		return
	}
	if h.last == math.MaxInt64 {
		return
	}
	if h.current >= h.last+min(max(h.last/8, hystartLeast), hystartMost) {
		h.conservative, h.baseline, h.rounds = true, h.current, 0
	}
}

func (h *hystart) round(w *window, nxt uint64) {
	h.end, h.last, h.current, h.samples = nxt, h.current, math.MaxInt64, 0
	if !h.conservative {
		return
	}
	if h.rounds++; h.rounds >= hystartRounds {
		w.ssthresh = w.cwnd
	}
}
