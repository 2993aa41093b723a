package cake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// TestNoAllocation makes 1e5 rounds of all hot verbs with everything on:
// shaping, autorate, over the limit, late, filtering and cutting.
func TestNoAllocation(t *testing.T) {
	const rounds = 100_000
	free, drops := qdisc.Alloc(2048), qdisc.List{}
	var acks [64][40]byte
	for i := range acks {
		h := &acks[i]
		h[0], h[3], h[9], h[31], h[32], h[33] = 0x45, 40, 6, byte(i), 0x50, 0x10
	}
	for _, compat := range compats {
		q := mustNew(t, cake.Config{
			Bandwidth: 100 * qdisc.Mbit, Autorate: true, Ingress: true, MemoryLimit: 100_000, Framing: cake.Conservative(),
			AckFilter: cake.FilterAcksAggressive, RTT: cake.LAN, Wash: true, FwMark: 3, Drops: &drops, Compat: compat,
			Classify: func(p *qdisc.Packet) uint32 { return p.Class },
			Header:   func(p *qdisc.Packet) []byte { return acks[p.Mark>>2%64][:] },
			Split: func(p *qdisc.Packet, segs *qdisc.List) {
				n, size := p.Segs, uint32(p.SegSize)
				for range n {
					s := free.Pop()
					s.Len, s.Segs = size, 1
					s.Flow, s.Proto = p.Flow, p.Proto
					segs.Push(s)
				}
				free.Push(p)
			},
		})
		now := s
		got := qdisctest.Mallocs(func() {
			for i := range rounds {
				p := free.Pop()
				p.Len, p.Segs, p.Proto = 1000, 1, 17
				p.Flow, p.SrcHost, p.DstHost = uint32(i%50), uint32(i%5), uint32(i%3)
				p.DSField, p.Mark = uint8(i%64)<<2, uint32(i%7)
				switch {
				case i%64 < 24:
					p.Proto, p.Len, p.Flow, p.Mark, p.DSField = 6, 60, 99, uint32(i)<<2, 0
				case i%8 == 6:
					p.Len, p.Segs, p.SegSize = 4000, 4, 1000
				}
				q.Enqueue(p, now)
				free.Append(&drops)
				now += 100 * us
				if i%4 == 0 {
					continue
				}
				q.Peek(now)
				if p := q.Dequeue(now); p != nil {
					free.Push(p)
				} else {
					q.ReadyAt(now)
				}
			}
		})
		assert.Zero(t, got)
		st := q.ReadStats()
		for _, r := range []qdisc.Reason{qdisc.HeadDrop, qdisc.AQM, qdisc.AckFilter} {
			require.Greater(t, st.Drops[r], uint64(100), "%v", r)
		}
		require.Greater(t, st.Split, uint64(rounds/8))
		require.NotEqual(t, 100*qdisc.Mbit, q.Config().Bandwidth)
		q.Reset(0)
		free.Append(&drops)
	}
}
