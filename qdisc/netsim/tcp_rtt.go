package netsim

import "time"

// maxRTO is the longest retransmission timeout (RFC 6298, section 2.5, allows
// any from 60 s on; this is Linux's).
const maxRTO = 120 * time.Second

// initialRTO holds until a round trip has been measured (RFC 6298, section 2.1).
const initialRTO = time.Second

// roundTrip estimates the round trip time (RFC 6298). Echoed timestamps give a
// sample with every acknowledgement that moves on, retransmissions included
// (RFC 7323).
type roundTrip struct {
	smoothed time.Duration // 0: no sample yet
	variance time.Duration
	least    time.Duration
	margin   time.Duration // the least that a timeout is above smoothed
	backoff  uint          // timeouts in a row
}

func (r *roundTrip) sample(rtt time.Duration) {
	rtt = max(rtt, 1)
	if r.smoothed == 0 {
		r.smoothed, r.variance, r.least = rtt, rtt/2, rtt
		return
	}
	r.least = min(r.least, rtt)
	diff := rtt - r.smoothed
	r.variance += (max(diff, -diff) - r.variance) / 4
	r.smoothed = max(r.smoothed+diff/8, 1)
}

// timeout returns the retransmission timeout.
func (r *roundTrip) timeout() time.Duration {
	rto := initialRTO
	if r.smoothed != 0 {
		rto = r.smoothed + max(4*r.variance, r.margin)
	}
	for range r.backoff {
		if rto >= maxRTO {
			break
		}
		rto *= 2
	}
	return min(rto, maxRTO)
}
