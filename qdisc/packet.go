package qdisc

// MaxLen is the largest Packet.Len that a discipline accepts, in bytes. A
// longer packet is refused with Reason TooLong.
const MaxLen = 1 << 30

// Packet is what a discipline queues: the facts about a packet that
// schedulers and queue managers ask for, and the caller's handle on the rest.
// Its bytes stay with the caller.
//
// The caller fills the exported fields before Enqueue. The zero value is a
// valid packet of no bytes. While a discipline, a drop list or a free list
// holds a packet its owner must not change it, and it must not be copied: it
// carries the link of the list it stands in. A packet that stands nowhere may
// be copied, as a Split does for its segments, and is recycled by filling it
// anew.
type Packet struct {
	next *Packet // itself at the end of a list; nil only outside every list

	// Payload is the caller's handle, untouched. Put a pointer here: any other
	// value, a []byte among them, costs an allocation. See Value.
	Payload any

	// Stamp is the time of the last Enqueue. A discipline writes it.
	Stamp Time

	// Len is the bytes accounted, link header included; at most MaxLen. The
	// caller sets it, ParseIP does not. At 0 no byte limit, rate or queue
	// manager sees the packet.
	Len      uint32
	Truesize uint32 // memory charge in bytes; 0: Len
	Class    uint32 // class number in the discipline that reads it; 0: none
	Priority uint32 // priority, as prio and pfifo_fast map it; low 4 bits
	Flow     uint32 // hash of the flow's addresses, protocol and ports; ParseIP fills it
	SrcHost  uint32 // hash of the source host
	DstHost  uint32 // hash of the destination host
	Mark     uint32 // firewall mark

	TxQueue uint16 // hardware queue
	NetOff  uint16 // bytes before the network header
	HdrLen  uint16 // bytes of link, network and transport headers
	Segs    uint16 // segments in a super-packet; 0 or 1: an ordinary packet
	SegSize uint16 // payload bytes of each segment but the last

	DSField uint8  // DS field: DSCP in the upper 6 bits, ECN in the lower 2; 0 if not IP
	Proto   uint8  // IP protocol number; 0: not IP; 255: IP of unknown protocol
	Reason  Reason // why it was dropped; a discipline writes it
}

// Value returns the payload as the type that the caller put there. It panics,
// as a type assertion does, when the payload is of another type.
func Value[T any](p *Packet) T { return p.Payload.(T) }

// Charge returns the memory charge: Truesize, or Len if that is 0.
func (p *Packet) Charge() int64 {
	if p.Truesize == 0 {
		return int64(p.Len)
	}
	return int64(p.Truesize)
}

// Linked tells whether p stands in a discipline or a List. Such a packet must
// not be enqueued or pushed.
func (p *Packet) Linked() bool { return p.next != nil }

// misuse reports the two programming errors that every build catches.
func misuse(p *Packet) {
	if p == nil {
		panic("qdisc: nil *Packet")
	}
	panic("qdisc: the packet is already in a discipline or a list")
}

// Reason says why a packet was dropped. The zero value means it was not.
type Reason uint8

// The reasons. Refused on arrival: Overlimit, TooLong, Unclassified. Lost
// after it was queued: HeadDrop, AQM, AckFilter. Thrown away by the owner's own command:
// Purged and Closed.
const (
	NotDropped   Reason = iota
	Overlimit           // no room: the queue's limit is reached
	TooLong             // longer than the discipline can ever send, or than MaxLen
	Unclassified        // no class for it
	HeadDrop            // the oldest packet, to make room for an arrival
	AQM                 // by the queue manager, as a signal of congestion
	AckFilter           // a TCP acknowledgement that a later one makes superfluous
	Purged              // by Reset, by Change or with the class it waited in
	Closed              // by closing the transmit queue
	NumReasons
)

var reasonNames = [NumReasons]string{
	"not dropped", "overlimit", "too long", "unclassified", "head drop", "aqm", "ack filter", "purged", "closed",
}

// String returns the reason in words.
func (r Reason) String() string {
	if r < NumReasons {
		return reasonNames[r]
	}
	return "unknown reason"
}

// Verdict is what Enqueue says became of the packet. It is information only:
// Enqueue has taken the packet whatever the verdict.
type Verdict uint8

// The verdicts, with the numbers that recorded reference runs use.
const (
	Queued    Verdict = 0 // no packet of p's own queue was lost (another's may have been)
	Dropped   Verdict = 1 // p was refused and nothing else changed
	Congested Verdict = 2 // p's own queue lost a packet, possibly p, to make room
)

// String returns the verdict in words.
func (v Verdict) String() string {
	switch v {
	case Queued:
		return "queued"
	case Dropped:
		return "dropped"
	case Congested:
		return "congested"
	}
	return "unknown verdict"
}
