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

	InFlight      int   // of Len: with Run's device, or left over from a short write
	InFlightBytes int64 // their bytes

	Sends    uint64 // calls of Send before Close
	Recvs    uint64 // times that packets were taken, by Recv or Run
	Sleeps   uint64 // times that the consumer went to sleep
	Wakeups  uint64 // times that Send or Do woke it; the other times, the timer did
	Requeues uint64 // packets that a device did not take at once; "requeues" in tc -s

	LateMax  time.Duration // the most that the consumer woke after a departure was due
	Overruns uint64        // times that it was more than Catchup, which costs rate
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
	return s
}

// Len returns the packets held, those in flight included.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.root.Len() + q.flight.packets
}
