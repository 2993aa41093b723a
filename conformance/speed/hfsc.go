package main

import (
	"fmt"
	"math"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
)

// curves is a leaf's configuration in a tree of n leaves.
type curves func(n int) hfsc.ClassConfig

func linkShare(n int) hfsc.ClassConfig { return hfsc.ClassConfig{LinkShare: share(n)} }
func realTime(n int) hfsc.ClassConfig  { return hfsc.ClassConfig{RealTime: share(n)} }
func both(n int) hfsc.ClassConfig {
	return hfsc.ClassConfig{LinkShare: share(n), RealTime: share(2 * n)}
}

// share is the n-th part of the link.
func share(n int) hfsc.Curve { return hfsc.Line(link / qdisc.Rate(n)) }

// flat is an hfsc with n leaves below the root.
func flat(leaf curves) func(n int) func() func(int) {
	return func(n int) func() func(int) {
		return func() func(int) { return hierarchy(n, leaf, 0, false) }
	}
}

// tree3 is an hfsc with n leaves, numbered from 1, below two levels of classes,
// each with f children, f being the cube root of n. The upper ones may be limited.
func tree3(leaf curves, limited bool) func(n int) func() func(int) {
	return func(n int) func() func(int) {
		return func() func(int) { return hierarchy(n, leaf, int(math.Ceil(math.Cbrt(float64(n))-1e-9)), limited) }
	}
}

func hierarchy(n int, leaf curves, f int, limited bool) func(int) {
	q, err := hfsc.New(hfsc.Config{Limit: new(100_000), Drops: new(qdisc.List)})
	must(q, err)
	add := func(class int, cfg hfsc.ClassConfig) {
		if err := q.AddClass(uint32(class), cfg, 0); err != nil {
			panic(fmt.Sprint("speed: a class is refused: ", err))
		}
	}
	upper, lower := n+1, n+1+f
	for i := range f {
		cfg := linkShare(f)
		if limited {
			cfg.UpperLimit = share(1)
		}
		add(upper+i, cfg)
	}
	for i := range f * f {
		cfg := linkShare(f * f)
		cfg.Parent = uint32(upper + i/f)
		add(lower+i, cfg)
	}
	w := workload.Classful{}
	for i := range n {
		cfg := leaf(n)
		if f > 0 {
			cfg.Parent = uint32(lower + i%(f*f))
		}
		add(1+i, cfg)
		w.Classes = append(w.Classes, uint32(1+i))
	}
	w.Setup(q)
	return w.Run
}
