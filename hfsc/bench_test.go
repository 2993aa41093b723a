package hfsc_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// benchLink is the link of the classful workload.
const benchLink = 10 * qdisc.Gbit

// shape builds a tree for n leaves and returns their numbers.
type shape struct {
	name  string
	inner bool // three levels
	curve func(cfg *hfsc.ClassConfig, n int)
	ul    bool
}

func byteRate(n qdisc.Rate) qdisc.Rate { return 8 * n }

func shapes() []shape {
	const b = benchLink / 8
	ls := func(cfg *hfsc.ClassConfig, n int) { cfg.LinkShare = hfsc.Line(byteRate(b / qdisc.Rate(n))) }
	rtls := func(cfg *hfsc.ClassConfig, n int) {
		ls(cfg, n)
		cfg.RealTime = hfsc.Line(byteRate(b / qdisc.Rate(n) / 2))
	}
	rt := func(cfg *hfsc.ClassConfig, n int) { cfg.RealTime = hfsc.Line(byteRate(b / qdisc.Rate(n))) }
	return []shape{
		{"flat-ls", false, ls, false},
		{"flat-rtls", false, rtls, false},
		{"flat-rt", false, rt, false},
		{"tree3-ls", true, ls, false},
		{"tree3-rtls", true, rtls, false},
		{"tree3-ul", true, ls, true},
	}
}

// build makes the tree of a shape, with n leaves numbered from 1.
func (s *shape) build(t require.TestingT, n int, compat qdisc.Compat) (*hfsc.HFSC, []uint32) {
	q, err := hfsc.New(hfsc.Config{Compat: compat, Limit: new(100000), Drops: new(qdisc.List)})
	require.NoError(t, err)
	const b = benchLink / 8
	f := int(math.Ceil(math.Cbrt(float64(n)) - 1e-9))
	top, second := uint32(n+1), uint32(n+1+f)
	if s.inner {
		for i := range f {
			cfg := hfsc.ClassConfig{LinkShare: hfsc.Line(byteRate(b / qdisc.Rate(f)))}
			if s.ul {
				cfg.UpperLimit = hfsc.Line(byteRate(b))
			}
			require.NoError(t, q.AddClass(top+uint32(i), cfg, 0))
		}
		for i := range f * f {
			cfg := hfsc.ClassConfig{Parent: top + uint32(i/f), LinkShare: hfsc.Line(byteRate(b / qdisc.Rate(f) / qdisc.Rate(f)))}
			require.NoError(t, q.AddClass(second+uint32(i), cfg, 0))
		}
	}
	var leaves []uint32
	for i := range n {
		var cfg hfsc.ClassConfig
		if s.inner {
			cfg.Parent = second + uint32(i%(f*f))
		}
		s.curve(&cfg, n)
		require.NoError(t, q.AddClass(uint32(i+1), cfg, 0))
		leaves = append(leaves, uint32(i+1))
	}
	return q, leaves
}

// BenchmarkHFSC: one operation is one Dequeue and one Enqueue. The pfifo
// beside it is what the figures are to be compared with.
func BenchmarkHFSC(b *testing.B) {
	b.Run("kind=pfifo/op=enqdeq", func(b *testing.B) {
		q, err := fifo.New(fifo.Config{Limit: new(100000)})
		require.NoError(b, err)
		run(b, q, []uint32{1})
	})
	for _, s := range shapes() {
		for _, n := range []int{1, 10, 100, 1000, 10000, 100000} {
			for _, compat := range modes {
				if n > 10000 && compat != qdisc.Exact {
					continue
				}
				b.Run(fmt.Sprintf("kind=hfsc-%s/op=enqdeq/compat=%v/classes=%d", s.name, compat, n), func(b *testing.B) {
					q, leaves := s.build(b, n, compat)
					run(b, q, leaves)
				})
			}
		}
	}
}

func run(b *testing.B, q qdisc.Qdisc, classes []uint32) {
	w := workload.Classful{Classes: classes}
	w.Setup(q)
	b.ReportAllocs()
	b.ResetTimer()
	w.Run(b.N)
}
