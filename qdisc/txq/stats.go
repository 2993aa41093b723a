package txq

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Stats describe a Queue at one moment. All counters only grow.
type Stats struct {
	Qdisc qdisc.Stats // of the root discipline

	Len     int   // packets held: by the discipline and in flight
	Backlog int64 // their bytes

	InFlight      int   // of Len: with Run's device, left over from a short write, or set aside for a stopped hardware queue
	InFlightBytes int64 // their bytes

	Sends    uint64 // calls of Send before Close
	Blocks   uint64 // times that Send waited for room
	Recvs    uint64 // times that packets were taken, by Recv or Run
	Sleeps   uint64 // times that the consumer went to sleep
	Wakeups  uint64 // times that it was woken; the other times, the timer did
	Requeues uint64 // packets that a device did not take at once; "requeues" in tc -s
	Errors   uint64 // packets dropped because of an error of a device

	SentPackets uint64 // taken by a device, or by Recv
	SentBytes   uint64 // their bytes
	Stops       uint64 // times that a hardware queue was stopped
	Wakes       uint64 // times that one went on

	LateMax  time.Duration // the most that the consumer woke after a departure was due
	Overruns uint64        // times that it was more than Catchup, which costs rate
	Forfeit  time.Duration // lateness beyond Catchup, in all: time that a shaper lost
	Emptied  uint64        // times that the last packet was taken from the discipline
}

// HardwareStats describe one hardware queue at one moment.
type HardwareStats struct {
	Stopped bool // by its limiter or by the device

	InFlight      int   // packets with Run's device, left over from a short write, or set aside while it is stopped
	InFlightBytes int64 // their bytes

	Packets uint64 // taken by a device, or by Recv
	Bytes   uint64 // their bytes
	Stops   uint64 // times that it was stopped
	Wakes   uint64 // times that it went on
	Excess  uint64 // packets reported as completed that were not in flight

	// The limiter's; 0 without one.
	Limit       int64         // bytes in flight that it allows
	Limited     int64         // bytes in flight as it counts them; "inflight" in Linux
	ExcessBytes uint64        // bytes reported as completed that were not in flight
	Stalls      uint64        // waits of StallThreshold or longer for a completion
	StallMax    time.Duration // the longest
}

// Stats returns a consistent snapshot. After Close it still reads the
// discipline, so it must not run while somebody uses that.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.stats
	s.Qdisc = q.root.Common().ReadStats()
	s.InFlight, s.InFlightBytes = q.flight.packets, q.flight.bytes
	s.Len = q.root.Len() + s.InFlight
	s.Backlog = q.root.Backlog() + s.InFlightBytes
	for i := range q.hw {
		h := &q.hw[i].stats
		s.SentPackets += h.Packets
		s.SentBytes += h.Bytes
		s.Stops += h.Stops
		s.Wakes += h.Wakes
	}
	return s
}

// HardwareStats returns a snapshot of one hardware queue, zeros if there is
// none of that number.
func (q *Queue) HardwareStats(queue int) HardwareStats {
	if uint(queue) >= uint(len(q.hw)) {
		return HardwareStats{}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	h := &q.hw[queue]
	s := h.stats
	s.Stopped = h.stops != 0
	s.InFlight, s.InFlightBytes = h.flight.packets, h.flight.bytes
	if l := h.limiter; l != nil {
		s.Limit, s.Limited = l.Limit(), l.Inflight()
		s.ExcessBytes = l.ReadStats().ExcessBytes
		s.Stalls, s.StallMax = l.StallCnt(), l.StallMax()
	}
	return s
}

// Len returns the packets held, those in flight included.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.len()
}
