package fifo

import "github.com/netsched/netsched/qdisc"

// Enqueue appends p to its band, or refuses it when that is full.
func (f *Fast) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = f.Arrive(p, now)
	key := p.Priority
	if f.byDS {
		key = uint32(p.DSField >> 1)
	}
	b := &f.bands[f.to[key&15]]
	if b.n >= f.limit || p.Len > qdisc.MaxLen {
		return f.Refuse(p, qdisc.Overlimit)
	}
	b.n++
	f.Accept(p, now)
	b.list.Push(p)
	return qdisc.Queued
}

// Dequeue returns the oldest packet of the first band that has one, nil if
// none has.
func (f *Fast) Dequeue(now qdisc.Time) *qdisc.Packet {
	f.Clock(now)
	b := &f.bands[0]
	if b.n == 0 {
		if b = &f.bands[1]; b.n == 0 {
			b = &f.bands[2]
		}
	}
	p := b.list.Pop()
	if p != nil {
		b.n--
		f.Release(p)
		f.Sent(p)
	}
	return p
}

// Peek returns the packet that Dequeue would, nil if there is none. A later
// arrival in a band before it goes first.
func (f *Fast) Peek(now qdisc.Time) *qdisc.Packet {
	f.Clock(now)
	for i := range f.bands {
		if p := f.bands[i].list.Head(); p != nil {
			return p
		}
	}
	return nil
}

// Reset sends everything held to the drop list.
func (f *Fast) Reset(now qdisc.Time) {
	f.Rewind(now)
	for i := range f.bands {
		f.PurgeList(&f.bands[i].list)
		f.bands[i].n = 0
	}
}
