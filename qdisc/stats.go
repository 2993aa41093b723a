package qdisc

// Stats are a discipline's counters. They only grow, and survive Reset. Always,
// because Base derives the one side from the other,
//
//	Received + Split = Queued + Refused
//	Queued = Dequeued + Dropped + Purged + Len()
//
// A discipline with children counts what is lost or marked below it in Refused,
// Dropped, Purged and Marked, as tc does; Drops counts only what it lost itself, so that the
// sum over a tree's Drops is the number of packets on its drop list. Its Len
// is its parked packet plus the sum of its children's, likewise in bytes. A
// peeked packet counts as Dequeued when Dequeue hands it out.
type Stats struct {
	Received   uint64 // packets offered to Enqueue
	Split      uint64 // packets gained by cutting super-packets: segments - 1 each
	Queued     uint64 // packets accepted
	Refused    uint64 // packets dropped on arrival
	Dequeued   uint64 // packets handed out; "pkt" in tc -s
	SentBytes  uint64 // their bytes; "Sent" in tc -s
	Dropped    uint64 // queued packets lost later: head drop, AQM
	Purged     uint64 // queued packets thrown away by Reset, Change or removal
	Marked     uint64 // times a queue manager signalled by ECN instead of a drop
	Overlimits uint64 // times a shaper held a packet back; "overlimits" in tc -s

	Drops [NumReasons]uint64 // packets this discipline itself lost, by Reason
}

// Lost returns the packets that arrived or were queued and never came out.
func (s *Stats) Lost() uint64 { return s.Refused + s.Dropped + s.Purged }

// ReadStats returns the counters.
func (b *Base) ReadStats() Stats {
	l := &b.lost
	return Stats{
		Received:   b.in.packets + l.refused - l.split,
		Split:      l.split,
		Queued:     b.in.packets,
		Refused:    l.refused,
		Dequeued:   b.out.packets - l.dropped - l.purged,
		SentBytes:  b.out.bytes - l.bytes,
		Dropped:    l.dropped,
		Purged:     l.purged,
		Marked:     l.marked,
		Overlimits: b.overlimits,
		Drops:      b.byReason,
	}
}

// ClassStats are the counters of one class of a discipline with children.
type ClassStats struct {
	Stats         // of the class's child
	Len     int   // packets in the child
	Backlog int64 // bytes in the child
}
