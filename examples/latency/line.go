package main

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// The line.
const (
	downRate  = 20 * qdisc.Mbit
	upRate    = 3 * qdisc.Mbit
	oneWay    = 45 * time.Millisecond
	roundTrip = 2 * oneWay
)

// pingEvery is the time between pings, window that of the charts. Connections
// find their window in the first startUp.
const (
	startUp   = 10 * time.Second
	pingEvery = 200 * time.Millisecond
	window    = 500 * time.Millisecond
)

// result is what a run measured.
type result struct {
	name     string
	ping     *netsim.Ping
	settled  *netsim.Ping    // from startUp on
	up, down qdisc.Rate      // payload delivered
	queue    *netsim.Sampler // packets waiting to go up
	carried  *netsim.Series  // bytes arrived, both ways
}

// simulate runs a load over a line with d in front of it at both ends.
func simulate(l load, d discipline, length time.Duration) (*result, error) {
	s := netsim.New(1)
	upQueue, err := d.make(upRate)
	if err != nil {
		return nil, err
	}
	downQueue, err := d.make(downRate)
	if err != nil {
		return nil, err
	}
	meter := netsim.NewMeter(s)
	meter.Record(window)
	meter.Next = netsim.Endpoint
	up, err := netsim.NewLink(s, netsim.LinkConfig{Name: "up", Rate: upRate, Delay: oneWay, Qdisc: upQueue, To: meter})
	if err != nil {
		return nil, err
	}
	down, err := netsim.NewLink(s, netsim.LinkConfig{Name: "down", Rate: downRate, Delay: oneWay, Qdisc: downQueue, To: meter})
	if err != nil {
		return nil, err
	}
	ups, err := connect(s, l.up, up, down)
	if err != nil {
		return nil, err
	}
	downs, err := connect(s, l.down, down, up)
	if err != nil {
		return nil, err
	}
	r := &result{name: d.name, carried: meter.Throughput}
	r.ping, err = netsim.NewPing(s, netsim.PingConfig{Forward: up, Reverse: down, Every: pingEvery, Record: window})
	if err != nil {
		return nil, err
	}
	// The same with start-up left out.
	r.settled, err = netsim.NewPing(s, netsim.PingConfig{Forward: up, Reverse: down, Every: pingEvery, Start: qdisc.Time(startUp)})
	if err != nil {
		return nil, err
	}
	r.queue = netsim.NewSampler(s, window/10, func() int64 { return int64(upQueue.Len()) })
	s.Run(qdisc.Time(length))
	r.up, r.down = goodput(ups), goodput(downs)
	return r, nil
}

// connect starts n connections that send by forward and hear by back, a tenth of
// a second apart: without end, with CUBIC, ECN and pacing.
func connect(s *netsim.Sim, n int, forward, back *netsim.Link) ([]*netsim.TCP, error) {
	var conns []*netsim.TCP
	for i := range n {
		c, err := netsim.NewTCP(s, netsim.TCPConfig{Forward: forward, Reverse: back, ECN: true, Pacing: true, HyStart: true})
		if err != nil {
			return nil, err
		}
		c.Start(qdisc.Time(i) * qdisc.Time(100*time.Millisecond))
		conns = append(conns, c)
	}
	return conns, nil
}

func goodput(conns []*netsim.TCP) (sum qdisc.Rate) {
	for _, c := range conns {
		sum += c.Stats().Goodput(netsim.TCPStats{})
	}
	return sum
}
