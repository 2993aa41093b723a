package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// reno is the congestion control of RFC 5681, with bytes counted as RFC 3465
// has it: one segment more for every window acknowledged, however many
// acknowledgements that takes.
type reno struct{}

func (reno) grow(w *window, acked float64, _ qdisc.Time, _ time.Duration) {
	w.cwnd += w.mss * acked / w.cwnd
}

func (reno) reduce(w *window) float64 { return max(w.cwnd/2, 2*w.mss) }

func (reno) timeout()            {}
func (reno) pause(time.Duration) {}
func (reno) undo()               {}
