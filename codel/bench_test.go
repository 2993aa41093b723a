package codel_test

import (
	"fmt"
	"testing"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// pairs runs the reference workload: one operation is one packet in and one
// out.
func pairs(b *testing.B, flows, depth int, build func(drops *qdisc.List) qdisc.Qdisc) {
	var drops qdisc.List
	w := workload.AQM{Flows: flows, Backlog: depth}
	w.Setup(build(&drops), &drops)
	b.ReportAllocs()
	b.ResetTimer()
	w.Run(b.N)
}

// shapes runs f for the numbers of flows and standing packets of the reference.
func shapes(b *testing.B, f func(b *testing.B, flows, depth int, mode qdisc.Compat)) {
	for _, mode := range modes {
		for _, flows := range []int{1, 64, 1024, 10000} {
			for _, depth := range []int{0, 1000} {
				name := fmt.Sprintf("op=enqdeq/flows=%d/depth=%d/size=1000", flows, depth)
				if mode == qdisc.Linux {
					name += "/compat=linux"
				}
				b.Run(name, func(b *testing.B) { f(b, flows, depth, mode) })
			}
		}
	}
}

func BenchmarkCoDel(b *testing.B) {
	shapes(b, func(b *testing.B, flows, depth int, mode qdisc.Compat) {
		pairs(b, flows, depth, func(drops *qdisc.List) qdisc.Qdisc {
			return newCoDel(b, codel.Config{Limit: new(20000), Drops: drops, Compat: mode})
		})
	})
}

func BenchmarkFQ(b *testing.B) {
	shapes(b, func(b *testing.B, flows, depth int, mode qdisc.Compat) {
		pairs(b, flows, depth, func(drops *qdisc.List) qdisc.Qdisc {
			return newFQ(b, codel.FQConfig{Limit: new(20000), Drops: drops, Compat: mode})
		})
	})
}

// BenchmarkFQAssociative: flows that look for a queue of their own.
func BenchmarkFQAssociative(b *testing.B) {
	for _, flows := range []int{1, 1024} {
		b.Run(fmt.Sprintf("op=enqdeq/flows=%d/depth=1000/size=1000", flows), func(b *testing.B) {
			pairs(b, flows, 1000, func(drops *qdisc.List) qdisc.Qdisc {
				return newFQ(b, codel.FQConfig{Limit: new(20000), SetAssociative: true, Drops: drops})
			})
		})
	}
}

// BenchmarkPFIFO is the yardstick.
func BenchmarkPFIFO(b *testing.B) {
	for _, depth := range []int{0, 1000} {
		b.Run(fmt.Sprintf("op=enqdeq/flows=1/depth=%d/size=1000", depth), func(b *testing.B) {
			pairs(b, 1, depth, func(drops *qdisc.List) qdisc.Qdisc {
				q, err := fifo.New(fifo.Config{Limit: new(20000), Drops: drops})
				if err != nil {
					b.Fatal(err)
				}
				return q
			})
		})
	}
}

// crowd is an FQ of as many queues as flows, each of which holds one packet.
// The flows take turns in an order that a cache cannot foresee.
type crowd struct {
	q     *codel.FQ
	drops qdisc.List
	free  qdisc.List
	flow  uint32
	n     uint32 // flows, a power of two
	now   qdisc.Time
}

func newCrowd(b *testing.B, n, limit int) *crowd {
	c := &crowd{free: qdisc.Alloc(n + 4096), n: uint32(n), now: s}
	c.q = newFQ(b, codel.FQConfig{Flows: n, Limit: &limit, MemoryLimit: new(int64(1 << 40)), Drops: &c.drops})
	for range n {
		c.enqueue()
	}
	return c
}

func (c *crowd) enqueue() {
	c.now++ // so that no packet is late
	c.flow = c.flow*0x19660d + 0x3c6ef35f
	p := c.free.Pop()
	p.Len, p.Truesize, p.Flow, p.DSField = 1000, 1256, uint32(uint64(c.flow%c.n)<<32/uint64(c.n)), 0
	c.q.Enqueue(p, c.now)
	c.free.Append(&c.drops)
}

func (c *crowd) dequeue() {
	if p := c.q.Dequeue(c.now); p != nil {
		c.free.Push(p)
	}
}

// BenchmarkFQOverload: load=even is one packet in and one out, below the limit.
// load=over is one packet in that exceeds the limit, so that one is dropped.
// load=double is two in, of which one is dropped, and one out.
func BenchmarkFQOverload(b *testing.B) {
	for _, n := range []int{1024, 65536} {
		for _, load := range []struct {
			name  string
			limit int
			ins   int
			outs  int
		}{{"even", 2 * n, 1, 1}, {"over", n, 1, 0}, {"double", n, 2, 1}} {
			b.Run(fmt.Sprintf("op=enqdeq/flows=%d/depth=%d/size=1000/load=%s", n, n, load.name), func(b *testing.B) {
				c := newCrowd(b, n, load.limit)
				run := func(ops int) {
					for range ops {
						for range load.ins {
							c.enqueue()
						}
						for range load.outs {
							c.dequeue()
						}
					}
				}
				run(2 * n) // so that what overflows is in its stride
				before := c.q.ReadStats()
				b.ReportAllocs()
				b.ResetTimer()
				run(b.N)
				b.StopTimer()
				dropped := c.q.ReadStats().Dropped - before.Dropped
				b.ReportMetric(float64(dropped)/float64(b.N), "drops/op")
			})
		}
	}
}

func BenchmarkVerbs(b *testing.B) {
	b.Run("kind=codel", func(b *testing.B) { workload.Verbs(b, newCoDel(b, codel.Config{Limit: new(20000)})) })
	b.Run("kind=fq", func(b *testing.B) { workload.Verbs(b, newFQ(b, codel.FQConfig{Limit: new(20000)})) })
}
