package workload

import "github.com/netsched/netsched/qdisc"

// nsPerByte1G is the transmission time at 1 Gbit/s.
const nsPerByte1G = 8

// idle is how long the clock moves when nothing was sent, in ns.
const idle = 8000

// ALTQ is the loop for the BSD schedulers: a link of 1 Gbit/s and packets of
// mixed lengths. Backlogged, every class holds 8 packets and each packet sent is
// followed by a new one in its class; one operation is a packet that was sent.
// Sparse, one operation is a packet for a class drawn at random and one Dequeue.
type ALTQ struct {
	Classes []uint32 // numbers, for Packet.Class
	Sparse  bool
	Drops   *qdisc.List // the discipline's
	Nulls   int         // dequeues that gave nothing

	q    qdisc.Qdisc
	now  qdisc.Time
	free []*qdisc.Packet // a stack, as an allocator's is
	id   uint32
	x    uint32 // state of the linear congruential generator
}

// lengths are those of the packets, by number.
var lengths = [8]uint32{1500, 64, 576, 1500, 40, 1500, 1000, 200}

// Setup fills q.
func (w *ALTQ) Setup(q qdisc.Qdisc) {
	w.q, w.now, w.x = q, 1e9, 12345
	most := 8 // packets a class holds
	if w.Sparse {
		most = 50 // its queue's limit
	}
	slab := make([]qdisc.Packet, most*len(w.Classes)+1)
	for i := range slab {
		w.free = append(w.free, &slab[len(slab)-1-i])
	}
	if !w.Sparse {
		for range 8 {
			for _, class := range w.Classes {
				w.enqueue(class)
			}
		}
	}
	w.Run(8 * len(w.Classes))
}

func (w *ALTQ) enqueue(class uint32) {
	p := w.free[len(w.free)-1]
	w.free = w.free[:len(w.free)-1]
	w.id++
	p.Len, p.Class = lengths[w.id&7], class
	if w.q.Enqueue(p, w.now) == qdisc.Dropped {
		w.free = append(w.free, w.Drops.Pop())
	}
}

// Run does n operations.
func (w *ALTQ) Run(n int) {
	if w.Sparse {
		w.sparse(n)
		return
	}
	for n > 0 {
		p := w.q.Dequeue(w.now)
		if p == nil {
			w.Nulls++
			w.now += idle
			continue
		}
		w.now += nsPerByte1G * qdisc.Time(p.Len)
		class := p.Class
		w.free = append(w.free, p)
		w.enqueue(class)
		n--
	}
}

func (w *ALTQ) sparse(n int) {
	for range n {
		w.x = 1664525*w.x + 1013904223
		w.enqueue(w.Classes[(w.x>>8)%uint32(len(w.Classes))])
		p := w.q.Dequeue(w.now)
		if p == nil {
			w.Nulls++
			w.now += idle + 100
			continue
		}
		w.now += nsPerByte1G*qdisc.Time(p.Len) + 100
		w.free = append(w.free, p)
	}
}
