package qdisc

// Refuse drops p, which was never accepted, and returns Dropped. The reason of
// a packet above MaxLen is TooLong, whatever else there is.
func (b *Base) Refuse(p *Packet, r Reason) Verdict {
	if p.Len > MaxLen {
		r = TooLong
	}
	b.lose(p, r, losses{refused: 1})
	return Dropped
}

// Drop drops p, which was accepted and then released.
func (b *Base) Drop(p *Packet, r Reason) {
	b.lose(p, r, losses{dropped: 1, bytes: uint64(p.Len)})
}

// Purge drops p, which was accepted and then released, on the owner's command.
func (b *Base) Purge(p *Packet) {
	b.lose(p, Purged, losses{purged: 1, bytes: uint64(p.Len)})
}

// PurgeList releases and purges all of l.
func (b *Base) PurgeList(l *List) {
	for p := l.Pop(); p != nil; p = l.Pop() {
		b.Release(p)
		b.Purge(p)
	}
}

// PurgeParked purges the parked packet, if any.
func (b *Base) PurgeParked() {
	if p := b.Unpark(); p != nil {
		b.Purge(p)
	}
}

// Mark marks p, which is about to be handed out, as a signal of congestion, if
// it is ECN-capable (see Packet.MarkCE), and counts it.
func (b *Base) Mark(p *Packet) bool {
	if !p.MarkCE() {
		return false
	}
	b.count(losses{marked: 1})
	return true
}

// SplitInto counts a super-packet that was cut into n packets.
func (b *Base) SplitInto(n int) { b.count(losses{split: uint64(n - 1)}) }

func (b *Base) lose(p *Packet, r Reason, l losses) {
	b.byReason[r]++
	p.Reason = r
	if drops := b.count(l).drops; drops != nil {
		drops.Push(p)
	}
}

// count adds l here and above, and returns the root.
func (b *Base) count(l losses) (root *Base) {
	for ; b != nil; b = b.up {
		b.lost.refused += l.refused
		b.lost.split += l.split
		b.lost.dropped += l.dropped
		b.lost.purged += l.purged
		b.lost.bytes += l.bytes
		b.lost.marked += l.marked
		root = b
	}
	return root
}
