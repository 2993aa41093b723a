package main

import (
	"math/rand/v2"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// A load is a number of TCP connections each way.
type load struct {
	name     string
	up, down int
	charted  bool
	// published is the largest delay that the load added with the kernel's
	// discipline, in words (bufferbloat.net, CakePerformance: 20/3 Mbit/s, 90 ms,
	// CUBIC with ECN, runs of 60 s; read off plots).
	published map[string]string
}

var loads = []load{
	{name: "1 up", up: 1, published: map[string]string{"fq_codel": "6 ms", "cake": "6 ms"}},
	{name: "1 down", down: 1, published: map[string]string{"codel": "10 ms", "fq_codel": "1 ms", "cake": "1 ms"}},
	{name: "1 up + 1 down", up: 1, down: 1, published: map[string]string{"codel": "55 ms", "fq_codel": "20 ms", "cake": "5 ms"}},
	{name: "4 up + 4 down (rrul)", up: 4, down: 4, charted: true, published: map[string]string{"codel": "90 ms", "fq_codel": "33 ms", "cake": "8 ms"}},
	{name: "50 up + 1 down", up: 50, down: 1, published: map[string]string{"fq_codel": "50 ms", "cake": "5 ms"}},
}

// A discipline stands in front of the line, one each way, as tc makes it by
// default; cake as "cake bandwidth RATE besteffort flows".
type discipline struct {
	name string
	make func(rate qdisc.Rate) (qdisc.Qdisc, error)
}

var disciplines = []discipline{
	{"pfifo", func(qdisc.Rate) (qdisc.Qdisc, error) { return fifo.New(fifo.Config{}) }},
	{"codel", func(qdisc.Rate) (qdisc.Qdisc, error) { return codel.New(codel.Config{}) }},
	{"fq_codel", func(qdisc.Rate) (qdisc.Qdisc, error) { return codel.NewFQ(codel.FQConfig{}) }},
	{"cake", func(rate qdisc.Rate) (qdisc.Qdisc, error) {
		return cake.New(cake.Config{Bandwidth: rate, Diffserv: cake.BestEffort, Isolation: cake.Flows, Rand: rand.NewPCG(1, 1)})
	}},
}
