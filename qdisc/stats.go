package qdisc

// Stats are a discipline's counters. They only grow, and survive Reset.
//
// A discipline without children keeps, after every call,
//
//	Received + Split = Queued + Refused
//	Queued = Dequeued + Dropped + Purged + Len()
//	Refused + Dropped + Purged = the sum of Drops
//
// A discipline with children counts as Queued what a child took, and in
// Refused, Dropped and Purged only its own losses; after Sync
//
//	Len() = parked + the sum of its children's Len()
//
// and likewise for bytes. A peeked packet counts as Dequeued when Dequeue
// hands it out.
type Stats struct {
	Received   uint64 // packets offered to Enqueue
	Split      uint64 // packets gained by cutting super-packets: segments - 1 each
	Queued     uint64 // packets accepted
	Refused    uint64 // packets dropped on arrival
	Dequeued   uint64 // packets handed out; "pkt" in tc -s
	SentBytes  uint64 // their bytes; "Sent" in tc -s
	Dropped    uint64 // queued packets lost later: head drop, AQM
	Purged     uint64 // queued packets thrown away by Reset, Change or removal
	Overlimits uint64 // times a shaper held a packet back; "overlimits" in tc -s

	Drops [NumReasons]uint64 // packets lost, by Reason
}

// Lost returns the packets that arrived or were queued and never came out.
func (s *Stats) Lost() uint64 { return s.Refused + s.Dropped + s.Purged }

// ClassStats are the counters of one class of a discipline with children.
type ClassStats struct {
	Stats         // of the class's child
	Len     int   // packets in the child
	Backlog int64 // bytes in the child
}
