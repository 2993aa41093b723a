package qdisc

// Refuse drops p, which was never accepted, and returns Dropped.
func (b *Base) Refuse(p *Packet, r Reason) Verdict {
	b.lost.refused++
	b.lose(p, r)
	return Dropped
}

// Drop drops p, which was accepted and then released.
func (b *Base) Drop(p *Packet, r Reason) {
	b.lost.dropped++
	b.lost.bytes += uint64(p.Len)
	b.lose(p, r)
}

// Purge drops p, which was accepted and then released, on the owner's command.
func (b *Base) Purge(p *Packet) {
	b.lost.purged++
	b.lost.bytes += uint64(p.Len)
	b.lose(p, Purged)
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

// SplitInto counts a super-packet that was cut into n packets.
func (b *Base) SplitInto(n int) {
	b.lost.split += uint64(n - 1)
	b.losses++
}

func (b *Base) lose(p *Packet, r Reason) {
	b.losses++
	b.byReason[r]++
	p.Reason = r
	if l := b.root().drops; l != nil {
		l.Push(p)
	}
}

// add adds what changed from old to new.
func (l *losses) add(new, old *losses) {
	l.refused += new.refused - old.refused
	l.split += new.split - old.split
	l.dropped += new.dropped - old.dropped
	l.purged += new.purged - old.purged
	l.bytes += new.bytes - old.bytes
}
