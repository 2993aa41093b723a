package main

import (
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
)

// The line.
const (
	upRate   = 3 * qdisc.Mbit
	downRate = 20 * qdisc.Mbit
	oneWay   = 45 * time.Millisecond
	duration = qdisc.Time(time.Minute)
)

// DSCPs, as they stand in the DS field.
const (
	bulkDS  = 8 << 2  // CS1: whatever is left over will do
	voiceDS = 46 << 2 // EF
)

// A discipline stands in front of the line, one each way.
type discipline struct {
	name string
	make func(rate qdisc.Rate) (qdisc.Qdisc, error)
}

var disciplines = []discipline{
	{"FIFO of 1000", func(qdisc.Rate) (qdisc.Qdisc, error) { return fifo.New(fifo.Config{}) }},
	{"FQ-CoDel", func(qdisc.Rate) (qdisc.Qdisc, error) { return codel.NewFQ(codel.FQConfig{}) }},
	{"CAKE", func(rate qdisc.Rate) (qdisc.Qdisc, error) {
		return cake.New(cake.Config{Bandwidth: rate, Rand: rand.NewPCG(1, 1)})
	}},
}

// home is the line and what its users got, after a run.
type home struct {
	name     string
	upQueue  qdisc.Qdisc
	backup   []*netsim.TCP // four connections of one host, marked as bulk
	upload   *netsim.TCP   // one of another host
	download *netsim.TCP   // of the same
	lookup   *netsim.Ping  // name lookups
	call     *netsim.Meter // a third host's, upwards, marked as voice
	game     *netsim.Meter // of the same, not marked
	calls    *netsim.Source
	games    *netsim.Source

	sim      *netsim.Sim
	up, down *netsim.Link
	err      error // the first
}

// simulate runs the home with d at both ends of its line.
func simulate(d discipline) (*home, error) {
	h := &home{name: d.name, sim: netsim.New(1)}
	h.up, h.down = h.link(d, upRate), h.link(d, downRate)
	if h.err != nil {
		return nil, h.err
	}
	h.upQueue = h.up.Qdisc()
	for range 4 {
		h.backup = append(h.backup, h.connect(1, bulkDS, h.up, h.down))
	}
	h.upload = h.connect(2, 0, h.up, h.down)
	h.download = h.connect(2, 0, h.down, h.up)
	h.lookup = h.lookups(2)
	h.call, h.calls = h.stream(3, voiceDS, 200, 80*qdisc.Kbit)
	h.game, h.games = h.stream(3, 0, 120, 40*qdisc.Kbit)
	if h.err != nil {
		return nil, h.err
	}
	h.sim.Run(duration)
	h.calls.Stop()
	h.games.Stop()
	h.sim.Run(duration + qdisc.Time(5*time.Second)) // what is under way arrives
	return h, nil
}

// note keeps the first error, so that a home is built in one go.
func (h *home) note(err error) {
	if h.err == nil {
		h.err = err
	}
}

func (h *home) link(d discipline, rate qdisc.Rate) *netsim.Link {
	q, err := d.make(rate)
	h.note(err)
	l, err := netsim.NewLink(h.sim, netsim.LinkConfig{Rate: rate, Delay: oneWay, Qdisc: q})
	h.note(err)
	return l
}

// connect starts a TCP connection of a host, without end.
func (h *home) connect(host uint32, ds uint8, forward, back *netsim.Link) *netsim.TCP {
	c, err := netsim.NewTCP(h.sim, netsim.TCPConfig{
		Forward: forward, Reverse: back, ECN: true, Pacing: true,
		Packet: qdisc.Packet{SrcHost: host, DSField: ds, Proto: 6},
	})
	h.note(err)
	if c != nil {
		c.Start(0)
		c.StopAt(duration)
	}
	return c
}

func (h *home) lookups(host uint32) *netsim.Ping {
	p, err := netsim.NewPing(h.sim, netsim.PingConfig{
		Forward: h.up, Reverse: h.down, Every: 500 * time.Millisecond, Stop: duration,
		Packet: qdisc.Packet{Flow: 0x5bd1e995, SrcHost: host, Len: 90, Proto: 17},
	})
	h.note(err)
	return p
}

// stream sends small packets upwards at a steady rate.
func (h *home) stream(host uint32, ds uint8, length uint32, rate qdisc.Rate) (*netsim.Meter, *netsim.Source) {
	m := netsim.NewMeter(h.sim)
	m.Record(500 * time.Millisecond)
	s, err := netsim.NewSource(h.sim, netsim.SourceConfig{
		Via: h.up, To: m, Pattern: netsim.CBR{Rate: rate}, Start: qdisc.Time(time.Second),
		Packet: qdisc.Packet{Flow: 0x9e3779b1 * length, SrcHost: host, DSField: ds, Len: length, Proto: 17},
	})
	h.note(err)
	return m, s
}
