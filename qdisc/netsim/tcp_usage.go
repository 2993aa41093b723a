package netsim

import "github.com/netsched/netsched/qdisc"

// windowUsage tells whether the congestion window is what limits a sender, so
// that one that the application or the receiver limits does not build up a
// window that it never tried (RFC 7661).
type windowUsage struct {
	most  int64  // bytes in the network at most, this round
	full  bool   // the window was in the way
	round uint64 // ends when this byte is acknowledged
	seen  qdisc.Time
}

// note is called when the sender has sent what it can.
func (u *windowUsage) note(pipe int64, full bool, una, nxt uint64) {
	if una >= u.round || full && !u.full || full == u.full && pipe > u.most {
		u.most, u.full, u.round = pipe, full, nxt
	}
}

// limited tells whether the window may grow. In slow start a window of which
// more than half was in use may: doubling is what it is for.
func (u *windowUsage) limited(w *window) bool {
	if w.cwnd < w.ssthresh && w.cwnd < 2*float64(u.most) {
		return true
	}
	return u.full
}
