package qdisc

import "iter"

// Qdisc is a packet scheduler or queue manager. The package comment says what
// each verb promises. None is safe for concurrent use.
type Qdisc interface {
	// Enqueue takes p, whatever the verdict.
	Enqueue(p *Packet, now Time) Verdict
	// Dequeue gives the packet to send now, nil if none may leave now.
	Dequeue(now Time) *Packet
	// Peek gives what Dequeue(now) would return were it the next call.
	Peek(now Time) *Packet
	// ReadyAt tells when Dequeue is worth calling. It changes nothing.
	ReadyAt(now Time) Time
	// Len and Backlog are the packets and bytes held, a parked one included.
	Len() int
	Backlog() int64
	// Reset sends everything held to the drop list and starts afresh at now,
	// which may be earlier than the times seen before.
	Reset(now Time)
	// Common returns the discipline's Base, the same pointer for life.
	Common() *Base
}

// Parent is a discipline with children.
type Parent interface {
	Qdisc
	// Sync brings the parent up to date after class's child was called,
	// changed or reset directly. Unknown classes are ignored.
	Sync(class uint32, now Time)
	// Children ranges over the classes and their disciplines. The classes must
	// not change meanwhile.
	Children() iter.Seq2[uint32, Qdisc]
}

// Compat says whose arithmetic a discipline follows.
type Compat uint8

const (
	// Exact is the default: what the design means, in nanoseconds and
	// 128-bit products, rounded as each package states.
	Exact Compat = iota
	// Linux is what the deployed kernel does, with its tables, scales and
	// quirks.
	Linux
)

// String names the mode.
func (c Compat) String() string {
	switch c {
	case Exact:
		return "exact"
	case Linux:
		return "linux"
	}
	return "unknown mode"
}

// BatchDequeuer is a discipline with a faster batch of its own.
type BatchDequeuer interface {
	DequeueBatch(dst []*Packet, now Time, byteBudget int64) int
}

// DequeueBatch dequeues into dst until dst is full, nothing more may leave
// now, or byteBudget bytes are reached (a packet that exceeds what is left of
// a positive budget is still taken, as a driver's ring accepts it). It returns
// the number of packets.
func DequeueBatch(q Qdisc, dst []*Packet, now Time, byteBudget int64) int {
	if b, ok := q.(BatchDequeuer); ok {
		return b.DequeueBatch(dst, now, byteBudget)
	}
	n := 0
	for n < len(dst) && byteBudget > 0 {
		p := q.Dequeue(now)
		if p == nil {
			break
		}
		dst[n] = p
		n++
		byteBudget -= int64(p.Len)
	}
	return n
}

// EnqueueBatch enqueues ps in order and returns how many were not refused.
func EnqueueBatch(q Qdisc, ps []*Packet, now Time) int {
	n := 0
	for _, p := range ps {
		if q.Enqueue(p, now) != Dropped {
			n++
		}
	}
	return n
}
