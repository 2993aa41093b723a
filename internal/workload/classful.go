package workload

import "github.com/netsched/netsched/qdisc"

// psPerByte is the transmission time at 10 Gbit/s, in picoseconds a byte.
const psPerByte = 800

// Classful is the loop for disciplines with classes: every class stays
// backlogged, each packet taken goes back into its class, and the clock
// follows a 10 Gbit/s link.
type Classful struct {
	// Classes are the class numbers to fill, written into Packet.Class, and less
	// one into Packet.TxQueue. A discipline without classes gets one, whose
	// number is not read.
	Classes []uint32
	Nulls   int // dequeues that gave nothing

	q    qdisc.Qdisc
	now  qdisc.Time
	frac int64 // picoseconds not yet on the clock
}

// Setup fills q: max(2, 1024/C) packets a class, round by round.
func (w *Classful) Setup(q qdisc.Qdisc) {
	w.q, w.now = q, 1e9
	per := max(2, 1024/len(w.Classes))
	slab := make([]qdisc.Packet, per*len(w.Classes))
	for j := range per {
		for i, class := range w.Classes {
			p := &slab[j*len(w.Classes)+i]
			p.Len = 64 + (7919*uint32(i)+104729*uint32(j))%1437
			p.Class, p.TxQueue = class, uint16(class-1)
			q.Enqueue(p, w.now)
		}
	}
	w.Run(4 * len(slab))
}

// Run does n pairs: a dequeue (again at the wake-up time while it gives
// nothing), the transmission, an enqueue.
func (w *Classful) Run(n int) {
	for range n {
		p := w.q.Dequeue(w.now)
		for p == nil {
			w.Nulls++
			if at := w.q.ReadyAt(w.now); at > w.now && at <= qdisc.MaxTime {
				w.now = at
			} else {
				w.now += 64
			}
			p = w.q.Dequeue(w.now)
		}
		w.frac += int64(p.Len) * psPerByte
		w.now += qdisc.Time(w.frac / 1000)
		w.frac %= 1000
		w.q.Enqueue(p, w.now)
	}
}
