package codel

import "github.com/netsched/netsched/qdisc"

// evict takes packets from the head of the fattest flow, half of its bytes but
// no more than a batch (RFC 8290 section 4.1.3), and hands each to lose. It
// returns how many, and the flow. Some flow must hold packets; grown is one
// that took some since it was last compared, if any did.
func (q *FQ) evict(grown *flow, lose func(*qdisc.Base, *qdisc.Packet)) (n int, f *flow) {
	f = q.fattest.winner(q.flows, grown)
	half, bytes := f.backlog/2, uint32(0)
	for n == 0 || n < q.dropBatch && bytes < half {
		p := q.law.pop(&q.Base, f)
		n, bytes = n+1, bytes+p.Len
		lose(&q.Base, p)
	}
	q.fattest.set(f)
	return n, f
}

func headDrop(b *qdisc.Base, p *qdisc.Packet) { b.Drop(p, qdisc.HeadDrop) }

// over tells whether a limit is exceeded.
func (q *FQ) over() bool { return q.Len() > q.limit || q.overMemory() }

func (q *FQ) overMemory() bool { return q.law.memory > q.memoryLimit }

// makeRoom drops from the fattest flow until the limits hold; Linux does so
// once. arrived is the flow that took a packet. A parked packet does not exceed
// the limits alone.
//
//go:noinline
func (q *FQ) makeRoom(arrived *flow) qdisc.Verdict {
	v := qdisc.Queued
	for q.over() {
		memory := q.overMemory()
		n, f := q.evict(arrived, headDrop)
		f.add(n)
		q.counts.DropOverlimit += uint64(n)
		if memory {
			q.counts.DropOverMemory += uint64(n)
		}
		if f == arrived {
			v = qdisc.Congested
		}
		if q.law.linux {
			break
		}
	}
	return v
}

// shrink purges what the limits leave no room for: of a parked packet and
// others the parked one last, in Linux first.
func (q *FQ) shrink(now qdisc.Time) {
	for q.over() {
		switch {
		case q.Parked() != nil && (q.law.linux || q.Len() == 1):
			q.PurgeParked()
		case q.law.linux && q.newFlows.head != nil:
			if p := q.take(now); p != nil {
				q.Purge(p)
			}
		case q.law.linux:
			q.takeByDebt(now, true)
		default:
			q.evict(nil, (*qdisc.Base).Purge)
		}
	}
}
