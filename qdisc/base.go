package qdisc

// Base is what every discipline embeds: the fill, the counters, the latest
// time, the parked packet and the way to the drop list. Its zero value is
// ready. Len, Backlog, ReadStats, ReadyAt, Latest and Common serve everybody; the
// other methods are the book-keeping verbs for authors of disciplines and must
// not be called from outside.
//
// A leaf calls Arrive then Accept or Refuse in Enqueue, Clock, Release and
// Sent in Dequeue, Release and Drop or Purge for a loss. A parent calls
// Arrive, offers the packet to a child (see Child), and calls Clock and Sent
// in Dequeue.
type Base struct {
	// What came in and went out, here and below. Both only grow, but for Park,
	// which takes a departure back. Two pairs of counters a packet keep Len,
	// Backlog and most of Stats; a length that goes up and down beside them
	// would cost as much again. The leaf that takes or gives a packet counts
	// for all disciplines above it, so no parent has to follow its children,
	// or can fail to.
	in, out flow
	lost    losses

	latest  Time
	wake    Time // no Dequeue succeeds before it; 0: not known
	parked  *Packet
	sojourn *Histogram

	up         *Base // the parent's
	drops      *List // the tree's, at its root
	overlimits uint64
	byReason   [NumReasons]uint64
}

// flow counts packets and their bytes.
type flow struct{ packets, bytes uint64 }

// losses counts what was lost, what cutting super-packets added, and marks.
type losses struct{ refused, split, dropped, purged, bytes, marked uint64 }

// Common returns b.
func (b *Base) Common() *Base { return b }

// Len returns the packets held, a parked one included.
func (b *Base) Len() int { return int(b.in.packets - b.out.packets) }

// Backlog returns the bytes held, a parked packet's included.
func (b *Base) Backlog() int64 { return int64(b.in.bytes - b.out.bytes) }

// Parked returns the packet that Peek took and the next Dequeue returns, nil
// if there is none.
func (b *Base) Parked() *Packet { return b.parked }

// ReadyAt is right for a discipline that calls Wait when it holds a packet
// back, and Forget when that may end sooner.
func (b *Base) ReadyAt(now Time) Time {
	now = min(now, MaxTime)
	switch {
	case b.Len() == 0:
		return Never
	case b.parked == nil && b.wake > max(now, b.latest):
		return b.wake
	}
	return now
}

// Clock returns the time to act on: now, but never earlier than before.
func (b *Base) Clock(now Time) Time {
	if now < b.latest {
		return b.latest
	}
	now = min(now, MaxTime)
	b.latest = now
	return now
}

// Latest returns the latest time seen.
func (b *Base) Latest() Time { return b.latest }

// Rewind sets the clock, for Reset alone, and forgets the stored wake-up.
func (b *Base) Rewind(now Time) Time {
	b.latest, b.wake = max(0, min(now, MaxTime)), 0
	return b.latest
}

// Wait notes that nothing may leave before t, which must be later than now.
func (b *Base) Wait(t Time) { b.wake = t }

// Forget notes that the time of the next departure is not known any more.
func (b *Base) Forget() { b.wake = 0 }

// Arrive starts every Enqueue: it refuses misuse by panic and returns the
// time to act on.
func (b *Base) Arrive(p *Packet, now Time) Time {
	if p == nil || p.next != nil {
		misuse(p)
	}
	return b.Clock(now)
}

// Accept counts p into a leaf, and so into the tree above, and stamps it.
func (b *Base) Accept(p *Packet, now Time) {
	p.Stamp = now
	p.Reason = NotDropped
	for ; b != nil; b = b.up {
		b.in.packets++
		b.in.bytes += uint64(p.Len)
	}
}

// Release counts p out of a leaf; Sent, Drop or Purge says where to.
func (b *Base) Release(p *Packet) {
	for ; b != nil; b = b.up {
		b.out.packets++
		b.out.bytes += uint64(p.Len)
	}
}

// Sent notes that p is handed out, at the time that Clock gave last.
func (b *Base) Sent(p *Packet) {
	if b.sojourn != nil {
		b.record(p)
	}
}

func (b *Base) record(p *Packet) { b.sojourn.Record(b.latest.Sub(p.Stamp)) }

// Overlimit counts a packet that a shaper held back.
func (b *Base) Overlimit() { b.overlimits++ }

// Park keeps p, which a child just gave, for the next Dequeue: p has not left.
func (b *Base) Park(p *Packet) {
	p.next = p
	b.parked = p
	for ; b != nil; b = b.up {
		b.out.packets--
		b.out.bytes -= uint64(p.Len)
	}
}

// Unpark takes the parked packet, nil if there is none.
func (b *Base) Unpark() *Packet {
	p := b.parked
	if p != nil {
		p.next, b.parked = nil, nil
		b.Release(p)
	}
	return p
}

// SendParked ends a Dequeue for which Peek has parked the packet.
//
//go:noinline
func (b *Base) SendParked(now Time) *Packet {
	b.Clock(now)
	p := b.Unpark()
	b.Sent(p)
	return p
}

// Attend sets where dropped packets go and, if h is not nil, has the sojourn
// time of each packet handed out recorded there. A nil list keeps the one in
// use, which may be another owner's than the configuration's. Below a parent
// only the root's own list, or nil, is allowed: it serves the whole tree.
func (b *Base) Attend(drops *List, h *Histogram) error {
	if b.up != nil && drops != nil && drops != b.root().drops {
		return &ConfigError{"Drops", "another list", "the root's drop list serves the whole tree; leave this one nil"}
	}
	if drops != nil {
		b.drops = drops
	}
	b.sojourn = h
	return nil
}

// HasParent tells whether the discipline is a child of another.
func (b *Base) HasParent() bool { return b.up != nil }

// DropList returns the list that takes the tree's dropped packets.
func (b *Base) DropList() *List { return b.root().drops }

// Sojourn returns the histogram of sojourn times, nil if none is kept.
func (b *Base) Sojourn() *Histogram { return b.sojourn }

func (b *Base) root() *Base {
	for b.up != nil {
		b = b.up
	}
	return b
}
